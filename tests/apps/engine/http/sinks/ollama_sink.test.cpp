// Streams of Ollama's clients whose turn has nothing to show for long.
#include "apps/engine/http/sinks/ollama_sink.hpp"

#include "tests/apps/engine/access/owner_fixture.hpp"
#include "tests/support/catch.hpp"

namespace ollama_sink_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("a silent stream of Ollama's clients begins with a line that they read",
          "[apps][ollama_client]") {
  owner_fixture world;
  for (const auto* path : {"/api/chat", "/api/generate"}) {
    INFO(path);
    const auto is_chat = path == std::string_view{"/api/chat"};
    auto& answer = world.request(world.alice.key, "POST", path,
                                 is_chat ? R"({"messages":[{"role":"user","content":"x"}]})"
                                         : R"({"prompt":"x"})");
    world.advance(15s);
    CHECK(answer.status == 200);
    CHECK(answer.body == ollama_sign_of_life(is_chat ? ollama_form::chat : ollama_form::prompt));
  }
}

TEST_CASE("errors below /api are told as Ollama's clients read them", "[apps][ollama_client]") {
  owner_fixture world;
  const auto& lost = world.request(world.alice.key, "POST", "/api/pull", "{}");
  CHECK(lost.status == 404);
  CHECK(lost.body == R"({"error":"There is nothing at /api/pull."})");
  const auto& stranger = world.request("", "GET", "/api/tags", "");
  CHECK(stranger.status == 401);
  CHECK(stranger.body.starts_with(R"({"error":")"));
}

} // namespace ollama_sink_test

// Whatever a chat came to, what goes to Ollama is a request that it takes as it is meant, and
// nothing that the user wrote is lost.
#include "messages/wire/providers.hpp"
#include "tests/messages/wire/ollama/ollama_request_check.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/random_chat.hpp"
#include "tests/support/catch.hpp"

namespace ollama_history_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string body_of(const std::vector<chat_message>& history, bool images,
                    std::string_view system = {}) {
  model_config model;
  model.name = "m";
  model.base_url = "http://127.0.0.1:11434";
  model.images = images;
  return accepted_body("ollama", {.model = model, .history = history, .system = system});
}

} // namespace

TEST_CASE("3000 random histories are sent to Ollama as it takes them", "[messages][ollama]") {
  random_chat random{20'261'125};
  for (int i = 0; i < 3000; ++i) {
    const auto history = random.make();
    INFO("history " << i);
    const auto body = body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : "");
    INFO(body);
    for (const auto& text : random.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : ""));
    REQUIRE(body.find("signature") == std::string::npos); // of other providers
    REQUIRE(body.find("blocks") == std::string::npos);
  }
}

TEST_CASE("the check of Ollama's requests finds what Ollama refuses or ignores",
          "[messages][ollama]") {
  const auto with = [](const std::string& messages, const std::string& more = "") {
    return ollama_body_fault(R"({"model":"m","messages":[)" + messages + R"(],"stream":true)" +
                             more + "}");
  };
  const std::string user = R"({"role":"user","content":"x"})";
  const std::string calls = R"(,{"role":"assistant","content":"","tool_calls":[)"
                            R"({"id":"a","function":{"name":"f","arguments":{}}}]})";
  CHECK(with(user).empty());
  CHECK(with(user + calls + R"(,{"role":"tool","content":"","tool_name":"f","tool_call_id":"a"})")
            .empty());
  CHECK_FALSE(with(user + calls).empty());
  CHECK_FALSE(
      with(user + calls + R"(,{"role":"tool","content":"","tool_name":"g","tool_call_id":"a"})")
          .empty());
  CHECK_FALSE(with(R"({"role":"user","content":[{"type":"text","text":"x"}]})").empty());
  CHECK_FALSE(with(user, R"(,"temperature":1)").empty());
  CHECK_FALSE(with(user, R"(,"options":{"stop":"END"})").empty());
  CHECK_FALSE(with(user, R"(,"think":"minimal")").empty());
  CHECK_FALSE(
      with(R"({"role":"user","content":"x","images":["data:image/png;base64,AAAA"]})").empty());
  CHECK_FALSE(with(user, R"(,"tools":[{"type":"function","function":{"name":"f",)"
                         R"("description":"","parameters":{"type":"object","properties":[]}}}])")
                  .empty());
}

} // namespace ollama_history_test

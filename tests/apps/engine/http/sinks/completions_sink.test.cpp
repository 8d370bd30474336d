// Streams of /v1/chat/completions whose turn has nothing to show for long.
#include "apps/engine/http/sinks/completions_sink.hpp"

#include "apps/engine/http/sinks/stream_keep_alive.hpp"
#include "tests/apps/engine/access/owner_fixture.hpp"
#include "tests/support/catch.hpp"

namespace completions_sink_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr auto sign_of_life = ": keep-alive\n\n";

struct silent_world : deterministic {
  ~silent_world() { run(); }

  std::unique_ptr<event_sink> sink() {
    return completions_stream_sink(answer, {"chatcmpl-1", "m", 1}, false, {}, &silent);
  }

  static event_batch batch_of(event what) {
    event_batch out;
    out.events.push_back(std::move(what));
    return out;
  }

  std::shared_ptr<kept_response> answer = std::make_shared<kept_response>();
  stream_keep_alive silent{sys};
};

} // namespace

TEST_CASE_METHOD(silent_world, "a turn that is silent for 15 s begins its stream with a comment",
                 "[apps][completions]") {
  auto to = sink();
  advance(14s);
  CHECK(answer->status == 0);
  advance(1s);
  CHECK(answer->status == 200);
  CHECK(answer->body == sign_of_life);
  SECTION("and goes on with its chunks") {
    to->deliver(batch_of(text_delta{"hello"}));
    CHECK(answer->body.find("hello") != std::string::npos);
    CHECK(answer->body.find(sign_of_life, 1) == std::string::npos);
  }
  SECTION("and an error is one of them") {
    to->deliver(batch_of(session_error{errc::model_failed, "broken", false}));
    CHECK(answer->status == 200);
    CHECK(answer->body.find("broken") != std::string::npos);
    CHECK(answer->body.ends_with("data: [DONE]\n\n"));
  }
  SECTION("and a refusal, too") {
    to->refuse({errc::session_busy, "busy"});
    CHECK(answer->status == 200);
    CHECK(answer->body.find("busy") != std::string::npos);
  }
}

TEST_CASE_METHOD(silent_world, "a turn that fails before that gets a status",
                 "[apps][completions]") {
  auto to = sink();
  to->deliver(batch_of(session_error{errc::model_failed, "broken", false}));
  advance(1min);
  CHECK(answer->status == 502);
  CHECK(answer->body.find(sign_of_life) == std::string::npos);
}

TEST_CASE_METHOD(silent_world, "each of several streams has its own 15 s", "[apps][completions]") {
  auto first = sink();
  auto early = std::exchange(answer, std::make_shared<kept_response>());
  advance(10s);
  auto second = sink();
  advance(5s);
  CHECK(early->status == 200);
  CHECK(answer->status == 0);
  advance(10s);
  CHECK(answer->status == 200);
}

TEST_CASE("the route has its streams minded", "[apps][completions]") {
  owner_fixture world;
  auto& answer = world.request(world.alice.key, "POST", "/v1/chat/completions",
                               R"({"stream":true,"messages":[{"role":"user","content":"x"}]})");
  world.advance(15s);
  CHECK(answer.status == 200);
  CHECK(answer.body == sign_of_life);
}

} // namespace completions_sink_test

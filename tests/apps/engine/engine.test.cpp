#include "apps/engine/engine.hpp"

#include <future>
#include <memory>
#include <thread>

#include "tests/apps/engine/engine_questions.hpp"
#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/support/catch.hpp"

namespace engine_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("a turn by callback and one by range bring the same text", "[apps][engine]") {
  engine running{small()};
  std::vector<event> ranged;
  for (const auto& batch : running.stream(ask("a", "text")))
    ranged.insert(ranged.end(), batch.events.begin(), batch.events.end());
  auto called = run(running, ask("b", "text"));
  CHECK(text_of(ranged) == text_of(called));
  CHECK_FALSE(text_of(called).empty());
  CHECK(std::holds_alternative<session_end>(ranged.back()));
}

TEST_CASE("turns run on each scheduler that can be configured", "[apps][engine]") {
  for (const auto* scheduler : {"loop", "sharing", "stealing"}) {
    engine running{small(scheduler)};
    CHECK(text_of(run(running, ask("a", "echo", "hello"))).find("hello") != std::string::npos);
  }
}

TEST_CASE("an engine ends on another thread than the one that built it and goes on",
          "[apps][engine]") {
  std::unique_ptr<engine> running;
  std::promise<void> built;
  std::promise<void> ended;
  std::thread builder{[&] {
    running = std::make_unique<engine>(small());
    built.set_value();
    ended.get_future().wait();
  }};
  built.get_future().wait();
  running.reset();
  ended.set_value();
  builder.join();
}

TEST_CASE("an engine ends after turns over HTTP on each scheduler", "[apps][engine]") {
  for (const auto* scheduler : {"loop", "sharing", "stealing"}) {
    engine running{small(scheduler)};
    REQUIRE_FALSE(running.listen("127.0.0.1:0"));
    const auto body = R"({"message":"hello","model":"echo"})";
    const auto answer = fetch(running.port(), "POST", "/v1/sessions/a/turns", body);
    CHECK(answer.says("hello"));
    CHECK(answer.says("SESSION_END"));
    running.shutdown(1s);
  }
}

TEST_CASE("abort ends a running turn with ABORT and SESSION_END", "[apps][engine]") {
  engine running{small()};
  std::vector<event> events;
  for (const auto& batch : running.stream(ask("a", "paced"))) {
    events.insert(events.end(), batch.events.begin(), batch.events.end());
    if (std::holds_alternative<text_delta>(batch.events.back()))
      running.abort("a");
  }
  REQUIRE(events.size() > 2);
  CHECK(std::get<abort_event>(events[events.size() - 2]).reason == "stop");
  CHECK(std::holds_alternative<session_end>(events.back()));
}

TEST_CASE("a range that is left early gives its session free", "[apps][engine]") {
  engine running{small()};
  {
    auto events = running.stream(ask("a", "silent"));
    CHECK(std::holds_alternative<session_start>(events.begin()->events.front()));
  }
  std::vector<event> next;
  do // the abort is on its way: until it arrived the session says that it is busy
    next = run(running, ask("a", "echo", "free"));
  while (std::holds_alternative<session_error>(next.front()) &&
         std::get<session_error>(next.front()).error == errc::session_busy);
  CHECK(text_of(next).find("free") != std::string::npos);
}

TEST_CASE("an unknown model is one SESSION_ERROR that names the known ones", "[apps][engine]") {
  engine running{small()};
  auto events = run(running, ask("a", "no-such-model"));
  REQUIRE(events.size() == 1);
  const auto& error = std::get<session_error>(events[0]);
  CHECK(error.error == errc::model_unknown);
  CHECK(error.error_text.find("echo") != std::string::npos);
}

TEST_CASE("shutdown aborts what is left, and later turns are refused", "[apps][engine]") {
  engine running{small()};
  std::promise<void> begun;
  std::promise<std::vector<event>> ended;
  std::vector<event> events;
  running.start_turn(ask("a", "silent"), [&](const event_batch& batch) {
    if (events.empty())
      begun.set_value();
    events.insert(events.end(), batch.events.begin(), batch.events.end());
    if (is_terminal(batch.events.back()))
      ended.set_value(events);
  });
  begun.get_future().wait();
  running.shutdown(10ms);
  auto all = ended.get_future().get();
  CHECK(std::get<abort_event>(all[all.size() - 2]).reason == "shutdown");
  auto late = run(running, ask("b", "text"));
  CHECK(std::get<session_error>(late[0]).error == errc::shutting_down);
}

TEST_CASE("a second server on a taken port is told what to do", "[apps][engine]") {
  engine first{small()};
  engine second{small()};
  REQUIRE_FALSE(first.listen("127.0.0.1:0"));
  auto bad = second.listen("127.0.0.1:" + std::to_string(first.port()));
  CHECK(bad.code == errc::address_unavailable);
  CHECK(bad.message.find("--listen") != std::string::npos);
}

TEST_CASE("a tool is called outside of any turn, and bad arguments are told apart",
          "[apps][engine]") {
  engine running{small()};
  CHECK(running.wait_for_servers(1min));
  CHECK(running.mcp().call_tool({"", "nobody", "x", "{}"}).error.code == errc::server_unknown);
  CHECK(running.mcp().call_tool({"", "nobody", "x", "{"}).error.code ==
        errc::tool_arguments_invalid);
}

} // namespace engine_test

// How an engine ends, whoever ends it.
#include <future>
#include <thread>

#include "tests/apps/engine/engine_questions.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"

namespace engine_end_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A turn that runs until it is aborted.
class endless_turn {
public:
  endless_turn(engine& on, const std::string& session) {
    on.start_turn(ask(session, "silent"), [this](const event_batch& batch) {
      if (!std::exchange(seen_, true))
        begun_.set_value();
      for (const auto& each : batch.events)
        if (const auto* aborted = std::get_if<abort_event>(&each))
          reason_ = aborted->reason;
      if (is_terminal(batch.events.back()))
        over_.set_value(reason_);
    });
    begun_.get_future().wait();
  }

  bool is_over() const { return ended_.wait_for(0s) == std::future_status::ready; }

  /// Waits for its end. Returns why it was aborted.
  std::string reason() { return ended_.get(); }

private:
  bool seen_ = false;
  std::string reason_;
  std::promise<void> begun_;
  std::promise<std::string> over_;
  std::future<std::string> ended_ = over_.get_future();
};

/// Waits until a shutdown has begun: turns are refused from then on.
void wait_for_shutdown(engine& running) {
  auto late = ask("b", "text");
  while (!std::holds_alternative<session_error>(run(running, late).front()))
    late.session_id += 'b';
}

} // namespace

TEST_CASE("whoever shuts an engine down that is being shut down waits for that, and hurries it",
          "[apps][engine]") {
  engine running{small()};
  endless_turn turn{running, "a"};
  auto first = std::async(std::launch::async, [&] { running.shutdown(1h); });
  wait_for_shutdown(running);
  running.shutdown(0ms);
  CHECK(turn.is_over());
  CHECK(first.wait_for(1min) == std::future_status::ready);
  CHECK(turn.reason() == "shutdown");
  running.shutdown(1h); // at once: there is nothing left
}

TEST_CASE("a shutdown that waits for a call is hurried, too", "[apps][engine]") {
  auto config = small();
  config.mcp_servers.push_back(demo_server_entry());
  engine running{config};
  REQUIRE(running.wait_for_servers(1min));
  std::promise<errc> ended;
  running.mcp().call_tool({"", "demo", "hang", "{}"},
                          [&](const tool_result& result) { ended.set_value(result.error.code); });
  while (running.status().active_flows == 0)
    std::this_thread::yield();
  auto first = std::async(std::launch::async, [&] { running.shutdown(1h); });
  wait_for_shutdown(running);
  running.shutdown(0ms);
  CHECK(ended.get_future().get() == errc::shutting_down);
  CHECK(first.wait_for(1min) == std::future_status::ready);
}

TEST_CASE("times that are for ever are no times at once", "[apps][engine]") {
  constexpr auto for_ever = std::chrono::milliseconds::max();
  auto config = small();
  config.limits.chats.session_idle = config.limits.turn.tool_timeout = for_ever;
  config.resource_ttl = config.limits.turn.approval.timeout = for_ever;
  engine running{config};
  run(running, ask("a", "text"));
  CHECK(running.status().sessions == 1);
  CHECK(running.wait_for_servers(for_ever));
  CHECK(text_of(run(running, ask("a", "echo", "still here"))) == "still here");
  running.shutdown(for_ever);
}

TEST_CASE("conversations of an engine that was shut down are answered with shutting_down",
          "[apps][engine]") {
  engine running{small()};
  running.shutdown(0ms);
  auto& kept = running.conversations();
  CHECK(kept.list({}).error.code == errc::shutting_down);
  CHECK(kept.get({"a"}).error.code == errc::shutting_down);
  CHECK(kept.rename({"a"}, "b").error.code == errc::shutting_down);
  CHECK(kept.remove({"a"}).code == errc::shutting_down);
  CHECK(running.listen("127.0.0.1:0").code == errc::shutting_down);
}

} // namespace engine_end_test

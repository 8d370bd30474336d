// A thousand turns that are aborted at once leave nothing behind: every actor, exchange and lease
// is counted.
#include "tests/actors/session/chat.hpp"

namespace abort_many_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr size_t half = 500;

struct many_turns : chat {
  many_turns() {
    open(2 * half);
    open_tools({"echo"});
    idle_actors = sys.registry().running();
  }

  size_t actors() {
    run();
    return sys.registry().running();
  }

  uint64_t leases() { return ask<server_list>(tools, atom::status_v).active_flows; }

  /// Half of the turns wait for the rest of their text, half for a tool.
  void start() {
    for (size_t i = 0; i < 2 * half; ++i) {
      clients.push_back(send("hi", "chat " + std::to_string(i)));
      if (i % 2 == 0)
        http.calls.back()->head(200, "text/event-stream");
      else
        answer({call_chunk(0, "call", "echo", "{}")});
    }
    run();
  }

  std::vector<std::shared_ptr<received>> clients;
  size_t idle_actors = 0;
};

} // namespace

TEST_CASE_METHOD(many_turns, "aborted turns leave no actor, exchange or lease behind",
                 "[actors][session_hub]") {
  start();
  REQUIRE(counts().running_turns == 2 * half);
  REQUIRE(leases() == half);
  for (size_t i = 0; i < 2 * half; ++i)
    if (i % 4 < 2)
      caf::anon_send(hub, abort_turn{"chat " + std::to_string(i), "", "stop"});
    else
      clients[i]->signal(response_signal::gone);
  run();
  CHECK(counts().running_turns == 0);
  CHECK(leases() == 0);
  for (const auto& each : http.calls)
    CHECK(each->cancelled);
  CHECK(actors() == idle_actors + counts().sessions); // chats only
  advance(settings.chats.session_idle);
  CHECK(counts().sessions == 0);
  CHECK(actors() == idle_actors);
}

} // namespace abort_many_test

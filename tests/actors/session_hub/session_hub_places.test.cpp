// Turns of owners with a limit, which all nodes of a cluster count together.
#include "actors/session_hub/session_hub.hpp"

#include <deque>

#include "messages/chat/session_id.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"
#include "tests/actors/session/draining_hub.hpp"
#include "tests/actors/session/stored_chat.hpp"

namespace session_hub_places_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A node whose places the test gives.
struct placed_chat : stored_chat {
  placed_chat() {
    settings.lease = std::make_shared<node_lease>(1);
    limits = sys.spawn([this](cluster_limits_actor::pointer me) {
      return cluster_limits_actor::behavior_type{
          [this, me](const take_place& want) -> caf::result<place_answer> {
            asked.push_back(want);
            if (!holds)
              return place_answer{refused};
            held.push_back(me->make_response_promise<place_answer>());
            return held.back();
          },
          [this](const owner_turns& now) { told.push_back(now); },
          [this](atom::clear) { ++cleared; },
          [](atom::tick) {},
          [this](atom::look) {
            held.front().deliver(place_answer{late});
            held.pop_front();
          },
      };
    });
    sys.registry().put(cluster_limits_name, caf::actor_cast<caf::strong_actor_ptr>(limits));
    run();
  }

  ~placed_chat() {
    sys.registry().erase(cluster_limits_name);
    crash(*this, limits);
  }

  static turn_request limited(const std::string& id, busy_policy when_busy = busy_policy::refuse) {
    auto made = request("hi", scoped_id("ann", id));
    made.turn_id = "turn of " + id;
    made.options.when_busy = when_busy;
    made.concurrent_turns = 2;
    return made;
  }

  got ask(turn_request what) {
    auto into = post(std::move(what));
    run();
    return into;
  }

  /// Answers the request that waits longest.
  void give(errc why = errc::none) {
    late = why;
    caf::anon_send(limits, atom::look_v);
    run();
  }

  cluster_limits_actor limits;
  std::vector<take_place> asked;
  std::vector<owner_turns> told;
  std::deque<caf::typed_response_promise<place_answer>> held;
  errc refused = errc::none, late = errc::none;
  bool holds = false;
  int cleared = 0;
};

} // namespace

TEST_CASE_METHOD(placed_chat, "a turn of an owner with a limit begins when the other nodes know",
                 "[actors][session_hub][cluster]") {
  open();
  run();
  CHECK(cleared == 1);
  holds = true;
  auto first = ask(limited("1"));
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].owner == "ann");
  CHECK(asked[0].running == 1);
  CHECK(asked[0].most == 2);
  CHECK(http.calls.empty());
  CHECK(counts().running_turns == 0);
  auto second = ask(limited("2")); // counts the first one
  CHECK(asked.at(1).running == 2);
  CHECK(ask(limited("3"))->refused.code == errc::too_many_turns);
  give();
  give();
  CHECK(http.calls.size() == 2);
  CHECK(told.empty());
  http.calls[0]->stream({text_chunk("x")});
  run();
  CHECK(first->names() == plain_turn);
  REQUIRE(told.size() == 1);
  CHECK(told[0].owner == "ann");
  CHECK(told[0].running == 1);
}

TEST_CASE_METHOD(placed_chat, "a turn without a place is refused, and begins nothing",
                 "[actors][session_hub][cluster]") {
  open();
  SECTION("other nodes have them all") {
    refused = errc::too_many_turns;
    CHECK(ask(limited("1"))->refused.code == errc::too_many_turns);
    REQUIRE(told.size() == 1);
    CHECK(told[0].running == 0);
  }
  SECTION("nobody can be asked") {
    sys.registry().erase(cluster_limits_name);
    CHECK(ask(limited("1"))->refused.code == errc::store_unreachable);
  }
  SECTION("nobody answers") {
    holds = true;
    auto into = ask(limited("1"));
    sched().advance_time(6s);
    run();
    CHECK(into->refused.code == errc::store_unreachable);
    give();
  }
  CHECK(counts().sessions == 0);
  CHECK(http.calls.empty());
  if (refused == errc::none)
    return;
  refused = errc::none;
  CHECK(ask(limited("1"))->refused.code == errc::none);
  CHECK(asked.back().running == 1);
  CHECK(http.calls.size() == 1);
}

TEST_CASE_METHOD(placed_chat, "turns without a limit ask nobody",
                 "[actors][session_hub][cluster]") {
  open();
  auto free = limited("1");
  free.concurrent_turns = 0;
  ask(free);
  answer({text_chunk("x")});
  CHECK(asked.empty());
  CHECK(told.empty());
  settings.lease = nullptr;
  reopen();
  ask(limited("2"));
  CHECK(asked.empty());
  CHECK(http.calls.size() == 2);
}

TEST_CASE_METHOD(placed_chat, "a turn that asks for its place can be stopped, or left",
                 "[actors][session_hub][cluster]") {
  open();
  holds = true;
  auto what = std::make_shared<received>();
  const auto asker = client(what);
  caf::send_as(asker, hub, start_turn{limited("1"), 1000});
  run();
  SECTION("by its id") {
    caf::anon_send(hub, abort_turn{scoped_id("ann", "1"), "turn of 1", "stop"});
    run();
    CHECK(what->refused.code == errc::aborted);
  }
  SECTION("by its chat") {
    caf::anon_send(hub, abort_turn{scoped_id("ann", "1"), "", "stop"});
    run();
    CHECK(what->refused.code == errc::aborted);
  }
  SECTION("by the end of the process") {
    drain now{*this, 1s};
    run();
    CHECK(what->refused.code == errc::shutting_down);
  }
  SECTION("by its client, which is gone") {
    crash(*this, asker);
  }
  give();
  CHECK(http.calls.empty());
  CHECK(counts().sessions == 0);
  REQUIRE(told.size() == 1);
  CHECK(told[0].running == 0);
}

TEST_CASE_METHOD(placed_chat, "a turn that waited for its chat asks when its time has come",
                 "[actors][session_hub][cluster]") {
  open();
  auto first = ask(limited("1"));
  auto second = ask(limited("1", busy_policy::wait));
  auto third = ask(limited("1", busy_policy::wait));
  CHECK(asked.size() == 1);
  SECTION("and runs") {
    answer({text_chunk("one")});
    CHECK(asked.size() == 2);
    CHECK(http.calls.size() == 2);
    answer({text_chunk("two")});
    CHECK(http.calls.size() == 3);
  }
  SECTION("and if it gets none the next one asks") {
    holds = true;
    answer({text_chunk("one")});
    give(errc::too_many_turns);
    CHECK(second->refused.code == errc::too_many_turns);
    CHECK(asked.size() == 3);
    give();
    CHECK(http.calls.size() == 2);
    CHECK(third->refused.code == errc::none);
  }
}

TEST_CASE_METHOD(placed_chat, "of two turns of one chat that ask at once one runs",
                 "[actors][session_hub][cluster]") {
  open();
  holds = true;
  auto first = ask(limited("1"));
  auto second = ask(limited("1"));
  give();
  give();
  CHECK(http.calls.size() == 1);
  CHECK(second->refused.code == errc::session_busy);
  CHECK(told.back().running == 1); // its place is given back
}

} // namespace session_hub_places_test

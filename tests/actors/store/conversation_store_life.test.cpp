// How a store begins, looks after its database, crashes and ends.
#include <string>
#include <vector>

#include "actors/store/conversation_store_state.hpp"
#include "tests/actors/store/conversation_store_fixture.hpp"

namespace conversation_store_life_test {

using namespace troupe;
using namespace troupe::test;

namespace {

turn_record running_turn() {
  turn_record turn;
  turn.turn_id = "t";
  return turn;
}

} // namespace

TEST_CASE_METHOD(conversation_store_fixture, "a store opens the port as durable as it was told",
                 "[actors][conversation_store]") {
  config.durable = durability::full;
  disk.said = "a damaged file was set aside";
  open();
  CHECK(disk.opened_as == durability::full);
  CHECK(status().path == "memory");
  CHECK(status().notice == "a damaged file was set aside");
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "turns of the last process are closed once, not when the actor "
                 "is restarted",
                 "[actors][conversation_store]") {
  disk.put("old", chat_of({"hi"}), running_turn());
  open();
  CHECK(disk.closes == 1);
  CHECK(status().interrupted_turns == 1);
  CHECK(load("old").last_turn.state == turn_state::interrupted);
  auto going_on = save_of("new", "hi");
  going_on.turn = running_turn();
  send(going_on);
  run();
  crash(*this, store);
  open();
  CHECK(disk.closes == 1);
  CHECK(status().interrupted_turns == 1);
  CHECK(load("new").last_turn.state == turn_state::running);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "turns that cannot be closed yet are closed when writing works",
                 "[actors][conversation_store]") {
  disk.put("old", chat_of({"hi"}), running_turn());
  disk.saving = disk.probing = {errc::store_full, ""};
  open();
  CHECK(status().error.code == errc::store_full);
  CHECK(load("old").last_turn.state == turn_state::interrupted);
  CHECK(disk.at("old").turns.back().state == turn_state::running);
  disk.saving = disk.probing = {};
  advance(one_second);
  CHECK_FALSE(status().error);
  CHECK(disk.at("old").turns.back().state == turn_state::interrupted);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a store that cannot be opened answers why and tries again",
                 "[actors][conversation_store]") {
  disk.opening = {errc::store_failed, "no such folder"};
  open();
  CHECK(load("a").error.message == "no such folder");
  CHECK(save("a").error.message == "no such folder");
  CHECK(ask<setting_list>(store, list_settings{""}).error.message == "no such folder");
  CHECK(ask<failure>(store, setting{"a", "b"}).message == "no such folder");
  ask<atom::done>(store, atom::drain_v);
  advance(one_second);
  CHECK(status().error.code == errc::store_failed);
  disk.opening = {};
  advance(one_second);
  CHECK_FALSE(status().error);
  CHECK_FALSE(save("a").error);
}

// -- upkeep --------------------------------------------------------------------------------------

TEST_CASE_METHOD(conversation_store_fixture, "an idle store tidies up until nothing is left to do",
                 "[actors][conversation_store]") {
  disk.tidy_work = 4;
  open();
  CHECK(disk.tidies == 0);
  advance(one_second);
  CHECK(disk.tidy_work == 0);
  CHECK(disk.tidies == 4);
  advance(10 * one_second);
  CHECK(disk.tidies == 4);
  save("a");
  advance(one_second);
  CHECK(disk.tidies == 5);
}

/// A store that has written something and done the first of `pieces` of upkeep.
class upkeep_world : public conversation_store_fixture {
public:
  void begin(uint64_t pieces) {
    open();
    advance(one_second);
    const auto before = disk.tidies;
    disk.tidy_work = pieces;
    save("a");
    advance(one_second);
    CHECK(disk.tidies == before + 1);
  }
};

TEST_CASE_METHOD(upkeep_world, "upkeep pauses between its pieces while there are writes",
                 "[actors][conversation_store]") {
  begin(6);
  save("a");
  advance(14ms);
  CHECK(disk.tidy_work == 5);
  advance(1ms);
  CHECK(disk.tidy_work == 4);
  advance(15ms); // nothing was written
  CHECK(disk.tidy_work == 0);
}

TEST_CASE_METHOD(upkeep_world, "upkeep pauses four times as long as its last piece took",
                 "[actors][conversation_store]") {
  disk.at_tidy = [this] { sched().clock().current_time += 30ms; };
  begin(3);
  advance(119ms);
  CHECK(disk.tidy_work == 2);
  advance(1ms);
  CHECK(disk.tidy_work == 0); // nothing was written
}

TEST_CASE_METHOD(conversation_store_fixture, "upkeep comes every second however much is written",
                 "[actors][conversation_store]") {
  open();
  advance(one_second);
  auto before = disk.tidies;
  save("a");
  for (uint64_t second = 1; second <= 3; ++second) {
    sched().advance_time(one_second); // the tick is in the mailbox...
    send(save_of("a", "more"));       // ...and something to write behind it
    run();
    CHECK(disk.tidies == before + second);
  }
}

TEST_CASE_METHOD(conversation_store_fixture, "upkeep that fails is tried again and stops nothing",
                 "[actors][conversation_store]") {
  disk.tidying = {errc::store_locked, ""};
  open();
  advance(one_second);
  CHECK(disk.tidies == 1);
  CHECK_FALSE(status().error);
  CHECK_FALSE(save("a").error);
  advance(one_second);
  CHECK(disk.tidies == 2);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a database that is gone is noticed within a second, and when it is back",
                 "[actors][conversation_store]") {
  open();
  save("a");
  disk.moved = {errc::store_failed, "deleted"};
  advance(one_second);
  CHECK(status().error.message == "deleted");
  CHECK(save("a").error.code == errc::store_failed);
  advance(3 * one_second);
  CHECK(status().error);
  disk.moved = {};
  advance(one_second);
  CHECK_FALSE(status().error);
  CHECK_FALSE(save("a").error);
}

// -- it ends -------------------------------------------------------------------------------------

TEST_CASE_METHOD(conversation_store_fixture, "a store that is told to end commits what came before",
                 "[actors][conversation_store]") {
  open();
  send(save_of("a", "hi"));
  crash(*this, store, caf::exit_reason::user_shutdown);
  CHECK(disk.at("a").messages.size() == 1);
  CHECK(answers.size() == 1);
  CHECK(disk.connections == 0);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a store that crashes keeps nothing of its transaction and says so",
                 "[actors][conversation_store]") {
  open();
  disk.thrower = "b";
  for (const auto* each : {"a", "b", "c"})
    send(save_of(each, "hi"));
  run();
  CHECK(errors() == std::vector<errc>{errc::store_failed, errc::store_failed});
  CHECK(ends->size() == 1);
  CHECK(disk.connections == 0);
  CHECK(disk.at("a").messages.empty());
  open();
  CHECK_FALSE(save("a").error);
}

TEST_CASE_METHOD(conversation_store_fixture, "a store with a thread of its own writes and ends",
                 "[actors][conversation_store]") {
  config.detached = true;
  config.turns = std::make_shared<running_turn_count>(1000);
  open();
  const auto asked = std::chrono::steady_clock::now();
  CHECK_FALSE(ask<failure>(store, setting{"a", "1"}));
  CHECK(std::chrono::steady_clock::now() - asked >= 1000 * commit_delay::for_each_turn);
  ask<atom::done>(store, atom::drain_v);
  CHECK(disk.data.settings.at("a") == "1");
  crash(*this, parents.back());
  parents.pop_back();
  self->wait_for(store);
  CHECK(disk.connections == 0);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "while a thousand turns run, a store waits for more to write before it keeps "
                 "others from writing",
                 "[actors][conversation_store]") {
  std::vector<std::string> done;
  disk.at_begin = [&] { done.push_back("begin"); };
  config.turns = std::make_shared<running_turn_count>(1000);
  config.wait = [&](auto time) {
    CHECK(time == 1000 * commit_delay::for_each_turn);
    done.push_back("wait");
    send(save_of("b", "hi"));
    send(save_of("c", "hi"));
  };
  open();
  done.clear();
  save("a");
  CHECK(done == std::vector<std::string>{"wait", "begin"});
  CHECK(disk.commits.back() == std::vector<std::string>{"a", "b", "c"});
  CHECK(answers.size() == 3);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a store that takes more than one commit waits no more",
                 "[actors][conversation_store]") {
  std::vector<std::chrono::microseconds> waits;
  config.max_saves = 1;
  config.turns = std::make_shared<running_turn_count>(5000);
  config.wait = [&](auto time) { waits.push_back(time); };
  open();
  for (const auto* each : {"a", "b", "c"})
    send(save_of(each, "hi"));
  run();
  CHECK(waits == std::vector<std::chrono::microseconds>{commit_delay::longest, 0us, 0us});
  save("d"); // all that was there has been taken up
  CHECK(waits.back() == commit_delay::longest);
}

} // namespace conversation_store_life_test

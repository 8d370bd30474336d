// Chats that are read beside the writes of the store.
#include "tests/actors/store/conversation_store_fixture.hpp"

namespace conversation_loader_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using ids = std::vector<std::string>;

/// A store that has chats whose loads have three pieces.
class loads_world : public conversation_store_fixture {
public:
  loads_world() {
    for (const auto* each : {"a", "b", "c"})
      disk.put(each, chat_of({each, "more"}));
    disk.readings = 3;
    open();
    advance(one_second);
  }

  void ask_for(const std::string& id, uint64_t as) { send(load_chat{id, {}, as}); }

  ids loaded() const {
    ids out;
    for (const auto& each : records)
      out.push_back(each.session_id);
    return out;
  }
};

} // namespace

TEST_CASE_METHOD(loads_world, "a chat is read beside the store, and answered with its number",
                 "[actors][conversation_loader]") {
  ask_for("a", 7);
  run();
  REQUIRE(records.size() == 1);
  CHECK_FALSE(records[0].error);
  CHECK(records[0].number == 7);
  CHECK(records[0].version == 1);
  CHECK(records[0].history == chat_of({"a", "more"}));
  CHECK(disk.read == ids{"a", "a", "a"});
  CHECK(disk.loads == 0);
}

TEST_CASE_METHOD(loads_world, "a chat that is not there is begun by the store itself",
                 "[actors][conversation_loader]") {
  load_chat ask{"new", save_of("new", "hi"), 8};
  ask.first.turn.turn_id = "t";
  send(std::move(ask));
  run();
  REQUIRE(records.size() == 1);
  CHECK(records[0].version == 1);
  CHECK(records[0].kept_turn == "t");
  CHECK(disk.read.empty());
}

TEST_CASE_METHOD(loads_world, "a chat that is there is not begun once more",
                 "[actors][conversation_loader]") {
  load_chat ask{"a", save_of("a", "hi"), 9};
  send(std::move(ask));
  run();
  REQUIRE(records.size() == 1);
  CHECK(records[0].kept_turn.empty());
  CHECK(records[0].history.size() == 2);
  CHECK(disk.saves == 0);
}

TEST_CASE_METHOD(loads_world, "a chat is read with all saves that came before",
                 "[actors][conversation_loader]") {
  auto more = save_of("a", "third");
  more.keep = 2;
  send(std::move(more));
  send(save_of("b", "other"));
  ask_for("a", 1);
  run();
  REQUIRE(records.size() == 1);
  CHECK(records[0].history == chat_of({"a", "more", "third"}));
}

TEST_CASE_METHOD(loads_world, "chats take turns with their pieces",
                 "[actors][conversation_loader]") {
  for (const auto* each : {"a", "b", "c"})
    ask_for(each, 1);
  run();
  CHECK(loaded() == ids{"a", "b", "c"});
  CHECK(disk.read == ids{"a", "b", "c", "a", "b", "c", "a", "b", "c"});
}

TEST_CASE_METHOD(loads_world, "any number of chats comes to its end, eight at once",
                 "[actors][conversation_loader]") {
  for (int i = 0; i < 20; ++i) {
    disk.put(std::to_string(i), chat_of({"hi"}));
    ask_for(std::to_string(i), 1);
  }
  run();
  CHECK(records.size() == 20);
  CHECK(disk.read.size() == 60);
  const auto ninth = std::find(disk.read.begin(), disk.read.end(), "8");
  CHECK(ninth - disk.read.begin() == 8 + 8 + 1); // when the first one has had its third piece
}

TEST_CASE_METHOD(loads_world, "a chat that cannot be read is answered with the reason",
                 "[actors][conversation_loader]") {
  disk.loading = {errc::store_damaged, "broken"};
  ask_for("a", 3);
  run();
  REQUIRE(records.size() == 1);
  CHECK(records[0].error.code == errc::store_damaged);
  CHECK(records[0].number == 3);
  disk.loading = {};
  CHECK(load("a").version == 1);
}

TEST_CASE_METHOD(loads_world, "a turn that an earlier process left running is interrupted",
                 "[actors][conversation_loader]") {
  turn_record turn;
  turn.turn_id = "t";
  disk.put("cut", chat_of({"hi"}), turn);
  config.memory->turns_closed = false;
  CHECK(load("cut").last_turn.state == turn_state::interrupted);
  config.memory->turns_closed = true;
  CHECK(load("cut").last_turn.state == turn_state::running);
}

TEST_CASE_METHOD(loads_world, "a loader that breaks takes the store with it",
                 "[actors][conversation_loader]") {
  disk.thrower = "a";
  ask_for("a", 1);
  ask_for("b", 2);
  run();
  CHECK(ends->size() == 1);
  disk.thrower.clear();
  open();
  CHECK(load("b").version == 1);
}

} // namespace conversation_loader_test

#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_turns_test {

using namespace troupe;
using namespace troupe::test;

namespace {

turn_record turn(const std::string& id, turn_state state) {
  turn_record out;
  out.turn_id = id;
  out.state = state;
  out.started_ms = 1;
  return out;
}

event_batch batch(uint64_t first_seq) {
  return {"s", "t", first_seq, 5, {text_delta{"Hi"}}};
}

} // namespace

TEST_CASE("a turn id that is used again is another turn", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = saving("s", {});
  const auto keep = [&](const char* id, int64_t started) {
    ask.turn = turn(id, turn_state::ended);
    ask.turn.started_ms = started;
    ask.report.turn_id = id;
    ask.report.model = "big";
    save(store, ask);
  };
  keep("t", 1);
  keep("u", 2);
  keep("t", 3);
  keep("t", 3); // its answer was lost, and it is sent again
  CHECK(store.load({"s"}).last_turn.started_ms == 3);
  CHECK(store.used({"", {}, {}}).rows.at(0).turns == 3);
}

TEST_CASE("a turn has none of the events of an earlier one of its id", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = saving("s", {});
  ask.turn = turn("t", turn_state::running);
  ask.turn.resumable = true;
  ask.events = {batch(1), batch(7)};
  save(store, ask);
  ask.turn.started_ms = 2;
  ask.events = {batch(1)};
  save(store, ask);
  CHECK(store.load({"s"}).events.size() == 1);
}

TEST_CASE("a turn that is interrupted makes another version", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  save(store, saving("idle", {}));
  auto ask = saving("s", {});
  ask.turn = turn("t", turn_state::running);
  const auto before = save(store, ask);
  uint64_t interrupted = 0;
  REQUIRE_FALSE(store.close_running_turns(interrupted));
  CHECK(interrupted == 1);
  CHECK(store.get({"s"}).found.info.version == before + 1);
  CHECK(store.get({"idle"}).found.info.version == 1);
}

} // namespace sqlite_turns_test

#include "messages/chat/session_id.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_turns_test {

using namespace troupe;
using namespace troupe::test;

namespace {

turn_record turn(const std::string& id, turn_state state, bool resumable = false) {
  turn_record out;
  out.turn_id = id;
  out.message_id = "m-" + id;
  out.state = state;
  out.model = "model";
  out.resumable = resumable;
  out.started_ms = 1;
  out.ended_ms = state == turn_state::running ? 0 : 1'763'683'200'000; // 2025-11-21
  out.used = {1, 2, 3, 4, 5};
  return out;
}

event_batch batch(uint64_t first_seq) {
  tool_args_complete call{"c", "t", {"{\"a\": 1}"}, true, errc::tool_unknown, "no", {}};
  return {"s",
          "t",
          first_seq,
          5,
          {text_delta{"Hi \"you\""}, mcp_tool_progress{"c", 0.25, 0, ""}, call}};
}

} // namespace

TEST_CASE("turns are kept as they were last written", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto ask = saving("s", {said(role::user, "a")});
  ask.turn = turn("t2", turn_state::running);
  save(store, ask);
  ask.turn = turn("t1", turn_state::running);
  save(store, ask);
  ask.turn = turn("t1", turn_state::failed);
  ask.turn.error = {errc::model_timeout, "too slow"};
  save(store, ask);
  auto turns = tested->open().get({"s"}).found.turns;
  REQUIRE(turns.size() == 2);
  CHECK(turns[0].turn_id == "t2");
  CHECK(to_json(turns[1]) == to_json(ask.turn));
  CHECK(to_json(tested->store->load({"s"}).last_turn) == to_json(ask.turn));
}

TEST_CASE("events of a resumable turn stay until it ends", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto ask = saving("s", {said(role::user, "a")});
  ask.turn = turn("t", turn_state::running, true);
  ask.events = {batch(1)};
  save(store, ask);
  auto more = saving("s", {}, 1); // the turn is as it was
  more.events = {batch(4)};
  save(store, more);
  auto& again = tested->open();
  auto record = again.load({"s"});
  REQUIRE(record.events.size() == 2);
  CHECK(record.events[1].first_seq == 4);
  REQUIRE(record.events[0].events.size() == 3);
  CHECK(std::get<text_delta>(record.events[0].events[0]).text == "Hi \"you\"");
  CHECK(std::get<mcp_tool_progress>(record.events[0].events[1]).progress == 0.25);
  const auto& call = std::get<tool_args_complete>(record.events[0].events[2]);
  CHECK(call.arguments.text == "{\"a\": 1}");
  CHECK(call.error == errc::tool_unknown);
  ask.turn = turn("t", turn_state::ended, true);
  ask.events.clear();
  save(again, ask);
  CHECK(again.load({"s"}).events.empty());
}

TEST_CASE("a turn's events go when the next turn begins", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto ask = saving("s", {said(role::user, "a")});
  ask.turn = turn("t", turn_state::running, true);
  ask.events = {batch(1)};
  save(store, ask);
  ask.turn = turn("u", turn_state::running, true);
  ask.events.clear();
  save(store, ask);
  CHECK(store.load({"s"}).last_turn.turn_id == "u");
  CHECK(store.load({"s"}).events.empty());
}

TEST_CASE("only running turns are interrupted, once, with a new version of their chat",
          "[transport][store_contract]") {
  TROUPE_EACH_OF(kinds_of_one_node());
  save(store, saving("idle", {}));
  auto ask = saving("s", {});
  for (auto state : {turn_state::ended, turn_state::aborted, turn_state::running}) {
    ask.turn = turn("t-" + to_string(state), state, true);
    save(store, ask);
  }
  uint64_t interrupted = 9;
  auto& next = tested->open();
  REQUIRE_FALSE(next.close_running_turns(interrupted));
  CHECK(interrupted == 1);
  const auto record = next.load({"s"});
  CHECK(record.last_turn.state == turn_state::interrupted);
  CHECK(record.last_turn.error.code == errc::server_restarted);
  CHECK(record.version == 4);
  CHECK(next.get({"idle"}).found.info.version == 1);
  REQUIRE_FALSE(next.close_running_turns(interrupted));
  CHECK(interrupted == 0);
}

TEST_CASE("a turn id that is used again is another turn", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
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

TEST_CASE("a turn has none of the events of an earlier one of its id",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto ask = saving("s", {});
  ask.turn = turn("t", turn_state::running, true);
  ask.events = {batch(1), batch(7)};
  save(store, ask);
  ask.turn.started_ms = 2;
  ask.events = {batch(1)};
  save(store, ask);
  CHECK(store.load({"s"}).events.size() == 1);
}

TEST_CASE("what turns used is summed by day and model, and counted once",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto ask = saving(scoped_id("eve", "s"), {});
  ask.turn = turn("t", turn_state::ended);
  ask.report.turn_id = "t";
  ask.report.model = "big";
  ask.report.requests.resize(3);
  for (auto& request : ask.report.requests) {
    request.model = "big";
    request.used = {1, 2, 3, 4, 5};
  }
  ask.report.requests[2].model = "small";
  save(store, ask);
  save(store, ask); // its answer was lost, and it is sent again
  ask.turn.turn_id = ask.report.turn_id = "u";
  ask.report.requests.clear();
  save(store, ask);
  auto& again = tested->open();
  auto rows = again.used({"eve", {}, {}}).rows;
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].model == "big");
  CHECK(rows[0].turns == 2);
  CHECK(rows[0].requests == 2);
  CHECK(to_json(rows[0].used) == to_json(usage{2, 4, 6, 8, 10}));
  CHECK(rows[1].requests == 1);
  const auto day = rows[0].day;
  CHECK(again.used({"eve", "2999-01-01", {}}).rows.empty());
  CHECK(again.used({"eve", {}, "2025-11-20"}).rows.empty());
  CHECK(again.used({"eve", day, day}).rows.size() == 2);
  CHECK(again.used({"adam", {}, {}}).rows.empty());
}

TEST_CASE("a turn counts on the day on which it ended", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto ask = saving("s", {});
  ask.turn = turn("t", turn_state::ended);
  ask.report.turn_id = "t";
  ask.report.model = "big";
  save(store, ask);
  CHECK(store.used({}).rows.at(0).day == "2025-11-21");
}

} // namespace contract_turns_test

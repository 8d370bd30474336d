#include <algorithm>
#include <map>
#include <random>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_saves_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using texts = std::vector<std::string>;

chat_message everything() {
  chat_message out = said(role::assistant, std::string{"a \"b\"\n\0 \xC3\xA9", 10}, "m1");
  out.reasoning = "because";
  out.tool_calls = {{"c1", "look", R"({"a":1})", R"({"google":{"x":"y"}})"},
                    {"c2", "see", "{}", {}}};
  out.tool_call_id = "c0";
  out.extras = {{"", "name", "uri", "server", "content", "text/plain"}, {}};
  out.files = {{"image/png", "data:image/png;base64,AAAA", "a.png"}};
  out.provider_metadata = R"({"anthropic":{"signature":"s"}})";
  out.tool_calls[1].client_side = true;
  out.shown = {make_shown("step"), {"text", 1, 2, R"({"state":"streaming"})"}};
  return out;
}

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

TEST_CASE("a chat that was never saved is new", "[transport][sqlite]") {
  data_folder folder;
  auto record = folder.open().load({"s"});
  CHECK_FALSE(record.error);
  CHECK(record.session_id == "s");
  CHECK(record.version == 0);
  CHECK(record.history.empty());
  CHECK(record.last_turn.turn_id.empty());
}

TEST_CASE("a save that begins a chat replaces none", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto first = saving("s", {said(role::user, "Hello")});
  first.creates = true;
  save(store, first);
  auto refused = store.save(first);
  CHECK(refused.error.code == errc::conversation_changed);
  CHECK(refused.error.text() == "the chat was imported or branched meanwhile");
  CHECK(store.load({"s"}).history.size() == 1);
}

TEST_CASE("a save that begins a chat may be sent again", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto first = saving("s", {said(role::user, "Hello")});
  first.creates = true;
  first.turn.turn_id = "t1";
  first.turn.started_ms = 5;
  save(store, first);
  first.more.push_back(said(role::assistant, "Hi"));
  CHECK(save(store, first) == 2);
  CHECK(store.load({"s"}).history.size() == 2);
  SECTION("but not when another turn has come since") {
    auto other = saving("s", {said(role::user, "Other")}, 2);
    other.turn.turn_id = "t2";
    save(store, other);
    CHECK(store.save(first).error.code == errc::conversation_changed);
  }
}

TEST_CASE("a message comes back with all it had", "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("s", {said(role::user, "Hello"), everything(), {}}));
  auto record = folder.open().load({"s"});
  REQUIRE(record.history.size() == 3);
  CHECK(record.history[0] == said(role::user, "Hello"));
  CHECK(record.history[1] == everything());
  CHECK(record.history[2] == chat_message{});
}

TEST_CASE("a save cuts and appends, and each is a version", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto user = [](const char* text) { return said(role::user, text); };
  CHECK(save(store, saving("s", {user("a"), user("b")})) == 1);
  CHECK(save(store, saving("s", {user("c")}, 2)) == 2);
  CHECK(save(store, saving("s", {user("d")}, 1)) == 3);
  CHECK(texts_of(store.load({"s"}).history) == texts{"a", "d"});
  CHECK(store.get({"s"}).found.info.messages == 2);
}

TEST_CASE("a save that keeps more than there is is refused and writes nothing",
          "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  CHECK(store.save(saving("s", {said(role::user, "a")}, 1)).error.code ==
        errc::conversation_changed);
  CHECK(store.load({"s"}).version == 0);
}

TEST_CASE("a save for another version is refused", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = saving("s", {said(role::user, "a")});
  ask.if_version = 1;
  CHECK(store.save(ask).error.code == errc::conversation_changed);
  ask.if_version = 0;
  save(store, ask);
  ask.if_version = 2;
  CHECK(store.save(ask).error.code == errc::conversation_changed);
  ask.if_version = 1;
  CHECK(save(store, ask) == 2);
}

TEST_CASE("a refused save leaves the others of its transaction alone", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  REQUIRE_FALSE(store.begin());
  save(store, saving("s", {said(role::user, "a")}));
  CHECK(store.save(saving("s", {}, 7)).error.code == errc::conversation_changed);
  save(store, saving("t", {said(role::user, "b")}));
  REQUIRE_FALSE(store.commit());
  CHECK(store.load({"s"}).version == 1);
  CHECK(store.load({"t"}).version == 1);
}

TEST_CASE("a transaction that is rolled back was never there", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  REQUIRE_FALSE(store.begin());
  save(store, saving("s", {said(role::user, "a")}));
  CHECK(store.load({"s"}).version == 1);
  CHECK(folder.another()->load({"s"}).version == 0);
  store.roll_back();
  CHECK(store.load({"s"}).version == 0);
}

TEST_CASE("a conversation is called what its user said first", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto title = [&](const char* id) { return store.get({id}).found.info.title; };
  save(store, saving("a", {said(role::assistant, "Hi"), said(role::user, "  two\n\t lines ")}));
  CHECK(title("a") == "two lines");
  save(store, saving("a", {said(role::user, "later")}, 2));
  CHECK(title("a") == "two lines");
  std::string long_text;
  for (int i = 0; i < 100; ++i)
    long_text += "\xC3\xA9";
  save(store, saving("b", {said(role::user, long_text)}));
  CHECK(title("b") == long_text.substr(0, 160));
}

TEST_CASE("turns are kept as they were last written", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = saving("s", {said(role::user, "a")});
  ask.turn = turn("t2", turn_state::running);
  save(store, ask);
  ask.turn = turn("t1", turn_state::running);
  save(store, ask);
  ask.turn = turn("t1", turn_state::failed);
  ask.turn.error = {errc::model_timeout, "too slow"};
  save(store, ask);
  auto turns = store.get({"s"}).found.turns;
  REQUIRE(turns.size() == 2);
  CHECK(turns[0].turn_id == "t2");
  CHECK(to_json(turns[1]) == to_json(ask.turn));
  CHECK(to_json(store.load({"s"}).last_turn) == to_json(ask.turn));
}

TEST_CASE("events of a resumable turn stay until it ends", "[transport][sqlite]") {
  data_folder folder;
  auto ask = saving("s", {said(role::user, "a")});
  ask.turn = turn("t", turn_state::running, true);
  ask.events = {batch(1)};
  save(folder.open(), ask);
  auto more = saving("s", {}, 1); // the turn is as it was
  more.events = {batch(4)};
  save(*folder.store, more);
  uint64_t interrupted = 0;
  auto& store = folder.open();
  REQUIRE_FALSE(store.close_running_turns(interrupted));
  CHECK(interrupted == 1);
  auto record = store.load({"s"});
  CHECK(record.last_turn.state == turn_state::interrupted);
  CHECK(record.last_turn.error.code == errc::server_restarted);
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
  save(store, ask);
  CHECK(store.load({"s"}).events.empty());
  CHECK(folder.sql("SELECT count(*) FROM events") == "0");
}

TEST_CASE("a turn's events go when the next turn begins", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = saving("s", {said(role::user, "a")});
  ask.turn = turn("t", turn_state::running, true);
  ask.events = {batch(1)};
  save(store, ask);
  ask.turn = turn("u", turn_state::running);
  ask.events.clear();
  save(store, ask);
  CHECK(folder.sql("SELECT count(*) FROM events") == "0");
}

TEST_CASE("only running turns are interrupted, once", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto ask = saving("s", {});
  for (auto state : {turn_state::running, turn_state::ended, turn_state::aborted}) {
    ask.turn = turn("t-" + to_string(state), state);
    save(store, ask);
  }
  uint64_t interrupted = 9;
  REQUIRE_FALSE(store.close_running_turns(interrupted));
  CHECK(interrupted == 1);
  REQUIRE_FALSE(store.close_running_turns(interrupted));
  CHECK(interrupted == 0);
}

TEST_CASE("what turns used is summed by day and model, and counted once", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
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
  auto rows = store.used({"eve", {}, {}}).rows;
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].day == "2025-11-21");
  CHECK(rows[0].model == "big");
  CHECK(rows[0].turns == 2);
  CHECK(rows[0].requests == 2);
  CHECK(to_json(rows[0].used) == to_json(usage{2, 4, 6, 8, 10}));
  CHECK(rows[1].requests == 1);
  CHECK(store.used({"eve", "2025-11-22", {}}).rows.empty());
  CHECK(store.used({"eve", {}, "2025-11-20"}).rows.empty());
  CHECK(store.used({"eve", "2025-11-21", "2025-11-21"}).rows.size() == 2);
  CHECK(store.used({"adam", {}, {}}).rows.empty());
}

TEST_CASE("any order of saves leaves what a model in memory has", "[transport][sqlite][property]") {
  data_folder folder;
  std::mt19937 random{7};
  auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
  std::map<std::string, std::vector<chat_message>> model;
  std::map<std::string, uint64_t> versions;
  folder.open();
  for (int round = 0; round < 400; ++round) {
    auto chat = scoped_id(below(2) == 0 ? "" : "eve", std::to_string(below(6)));
    auto& history = model[chat];
    auto ask = saving(chat, {}, below(history.size() + 1));
    for (size_t more = below(4); more > 0; --more)
      ask.more.push_back(below(3) == 0 ? everything() : said(role::user, std::to_string(random())));
    history.resize(ask.keep);
    history.insert(history.end(), ask.more.begin(), ask.more.end());
    CHECK(save(*folder.store, ask) == ++versions[chat]);
    bool more = false;
    if (below(4) == 0)
      CHECK_FALSE(folder.store->tidy(more));
    if (below(20) == 0)
      folder.open();
  }
  for (const auto& [chat, history] : model) {
    CHECK(folder.store->load({chat}).history == history);
    CHECK(folder.store->load({chat}).version == versions[chat]);
  }
  for (bool more = true; more;)
    REQUIRE_FALSE(folder.store->tidy(more));
  CHECK(folder.sql("PRAGMA integrity_check") == "ok");
  folder.sql("INSERT INTO search(search, rank) VALUES('integrity-check', 1)");
}

} // namespace sqlite_saves_test

#include "messages/chat/session_id.hpp"
#include "tests/transport/store/change_asks.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_changes_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a conversation is renamed", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_chat(store, "s");
  auto ask = changing("s", conversation_verb::rename);
  ask.title = "new name";
  auto answer = store.change(ask);
  REQUIRE_FALSE(answer.error);
  CHECK(answer.info.title == "new name");
  CHECK(answer.info.version == 3);
  CHECK(to_json(store.get({"s"}).found.info) == to_json(answer.info));
}

TEST_CASE("a chat's overrides come with it", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_chat(store, "s");
  auto ask = changing("s", conversation_verb::override);
  ask.overrides = {"big", true, {"files", "web"}};
  REQUIRE_FALSE(store.change(ask).error);
  CHECK(to_json(store.load({"s"}).overrides) == to_json(ask.overrides));
  CHECK(to_json(store.get({"s"}).found.overrides) == to_json(ask.overrides));
  ask.overrides = {};
  REQUIRE_FALSE(store.change(ask).error);
  CHECK(to_json(store.load({"s"}).overrides) == to_json(chat_overrides{}));
}

TEST_CASE("a change is refused for what is not there, or is another version",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_chat(store, scoped_id("eve", "s"));
  for (auto verb : {conversation_verb::rename, conversation_verb::remove,
                    conversation_verb::override, conversation_verb::branch}) {
    auto ask = changing("s", verb);
    CHECK(store.change(ask).error.code == errc::conversation_unknown);
    ask.session_id = scoped_id("eve", "s");
    ask.if_version = 1;
    CHECK(store.change(ask).error.code == errc::conversation_changed);
  }
  CHECK(store.get({scoped_id("eve", "s")}).found.info.version == 2);
}

TEST_CASE("a conversation is removed with all it has", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_chat(store, "s");
  keep_chat(store, "t");
  auto answer = store.change(changing("s", conversation_verb::remove));
  REQUIRE_FALSE(answer.error);
  CHECK(answer.info.version == 0);
  CHECK(store.get({"s"}).error.code == errc::conversation_unknown);
  CHECK(store.load({"t"}).history.size() == 5);
  CHECK(store.load({"s"}).version == 0);
}

TEST_CASE("a branch has what came up to its message", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_chat(store, "s");
  auto ask = changing("s", conversation_verb::branch);
  ask.to = "b";
  ask.message_id = "a1";
  auto answer = store.change(ask);
  REQUIRE_FALSE(answer.error);
  CHECK(answer.info.id == "b");
  CHECK(answer.info.messages == 4);
  CHECK(answer.info.title == "question");
  CHECK(texts_of(store.load({"b"}).history) ==
        std::vector<std::string>{"question", "", "result", "answer"});
  auto turns = store.get({"b"}).found.turns;
  REQUIRE(turns.size() == 1);
  CHECK(turns[0].turn_id == "t1");
  CHECK(answer.info.version == 3);
  CHECK(store.load({"s"}).history.size() == 5);
  CHECK(store.search({"", "answer", 20, {}}).hits.size() == 2);
  CHECK(store.change(ask).error.code == errc::conversation_exists);
}

TEST_CASE("a branch can have everything and a name of its own", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_chat(store, "s");
  auto ask = changing("s", conversation_verb::branch);
  ask.to = "b";
  ask.title = "copy";
  REQUIRE_FALSE(store.change(ask).error);
  CHECK(store.load({"b"}).history == store.load({"s"}).history);
  CHECK(store.get({"b"}).found.info.title == "copy");
  ask.to = "c";
  ask.message_id = "nope";
  CHECK(store.change(ask).error.code == errc::request_invalid);
  ask.message_id = {};
  ask.to = scoped_id("eve", "c");
  CHECK(store.change(ask).error.code == errc::request_invalid);
  CHECK(store.load({"c"}).version == 0);
}

TEST_CASE("what is exported can be imported, with its ids and times",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_chat(store, "s");
  auto exported = store.get({"s"}).found;
  auto ask = changing(scoped_id("eve", "i"), conversation_verb::import);
  ask.content = exported;
  REQUIRE_FALSE(store.change(ask).error);
  auto imported = store.get({ask.session_id}).found;
  CHECK(to_json(imported.messages) == to_json(exported.messages));
  CHECK(imported.info.created_ms == exported.info.created_ms);
  CHECK(imported.info.updated_ms == exported.info.updated_ms);
  CHECK(imported.info.title == exported.info.title);
  REQUIRE(imported.turns.size() == 2);
  CHECK(to_json(imported.turns[0]) == to_json(exported.turns[0]));
  CHECK(imported.turns[1].state == turn_state::interrupted);
  CHECK(store.search({"eve", "answer", 20, {}}).hits.size() == 1);
  CHECK(store.change(ask).error.code == errc::conversation_exists);
  auto next = saving(ask.session_id, {}, 5);
  next.turn.turn_id = "t3";
  save(store, next);
  CHECK(store.load({ask.session_id}).last_turn.turn_id == "t3");
}

TEST_CASE("nothing that is imported waits for an approval", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto ask = changing("i", conversation_verb::import);
  auto& message = ask.content.messages.emplace_back().message;
  message.who = role::assistant;
  message.tool_calls = {{"c1", "send", "{}", {}, {"appr_1", "mail", "send", 0}}};
  REQUIRE_FALSE(store.change(ask).error);
  const auto kept = store.load({"i"}).history;
  CHECK(kept.at(0).tool_calls.at(0) == tool_call{"c1", "send", "{}"});
}

TEST_CASE("an import without times and title gets them", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto ask = changing("i", conversation_verb::import);
  ask.content.messages.resize(3000, {said(role::user, "same time"), 0});
  REQUIRE_FALSE(store.change(ask).error);
  auto info = store.get({"i"}).found.info;
  CHECK(info.title == "same time");
  CHECK(info.created_ms > 1'600'000'000'000);
  CHECK(info.messages == 3000);
  for (bool more = true; more;)
    REQUIRE_FALSE(store.tidy(more));
}

TEST_CASE("a turn of a branch comes after those it was made with", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  for (int i = 0; i < 9; ++i)
    save(store, saving("s", {}));
  auto turn = saving("s", {said(role::assistant, "answer", "a1")});
  turn.turn.turn_id = "old";
  turn.turn.message_id = "a1";
  turn.turn.state = turn_state::ended;
  save(store, turn);
  auto ask = changing("s", conversation_verb::branch);
  ask.to = "b";
  REQUIRE_FALSE(store.change(ask).error);
  turn = saving("b", {}, 1);
  turn.turn.turn_id = "new";
  save(store, turn);
  CHECK(store.load({"b"}).last_turn.turn_id == "new");
}

TEST_CASE("what an import says of times to come is now", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  auto ask = changing(scoped_id("eve", "i"), conversation_verb::import);
  ask.content.info.created_ms = INT64_MAX;
  ask.content.info.updated_ms = INT64_MAX;
  ask.content.messages.resize(40, {said(role::user, "secret"), INT64_MAX});
  ask.content.messages[0].created_ms = INT64_MIN;
  REQUIRE_FALSE(store.change(ask).error);
  save(store, saving(scoped_id("adam", "s"), {said(role::user, "other")}));
  CHECK(store.search({"adam", "secret", 50, {}}).hits.empty());
  auto hits = store.search({"eve", "secret", 50, {}}).hits;
  REQUIRE(hits.size() == 40);
  CHECK(hits[0].created_ms <= store_time());
  CHECK(hits[39].created_ms > 0);
  auto info = store.get({ask.session_id}).found.info;
  CHECK(info.created_ms <= store_time());
  CHECK(info.updated_ms <= store_time());
}

} // namespace contract_changes_test

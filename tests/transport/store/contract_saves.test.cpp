#include <map>
#include <random>

#include "messages/chat/session_id.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_saves_test {

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

} // namespace

TEST_CASE("a chat that was never saved is new", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto record = store.load({"s"});
  CHECK_FALSE(record.error);
  CHECK(record.session_id == "s");
  CHECK(record.version == 0);
  CHECK(record.history.empty());
  CHECK(record.last_turn.turn_id.empty());
  CHECK(record.claim == claim_state::none);
}

TEST_CASE("a save that begins a chat replaces none", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto first = saving("s", {said(role::user, "Hello")});
  first.creates = true;
  save(store, first);
  CHECK(store.save(first).error.code == errc::conversation_changed);
  CHECK(store.load({"s"}).history.size() == 1);
}

TEST_CASE("a save that begins a chat may be sent again", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
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

TEST_CASE("a message comes back with all it had", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  save(store, saving("s", {said(role::user, "Hello"), everything(), {}}));
  auto record = tested->open().load({"s"});
  REQUIRE(record.history.size() == 3);
  CHECK(record.history[0] == said(role::user, "Hello"));
  CHECK(record.history[1] == everything());
  CHECK(record.history[2] == chat_message{});
}

TEST_CASE("a save cuts and appends, and each is a version", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto user = [](const char* text) { return said(role::user, text); };
  CHECK(save(store, saving("s", {user("a"), user("b")})) == 1);
  CHECK(save(store, saving("s", {user("c")}, 2)) == 2);
  CHECK(save(store, saving("s", {user("d")}, 1)) == 3);
  CHECK(texts_of(store.load({"s"}).history) == texts{"a", "d"});
  CHECK(store.get({"s"}).found.info.messages == 2);
}

TEST_CASE("a save that keeps more than there is is refused and writes nothing",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  const auto ask = saving("s", {said(role::user, "a")}, 1);
  CHECK(store.save(ask).error.code == errc::conversation_changed);
  CHECK(store.load({"s"}).version == 0);
}

TEST_CASE("a save for another version is refused", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
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

TEST_CASE("a refused save leaves the others of its transaction alone",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  REQUIRE_FALSE(store.begin());
  save(store, saving("s", {said(role::user, "a")}));
  CHECK(store.save(saving("s", {}, 7)).error.code == errc::conversation_changed);
  save(store, saving("t", {said(role::user, "b")}));
  REQUIRE_FALSE(store.commit());
  CHECK(store.load({"s"}).version == 1);
  CHECK(store.load({"t"}).version == 1);
}

TEST_CASE("a transaction that is rolled back was never there", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  REQUIRE_FALSE(store.begin());
  save(store, saving("s", {said(role::user, "a")}));
  CHECK(store.load({"s"}).version == 1);
  CHECK(tested->another()->load({"s"}).version == 0);
  store.roll_back();
  CHECK(store.load({"s"}).version == 0);
}

TEST_CASE("saves that come together are answered each for itself", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  save(store, saving("b", {}));
  auto first = saving("a", {said(role::user, "one")});
  auto refused = saving("b", {said(role::user, "two")});
  auto last = saving("c", {said(role::user, "three"), said(role::assistant, "four")});
  first.number = 7;
  refused.if_version = 9;
  std::vector<save_answer> answers;
  const bool alone = store.gathers(); // is a transaction of its own
  if (!alone)
    REQUIRE_FALSE(store.begin());
  REQUIRE_FALSE(store.save_all({&first, &refused, &last}, answers));
  if (!alone)
    REQUIRE_FALSE(store.commit());
  REQUIRE(answers.size() == 3);
  CHECK(answers[0].session_id == "a");
  CHECK(answers[0].number == 7);
  CHECK(answers[0].version == 1);
  CHECK(answers[1].error.code == errc::conversation_changed);
  CHECK_FALSE(answers[2].error);
  auto& again = tested->open();
  CHECK(texts_of(again.load({"a"}).history) == texts{"one"});
  CHECK(again.load({"b"}).history.empty());
  CHECK(texts_of(again.load({"c"}).history) == texts{"three", "four"});
}

TEST_CASE("a conversation is called what its user said first", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
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

TEST_CASE("any order of saves leaves what a model in memory has",
          "[transport][store_contract][property]") {
  TROUPE_EACH_STORE;
  std::mt19937 random{7};
  auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
  std::map<std::string, std::vector<chat_message>> model;
  std::map<std::string, uint64_t> versions;
  for (int round = 0; round < 400; ++round) {
    auto chat = scoped_id(below(2) == 0 ? "" : "eve", std::to_string(below(6)));
    auto& history = model[chat];
    auto ask = saving(chat, {}, below(history.size() + 1));
    for (size_t more = below(4); more > 0; --more)
      ask.more.push_back(below(3) == 0 ? everything() : said(role::user, std::to_string(random())));
    history.resize(ask.keep);
    history.insert(history.end(), ask.more.begin(), ask.more.end());
    CHECK(save(*tested->store, ask) == ++versions[chat]);
    bool more = false;
    if (below(4) == 0)
      CHECK_FALSE(tested->store->tidy(more));
    if (below(20) == 0)
      tested->open();
  }
  for (const auto& [chat, history] : model) {
    CHECK(tested->store->load({chat}).history == history);
    CHECK(tested->store->load({chat}).version == versions[chat]);
  }
}

} // namespace contract_saves_test

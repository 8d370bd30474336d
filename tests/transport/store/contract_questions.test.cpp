#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "tests/transport/store/search_asks.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_questions_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using ids = std::vector<std::string>;

ids ids_of(const conversation_page& page) {
  ids out;
  for (const auto& each : page.conversations)
    out.push_back(each.id);
  return out;
}

} // namespace

TEST_CASE("conversations are listed newest change first, page by page",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  for (const char* id : {"a", "b", "c", "d"})
    save(store, saving(id, {said(role::user, id)}));
  save(store, saving("b", {}, 1));
  auto page = store.list({"", 3, {}});
  CHECK(ids_of(page) == ids{"b", "d", "c"});
  CHECK(page.conversations[0].version == 2);
  CHECK(page.conversations[0].title == "b");
  CHECK(page.conversations[0].updated_ms > page.conversations[0].created_ms);
  page = store.list({"", 3, page.next});
  CHECK(ids_of(page) == ids{"a"});
  CHECK(page.next.empty());
  CHECK(store.list({"", 4, {}}).next.empty());
}

TEST_CASE("conversations that changed at the same time are listed once each",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  for (int i = 0; i < 5; ++i) {
    store_time() = 1'800'000'000'000;
    save(store, saving(std::to_string(i), {}));
  }
  ids all;
  std::string cursor;
  do {
    auto page = store.list({"", 2, cursor});
    auto some = ids_of(page);
    all.insert(all.end(), some.begin(), some.end());
    cursor = page.next;
  } while (!cursor.empty());
  CHECK(all == ids{"4", "3", "2", "1", "0"});
}

TEST_CASE("a cursor that is none is refused", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  save(store, saving("a", {said(role::user, "word")}));
  for (const char* cursor : {"x", "1", "1-", "-", "1-2x", "1 2"}) {
    INFO(cursor);
    CHECK(store.list({"", 3, cursor}).error.code == errc::request_invalid);
  }
  for (const char* cursor : {"x", "-1", "1x", "99999999999999999999"}) {
    INFO(cursor);
    CHECK(store.search({"", "word", 3, cursor}).error.code == errc::request_invalid);
  }
}

TEST_CASE("owners see their own conversations only", "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  keep_text(store, scoped_id("eve", "s"), "secret of eve", "1");
  keep_text(store, scoped_id("adam", "s"), "secret of adam", "2");
  keep_text(store, "s", "secret of nobody", "3");
  CHECK(ids_of(store.list({"eve", 50, {}})) == ids{"s"});
  CHECK(messages_found(store, "secret", "eve") == ids{"s/1"});
  CHECK(messages_found(store, "secret", "adam") == ids{"s/2"});
  CHECK(messages_found(store, "secret") == ids{"s/3"});
  CHECK(messages_found(store, "adam", "eve").empty());
  CHECK(messages_found(store, "secret", "mallory").empty());
  CHECK(store.list({"mallory", 50, {}}).conversations.empty());
  CHECK(texts_of(store.load({scoped_id("eve", "s")}).history) == ids{"secret of eve"});
  CHECK(store.get({scoped_id("mallory", "s")}).error.code == errc::conversation_unknown);
  CHECK(messages_found(store, "o1", "eve").empty()); // the word by which the index knows an owner
}

TEST_CASE("a search finds what was just written, newest first", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  keep_text(store, "a", "the quick fox", "1");
  keep_text(store, "b", "a slow fox", "2");
  keep_text(store, "a", "no animal", "3");
  keep_text(store, "a", "Foxes and a FOX", "4");
  CHECK(messages_found(store, "fox") == ids{"a/4", "b/2", "a/1"});
  auto page = store.search({"", "fox", 2, {}});
  REQUIRE(page.hits.size() == 2);
  CHECK(page.hits[0].snippet == "Foxes and a \x02"
                                "FOX\x03");
  CHECK(page.hits[0].title == "the quick fox");
  CHECK(page.hits[0].who == role::user);
  CHECK(page.hits[0].created_ms > page.hits[1].created_ms);
  page = store.search({"", "fox", 2, page.next});
  REQUIRE(page.hits.size() == 1);
  CHECK(page.hits[0].message_id == "1");
  CHECK(page.next.empty());
}

TEST_CASE("a search knows words, phrases and beginnings, and no other syntax",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  keep_text(store, "a", "alpha beta gamma", "1");
  keep_text(store, "a", "beta alpha OR delta", "2");
  keep_text(store, "a", "r\xC3\xA9sum\xC3\xA9 not near alphabet*", "3");
  CHECK(messages_found(store, "alpha beta") == ids{"a/2", "a/1"});
  CHECK(messages_found(store, "\"alpha beta\"") == ids{"a/1"});
  CHECK(messages_found(store, "alph*") == ids{"a/3", "a/2", "a/1"});
  CHECK(messages_found(store, "gamma OR delta").empty());
  CHECK(messages_found(store, "OR") == ids{"a/2"});
  CHECK(messages_found(store, "resume NOT") == ids{"a/3"});
  CHECK(messages_found(store, "-alpha").size() == 2);
  for (const char* query : {"owner:o1", "\"alpha", "alpha\"beta", "(alpha", "^alpha", "{owner}:o1",
                            "abc\x01*", "NEAR(alpha beta)", "'alpha", "alpha;", "\"\" ()", "*"}) {
    INFO(query);
    CHECK_FALSE(store.search({"", query, 20, {}}).error);
  }
  CHECK(messages_found(store, "...").empty());
  CHECK(messages_found(store, "... gamma") == ids{"a/1"});
}

TEST_CASE("a search without words, or with too many, is refused", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  std::string many;
  for (int i = 0; i < 33; ++i)
    many += "w ";
  for (const auto& query :
       {std::string{}, std::string{" \t"}, std::string{"al*"}, many, std::string(1025, 'a')})
    CHECK(store.search({"", query, 20, {}}).error.code == errc::request_invalid);
}

TEST_CASE("only what users and models wrote is found", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  save(store, saving("a", {said(role::system, "word", "1"), said(role::user, "word", "2"),
                           said(role::assistant, "word", "3"), said(role::tool, "word", "4")}));
  CHECK(messages_found(store, "word") == ids{"a/3", "a/2"});
}

TEST_CASE("what was cut off or removed is not found", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  keep_text(store, "a", "word one", "1");
  keep_text(store, "a", "word two", "2");
  keep_text(store, "b", "word three", "3");
  CHECK(messages_found(store, "word").size() == 3);
  save(store, saving("a", {said(role::user, "word four", "4")}, 1));
  CHECK(messages_found(store, "word") == ids{"a/4", "b/3", "a/1"});
  CHECK(messages_found(store, "two").empty());
  change_conversation ask;
  ask.session_id = "a";
  ask.verb = conversation_verb::remove;
  REQUIRE_FALSE(store.change(ask).error);
  CHECK(messages_found(store, "word") == ids{"b/3"});
}

TEST_CASE("a reader sees what a writer has committed, and searches beside it",
          "[transport][store_contract]") {
  TROUPE_EACH_STORE;
  auto reader = tested->another();
  keep_text(store, "a", "first", "1");
  REQUIRE_FALSE(store.begin());
  save(store, saving("b", {said(role::user, "second", "2")}));
  CHECK(ids_of(reader->list({"", 50, {}})) == ids{"a"});
  REQUIRE_FALSE(store.commit());
  CHECK(messages_found(*reader, "first") == ids{"a/1"});
  CHECK(messages_found(*reader, "second") == ids{"b/2"});
}

TEST_CASE("a beginning finds all its words, few or many", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  const auto size = [&](const std::string& query, const std::string& owner = {}) {
    auto page = store.search({owner, query, 100, {}});
    CHECK_FALSE(page.error);
    return page.hits.size();
  };
  std::vector<chat_message> many;
  for (int i = 0; i < 90; ++i) // below, many words of one text
    many.push_back(said(role::user, "Word" + std::to_string(1000 + i) +
                                        " caf\xC3\xA9"
                                        "teria"));
  std::string words;
  for (int i = 0; i < 600; ++i)
    words += "long" + std::to_string(i) + " ";
  many.push_back(said(role::user, words));
  save(store, saving("a", many));
  for (bool more = true; more;)
    REQUIRE_FALSE(store.tidy(more));
  CHECK(size("word10*") == 90);
  CHECK(size("WORD104* cafe*") == 10);
  CHECK(size("word1042* CAFETERIA") == 1);
  CHECK(size("word1042* ...") == 1);
  CHECK(size("word2*") == 0);
  CHECK(size("word2* cafe*") == 0);
  CHECK(size("long* long5*") == 1);
  CHECK(size("long59* word10*") == 0);
  keep_text(store, scoped_id("eve", "s"), "word1042 of eve", "1");
  CHECK(size("word10*", "eve") == 1);
  CHECK(size("word1042*") == 1);
  CHECK(size("word1042") == 1);
}

TEST_CASE("a chat for which there is no room is not read", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  keep_text(store, "s", std::string(5000, 'x'), "1");
  const auto whole = store.get({"s", 10'000}).found;
  CHECK(whole.messages.size() == 1);
  const auto refused = store.get({"s", 4000});
  CHECK(refused.error.code == errc::too_many_connections);
  CHECK(refused.error.message.find(" 4000 more may wait") != std::string::npos);
  CHECK(refused.found.messages.empty());
  CHECK(refused.found.info.version == whole.info.version);
  CHECK(whole.info.version > 0);
  CHECK(store.get({"nobody", 0}).error.code == errc::conversation_unknown);
}

} // namespace contract_questions_test

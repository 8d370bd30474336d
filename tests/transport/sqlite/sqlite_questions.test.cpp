#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "tests/transport/store/search_asks.hpp"

namespace sqlite_questions_test {

using namespace troupe;
using namespace troupe::test;

namespace {

using ids = std::vector<std::string>;

} // namespace

TEST_CASE("what was cut off or removed has no row in the index", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  keep_text(store, "a", "word one", "1");
  keep_text(store, "a", "word two", "2");
  keep_text(store, "b", "word three", "3");
  CHECK(messages_found(store, "word").size() == 3);
  save(store, saving("a", {said(role::user, "word four", "4")}, 1));
  CHECK(messages_found(store, "word") == ids{"a/4", "b/3", "a/1"});
  change_conversation ask;
  ask.session_id = "a";
  ask.verb = conversation_verb::remove;
  REQUIRE_FALSE(store.change(ask).error);
  CHECK(messages_found(store, "word") == ids{"b/3"});
  CHECK(folder.sql("SELECT count(*) FROM search_rows") == "1");
  folder.sql("INSERT INTO search(search, rank) VALUES('integrity-check', 1)");
}

TEST_CASE("a search beside a writer waits for nothing, and indexes nothing",
          "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto reader = folder.another();
  keep_text(store, "a", "first", "1");
  REQUIRE_FALSE(store.begin());
  save(store, saving("b", {said(role::user, "second", "2")}));
  CHECK(messages_found(*reader, "first").empty());
  REQUIRE_FALSE(store.commit());
  CHECK(messages_found(*reader, "first") == ids{"a/1"});
}

TEST_CASE("a question ends when it takes too long, and others go on", "[transport][sqlite]") {
  data_folder folder;
  std::vector<chat_message> many(3000, said(role::user, "word"));
  save(folder.open(), saving("a", many));
  for (bool more = true; more;)
    REQUIRE_FALSE(folder.store->tidy(more));
  folder.store.reset();
  folder.port.reset();
  failure why;
  folder.port = open_sqlite_store(folder.path, why, {next_store_time, 20, nullptr, 0});
  REQUIRE(folder.port != nullptr);
  auto store = folder.another();
  auto error = store->get({"a"}).error;
  CHECK(error.code == errc::store_timeout);
  CHECK(error.message.find("read a conversation") != std::string::npos);
  CHECK(store->search({"", "word", 100, {}}).error.code == errc::store_timeout);
  CHECK(store->load({"a"}).history.size() == 3000);
  CHECK(save(*store, saving("a", many)) == 2);
}

TEST_CASE("an owner's texts never get places of the next owner", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  store_time() = INT64_MAX / 2; // all of these times have the last place
  save(store, saving(scoped_id("eve", "s"), {said(role::user, "secret")}));
  save(store, saving(scoped_id("eve", "t"), std::vector(40, said(role::user, "secret"))));
  bool more = false;
  CHECK(store.tidy(more).code == errc::store_failed);
  store_time() = 1'700'000'000'000;
  save(store, saving(scoped_id("adam", "s"), {said(role::user, "other")}));
  CHECK(messages_found(store, "secret", "adam").empty());
  CHECK(folder.sql("SELECT count(*) FROM search_rows WHERE id >> 45 <> 1") == "1");
}

} // namespace sqlite_questions_test

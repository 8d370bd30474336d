// What only a store in PostgreSQL does; what every store does is in tests/transport/store.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/transport/postgres/postgres_fixture.hpp"
#include "tests/transport/store/change_asks.hpp"
#include "tests/transport/store/long_chats.hpp"
#include "transport/postgres/connection/postgres_schema.hpp"

namespace postgres_store_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Ends all connections of stores, as an administrator does.
void cut_all(const postgres_folder& folder) {
  folder.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
             "WHERE pid <> pg_backend_pid() AND application_name = 'troupe' "
             "AND datname = current_database()");
}

} // namespace

TEST_CASE("a schema of another program is left alone", "[transport][postgres]") {
  postgres_folder folder;
  folder.sql("CREATE SCHEMA " + folder.schema + "; CREATE TABLE " + folder.schema + ".messages()");
  failure why;
  CHECK(open_postgres_store(shared_postgres().url(), why, folder.options()) == nullptr);
  CHECK(why.code == errc::store_failed);
  CHECK(why.text().find("was made by another program") != std::string::npos);
}

TEST_CASE("a schema of a newer version is left alone", "[transport][postgres]") {
  postgres_folder folder;
  folder.open();
  folder.store.reset();
  folder.port.reset();
  folder.sql("UPDATE about SET version = version + 1");
  failure why;
  CHECK(open_postgres_store(shared_postgres().url(), why, folder.options()) == nullptr);
  CHECK(why.code == errc::store_newer);
}

TEST_CASE("a database serves one server at a time, and keys beside it", "[transport][postgres]") {
  postgres_folder folder;
  folder.open();
  failure why;
  CHECK(open_postgres_store(shared_postgres().url(), why, folder.impatient()) == nullptr);
  CHECK(why.code == errc::store_locked);
  const auto keys = open_postgres_keys(shared_postgres().url(), why, folder.options());
  REQUIRE(keys != nullptr);
  const auto before = folder.store->keys_version();
  api_key key;
  key.id = "k";
  key.owner = "eve";
  REQUIRE_FALSE(keys->open(durability::full, why)->put(key));
  CHECK(folder.store->keys_version() != before);
  CHECK(folder.store->keys({}).keys.size() == 1);
}

TEST_CASE("no tables are made where a store must be", "[transport][postgres]") {
  postgres_folder folder;
  auto how = folder.options();
  how.makes = false;
  failure why;
  CHECK(open_postgres_store(shared_postgres().url(), why, how) == nullptr);
  CHECK(why.code == errc::request_invalid);
  CHECK(folder.number("SELECT count(current_schema())") == 0);
  folder.open();
  folder.store.reset();
  folder.port.reset();
  CHECK(postgres_folder::opened(how) != nullptr);
}

TEST_CASE("the lock of the database is taken again after its connection was cut",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  REQUIRE_FALSE(store.in_place());
  folder.sql("SELECT pg_terminate_backend(l.pid, 5000) FROM pg_locks l JOIN pg_database d "
             "ON d.oid = l.database WHERE l.locktype = 'advisory' "
             "AND l.pid <> pg_backend_pid() AND d.datname = current_database()");
  CHECK_FALSE(store.in_place());
  failure why;
  CHECK(open_postgres_store(shared_postgres().url(), why, folder.impatient()) == nullptr);
  CHECK(why.code == errc::store_locked);
}

TEST_CASE("a batch of saves goes through a cut connection, and is saved once",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, "before")}));
  cut_all(folder);
  const auto a = saving("a", {said(role::user, "more")}, 1);
  const auto b = saving("b", {said(role::user, "new")});
  std::vector<save_answer> answers;
  REQUIRE_FALSE(store.save_all({&a, &b}, answers));
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].version == 2);
  CHECK(answers[1].version == 1);
  CHECK(texts_of(store.load({"a"}).history) == std::vector<std::string>{"before", "more"});
}

TEST_CASE("a cut connection is no failure of a load, and none of a change",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, "text")}));
  const auto read_beside = [&] {
    failure why;
    chat_record out;
    const auto reading = folder.port->read_chat({"a"}, why);
    while (reading->step(out))
      continue;
    CHECK_FALSE(out.error);
    return out.history.size();
  };
  CHECK(read_beside() == 1);
  cut_all(folder);
  CHECK(read_beside() == 1);
  CHECK(store.load({"a"}).version == 1);
  cut_all(folder);
  auto rename = changing("a", conversation_verb::rename);
  rename.title = "name";
  CHECK(store.change(rename).info.version == 2);
  cut_all(folder);
  CHECK_FALSE(store.probe());
}

TEST_CASE("a chat whose connection is cut between its pieces is read again",
          "[transport][postgres]") {
  postgres_folder folder;
  save(folder.open(), long_chat("a"));
  failure why;
  chat_record out;
  const auto reading = folder.port->read_chat({"a"}, why);
  REQUIRE(reading->step(out));
  cut_all(folder);
  save(*folder.store, saving("a", {said(role::user, "later")}, many));
  while (reading->step(out))
    continue;
  CHECK_FALSE(out.error);
  CHECK(out.version == 2);
  CHECK(out.history.size() == many + 1);
}

TEST_CASE("a save for a version that is sent again since its answer was lost is no other's change",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, "one")}));
  auto next = saving("a", {said(role::user, "two")}, 1);
  next.if_version = 1;
  next.turn.turn_id = "t";
  next.turn.started_ms = 5;
  CHECK(save(store, next) == 2);
  CHECK(save(store, next) == 3);
  CHECK(store.load({"a"}).history.size() == 2);
  next.turn.turn_id = "u";
  CHECK(store.save(next).error.code == errc::conversation_changed);
}

TEST_CASE("a branch whose messages are cut off meanwhile is refused", "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, "one"), said(role::user, "two")}));
  folder.sql("DELETE FROM messages WHERE place = 1"); // as between two statements of the branch
  CHECK(store.change(branching("a", "b")).error.code == errc::conversation_changed);
  CHECK(store.load({"b"}).version == 0);
  CHECK(folder.number("SELECT count(*) FROM messages") == 1);
}

TEST_CASE("a batch in which another program changed a chat is judged anew",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  save(store, saving("a", {said(role::user, "one")}));
  save(store, saving("b", {said(role::user, "two")}));
  folder.sql("UPDATE conversations SET version = 7 WHERE name = 'a'");
  auto a = saving("a", {said(role::user, "more")}, 1);
  a.if_version = 1;
  const auto b = saving("b", {said(role::user, "more")}, 1);
  std::vector<save_answer> answers;
  REQUIRE_FALSE(store.save_all({&a, &b}, answers));
  CHECK(answers[0].error.code == errc::conversation_changed);
  CHECK(answers[1].version == 2);
  CHECK(store.load({"a"}).history.size() == 1);
  a.if_version = 7;
  CHECK(save(store, a) == 8);
}

TEST_CASE("what is remembered of a chat refuses nobody, also behind other saves of the batch",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  auto a = saving("a", {said(role::user, "one")});
  a.turn.turn_id = "t";
  a.turn.resumable = true;
  a.events = {{"s", "t", 1, 0, {}}};
  save(store, a);
  save(store, saving("b", {said(role::user, "two")}));
  folder.sql("UPDATE conversations SET version = 7 WHERE name = 'b'");
  a.keep = 1;
  auto b = saving("b", {said(role::user, "more")}, 1);
  b.if_version = 7;
  std::vector<save_answer> answers;
  REQUIRE_FALSE(store.save_all({&a, &b}, answers));
  CHECK(answers[0].version == 2);
  CHECK(answers[1].version == 8);
}

TEST_CASE("a long conversation that was removed is cleared away in pieces",
          "[transport][postgres]") {
  postgres_folder folder;
  auto& store = folder.open();
  std::vector<chat_message> many(600, said(role::user, "word"));
  save(store, saving("a", many));
  REQUIRE_FALSE(store.change(changing("a", conversation_verb::remove)).error);
  CHECK(store.load({"a"}).version == 0);
  CHECK(store.search({"", "word", 10, {}}).hits.empty());
  CHECK(folder.number("SELECT count(*) FROM messages") == 600);
  tidy_up(store);
  CHECK(folder.number("SELECT count(*) FROM messages") == 0);
  CHECK(folder.number("SELECT count(*) FROM search_rows") == 0);
  CHECK(folder.number("SELECT count(*) FROM conversations") == 0);
}

TEST_CASE("a chat that cannot be written leaves the others of its batch alone",
          "[transport][postgres]") {
  postgres_folder folder;
  auto* store = &folder.open();
  for (const char* each : {"damaged", "there", "old"}) {
    auto made = saving(each, {said(role::user, "hello")});
    made.turn.turn_id = "t";
    save(*store, made);
  }
  folder.sql("UPDATE turns SET used = '{' WHERE conversation = (SELECT id FROM conversations "
             "WHERE name = 'damaged')");
  store = &folder.open(); // remembers nothing
  std::vector<save_chat> asks;
  for (const char* each : {"damaged", "there", "old", "new"})
    asks.push_back(saving(each, {said(role::user, "more")}));
  for (const size_t first : {0, 1, 3}) {
    asks[first].creates = true;
    asks[first].claim.takes = true;
    asks[first].turn.turn_id = "t2";
  }
  std::vector<save_answer> out;
  REQUIRE_FALSE(store->save_all({&asks[0], &asks[1], &asks[2], &asks[3]}, out));
  REQUIRE(out.size() == 4);
  CHECK(out[0].error.code == errc::store_damaged);
  CHECK(out[1].claim == claim_state::stale);
  CHECK(out[2].version == 2);
  CHECK(out[3].version == 1);
  CHECK(store->load({"damaged", {}, 0}).error.code == errc::store_damaged);
  CHECK(store->load({"there", {}, 0}).history.size() == 1);
}

} // namespace postgres_store_test

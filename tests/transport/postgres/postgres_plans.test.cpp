// How the store's statements find their rows.
#include <string>

#include "tests/transport/postgres/postgres_fixture.hpp"
#include "tests/transport/store/change_asks.hpp"

namespace postgres_plans_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Adds chats of the first owner behind the store's back, each with a word of its own, and has the
/// server count what that read.
void fill(const postgres_folder& folder) {
  const auto db = folder.beside();
  REQUIRE_FALSE(db->execute(
      "INSERT INTO conversations SELECT 1000000 + n, (SELECT id FROM owners), ('c' || n)::bytea, "
      "'', 0, 0, 0, 1, '', 9, n, 0, 0 FROM generate_series(1, 20000) n; "
      "INSERT INTO search_rows SELECT 1000000 + n, 0, n, ('''#' || (SELECT id FROM owners) || "
      "''' ''word' || n || '''')::tsvector FROM generate_series(1, 20000) n"));
  REQUIRE_FALSE(db->execute("SELECT pg_stat_force_next_flush()"));
}

/// Returns how many blocks of tables and indexes were looked at, by connections that have ended or
/// said so.
int64_t blocks(const postgres_folder& folder) {
  return folder.number("SELECT sum(coalesce(heap_blks_hit + heap_blks_read, 0) "
                       "+ coalesce(idx_blks_hit + idx_blks_read, 0))::bigint "
                       "FROM pg_statio_user_tables WHERE schemaname = current_schema()");
}

/// Ends the store and waits for the ends of its connections.
void close(postgres_folder& folder) {
  folder.store.reset();
  folder.port.reset();
  folder.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
             "WHERE pid <> pg_backend_pid() AND datname = current_database()");
}

void ask_all(store_connection& store, const std::string& number) {
  CHECK_FALSE(store.load({"c" + number, {}, 0}).error);
  CHECK_FALSE(store.save(saving("new" + number, {said(role::user, "hello")})).error);
  CHECK_FALSE(store.get({"new" + number}).error);
  CHECK_FALSE(store.change(branching("new" + number, "copy" + number)).error);
  CHECK_FALSE(store.change(changing("copy" + number, conversation_verb::remove)).error);
  CHECK_FALSE(store.search({{}, "word" + number, 20, {}}).error);
}

} // namespace

TEST_CASE("plans that were made for empty tables read little of full ones",
          "[transport][postgres]") {
  constexpr int rounds = 20;
  postgres_folder folder;
  auto& store = folder.open();
  ask_all(store, "0");
  fill(folder);
  const auto before = blocks(folder);
  for (int i = 1; i <= rounds; ++i)
    ask_all(store, std::to_string(i * 900));
  close(folder);
  const auto each = (blocks(folder) - before) / rounds;
  INFO(each << " blocks a round");
  CHECK(each < 300);
}

} // namespace postgres_plans_test

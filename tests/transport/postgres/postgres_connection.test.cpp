// The connection: statements, transactions, errors, outages, and what is shown of an address.
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "tests/support/postgres_server.hpp"
#include "tests/transport/postgres/tested_connection.hpp"
#include "transport/postgres/connection/postgres_target.hpp"
#include "transport/postgres/connection/postgres_words.hpp"

namespace postgres_connection_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Returns the address of a database of the shared server, with a password.
std::string password_to(const std::string& database) {
  auto url = shared_postgres().url_of(database);
  return url.insert(url.find('@'), ":secret");
}

} // namespace

TEST_CASE("an address is shown without its password", "[transport][postgres]") {
  CHECK(shown_postgres_url("postgresql://eve:se%3Acret@db.example:5433/chats?sslmode=require") ==
        "postgresql://eve@db.example:5433/chats");
  CHECK(shown_postgres_url("postgres://db.example/chats?user=eve&password=secret") ==
        "postgresql://eve@db.example/chats");
  for (const char* bad : {"postgres://eve:sec%zzret@/chats", "postgresql://eve:secret@[::1/chats",
                          "postgresql://?pass=secret", "mysql://eve:secret@db/chats"}) {
    INFO(bad);
    const auto why = postgres_url_fault(bad);
    CHECK(why.code == errc::config_invalid);
    CHECK(why.text().find("secret") == std::string::npos);
  }
  CHECK_FALSE(postgres_url_fault("postgresql://eve@/chats?host=/run/postgresql"));
}

TEST_CASE("values come back as they were sent", "[transport][postgres]") {
  auto db = connected();
  const std::string odd{"a\0\xFF'\\\"\n", 8};
  number_list numbers;
  bytes_list texts;
  for (int64_t each : {int64_t{-1}, INT64_MIN, INT64_MAX, int64_t{255}})
    numbers.add(each);
  for (const auto& each : {odd, std::string{}, std::string(70'000, 'x'), std::string{"d"}})
    texts.add(each);
  postgres_rows rows;
  REQUIRE_FALSE(db.ask("SELECT * FROM unnest($1::bigint[], $2::bytea[])",
                       postgres_values{numbers, texts}, rows));
  REQUIRE(rows.next());
  CHECK(rows.integer(0) == -1);
  CHECK(rows.view(1) == odd);
  REQUIRE(rows.next());
  CHECK(rows.integer(0) == INT64_MIN);
  CHECK(rows.view(1).empty());
  REQUIRE(rows.next());
  CHECK(rows.integer(0) == INT64_MAX);
  CHECK(rows.view(1).size() == 70'000);
  REQUIRE(rows.next());
  CHECK(rows.integer(0) == 255);
  CHECK_FALSE(rows.next());
  REQUIRE_FALSE(db.ask("SELECT cardinality($1::bigint[]), NULL::bigint, true, 7::smallint",
                       postgres_values{number_list{}}, rows));
  REQUIRE(rows.next());
  CHECK(rows.integer(0) == 0);
  CHECK(rows.integer(1) == 0);
  CHECK(rows.integer(2) == 1);
  CHECK(rows.integer(3) == 7);
}

TEST_CASE("nothing behind a statement that fails is done, and the connection goes on",
          "[transport][postgres]") {
  auto db = connected();
  postgres_rows rows;
  REQUIRE_FALSE(db.execute("CREATE TEMP TABLE one(id int PRIMARY KEY)"));
  db.doing("count");
  db.add("INSERT INTO one VALUES (1)");
  db.add("SELECT 1 / (count(*) = 5)::int FROM one");
  db.add("INSERT INTO one VALUES (2)");
  const auto error = db.run();
  CHECK(error.code == errc::store_failed);
  CHECK(error.text().find("cannot count in postgresql://troupe") == 0);
  CHECK(db.state() == "22012");
  for (int i = 0; i < 2; ++i) { // a statement whose preparation was skipped is prepared again
    db.add("INSERT INTO one VALUES (2) ON CONFLICT DO NOTHING");
    REQUIRE_FALSE(db.ask("SELECT count(*) FROM one", {}, rows));
    REQUIRE(rows.next());
    CHECK(rows.integer(0) == 1);
  }
}

TEST_CASE("a transaction is made whole or not at all", "[transport][postgres]") {
  auto db = connected();
  postgres_rows rows;
  const auto count = [&] {
    REQUIRE_FALSE(db.ask("SELECT count(*) FROM whole", {}, rows));
    REQUIRE(rows.next());
    return rows.integer(0);
  };
  REQUIRE_FALSE(db.execute("CREATE TEMP TABLE whole(id int)"));
  db.begin();
  db.add("INSERT INTO whole VALUES (1)");
  CHECK(count() == 1);
  db.roll_back();
  CHECK(count() == 0);
  db.begin();
  db.add("INSERT INTO whole VALUES (1)");
  REQUIRE_FALSE(db.commit());
  CHECK(count() == 1);
  db.begin();
  REQUIRE_FALSE(db.commit()); // of nothing
  CHECK_FALSE(db.in_transaction());
}

TEST_CASE("a question that takes too long is ended, and the connection goes on",
          "[transport][postgres]") {
  auto db = connected();
  postgres_rows rows;
  db.deadline().limit(50ms);
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_timeout);
  db.deadline().limit(0ms);
  const auto epoch = db.epoch();
  CHECK_FALSE(db.ask("SELECT 1", {}, rows));
  CHECK(db.epoch() == epoch);
}

TEST_CASE("a limit is for all that is asked until it is taken back", "[transport][postgres]") {
  auto db = connected();
  postgres_rows rows;
  db.deadline().limit(800ms);
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_timeout);
  const auto begun = postgres_connection::clock::now();
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_timeout);
  CHECK(postgres_connection::clock::now() - begun < 800ms);
}

TEST_CASE("a limit is for each silence in an answer that comes, within what its bytes allow",
          "[transport][postgres]") {
  // The server sends what it has when it has 8 KiB.
  constexpr auto slow = "SELECT repeat('x', 20000)::bytea, pg_sleep($1 / 1000.0) "
                        "FROM generate_series(1, $2)";
  constexpr uint64_t two_seconds = uint64_t{2} << 20;
  auto db = connected();
  postgres_rows rows;
  const auto asks = [&](int pause, int count, uint64_t bytes) {
    db.deadline().limit(1s);
    if (bytes > 0)
      db.deadline().expect(bytes);
    return db.ask(slow, postgres_values{pause, count}, rows).code;
  };
  CHECK(asks(100, 20, 0) == errc::store_timeout);
  const auto epoch = db.epoch();
  CHECK(asks(100, 20, 2 * two_seconds) == errc::none);
  CHECK(rows.size() == 20);
  const auto begun = postgres_connection::clock::now();
  CHECK(asks(60'000, 2, two_seconds) == errc::store_timeout);
  CHECK(postgres_connection::clock::now() - begun < 10s);
  CHECK(db.ask("SELECT 1", {}, rows).code == errc::store_timeout);
  CHECK(asks(100, 100, two_seconds / 8) == errc::store_timeout);
  CHECK(db.epoch() == epoch);
}

TEST_CASE("a failed commit says by its state what failed", "[transport][postgres]") {
  auto db = connected();
  db.begin();
  db.add("SELECT 1 / 0");
  CHECK(db.commit().code == errc::store_failed);
  CHECK(db.state() == "22012");
}

TEST_CASE("a connection that was cut is made anew for a question, but not within a transaction",
          "[transport][postgres]") {
  auto db = connected();
  postgres_rows rows;
  cut(db);
  CHECK_FALSE(db.seems_alive());
  CHECK_FALSE(db.ask("SELECT 1", {}, rows));
  db.begin();
  cut(db);
  CHECK(db.ask("SELECT 1", {}, rows).code == errc::store_failed);
  CHECK(db.commit().code == errc::store_failed);
  db.roll_back();
  CHECK_FALSE(db.ask("SELECT 1", {}, rows));
}

TEST_CASE("a connection that was cut is made anew for the beginning of a transaction, not for a "
          "whole one",
          "[transport][postgres]") {
  auto db = connected();
  postgres_rows rows;
  cut(db);
  db.begin();
  CHECK_FALSE(db.ask("SELECT 1", {}, rows));
  CHECK(db.in_transaction());
  CHECK_FALSE(db.ask("SAVEPOINT only_within_one", {}, rows));
  CHECK_FALSE(db.commit());
  cut(db);
  db.begin();
  db.add("SELECT 1");
  CHECK(db.commit().code == errc::store_failed); // it may be done
  CHECK_FALSE(db.in_transaction());
}

TEST_CASE("what the server refuses is refused at once, and says why", "[transport][postgres]") {
  auto db = connected(password_to("nowhere"));
  REQUIRE_FALSE(connected().connect()); // the server is up
  const auto begun = postgres_connection::clock::now();
  db.doing("load a chat");
  const auto error = db.connect();
  CHECK(error.code == errc::store_failed);
  INFO(error.text());
  CHECK(error.text().find("database \"nowhere\" does not exist") != std::string::npos);
  CHECK(error.text().find("secret") == std::string::npos);
  CHECK(postgres_connection::clock::now() - begun < 9s);
}

TEST_CASE("a server that takes no writes is waited for where writes are wanted",
          "[transport][postgres]") {
  const auto name = "standby_" + std::to_string(::getpid());
  REQUIRE_FALSE(connected().execute("CREATE DATABASE " + name));
  REQUIRE_FALSE(
      connected().execute("ALTER DATABASE " + name + " SET default_transaction_read_only = on"));
  const auto once = shared_postgres().url_of(name);
  const auto url = once + "," + once.substr(once.find("host=") + 5); // the same server twice
  REQUIRE_FALSE(connected(url).connect());
  auto db = connected(url + "&target_session_attrs=read-write", 2s);
  const auto begun = postgres_connection::clock::now();
  const auto error = db.connect();
  INFO(error.text());
  CHECK(error.code == errc::store_failed);
  CHECK(postgres_connection::clock::now() - begun > 700ms);
  REQUIRE_FALSE(connected().execute("DROP DATABASE " + name + " WITH (FORCE)"));
}

TEST_CASE("a server that is not there is waited for once, then tried once a second",
          "[transport][postgres]") {
  postgres_server mine;
  auto db = connected(mine.url());
  REQUIRE_FALSE(db.connect());
  mine.crash();
  db.patience(200ms);
  postgres_rows rows;
  auto begun = postgres_connection::clock::now();
  CHECK(db.ask("SELECT 1", {}, rows).code == errc::store_failed);
  CHECK(postgres_connection::clock::now() - begun < 5s);
  db.patience(60s);
  begun = postgres_connection::clock::now();
  CHECK(db.ask("SELECT 1", {}, rows).code == errc::store_failed);
  CHECK(postgres_connection::clock::now() - begun < 5s);
}

TEST_CASE("a call goes on through a restart of the server", "[transport][postgres]") {
  postgres_server mine;
  auto db = connected(mine.url(), 60s);
  REQUIRE_FALSE(db.connect());
  mine.crash();
  mine.start();
  postgres_rows rows;
  const auto error = db.ask("SELECT 1", {}, rows);
  INFO(error.text());
  CHECK_FALSE(error);
}

TEST_CASE("a long word is cut off at a whole character", "[transport][postgres]") {
  CHECK(clipped_word("word") == "word");
  std::string word(1999, 'x');
  word += "\xE4\xBC\x9A";
  CHECK(clipped_word(word) == std::string(1999, 'x'));
}

TEST_CASE("a deadline says how much of its limit is used", "[transport][postgres]") {
  postgres_deadline deadline;
  CHECK_FALSE(deadline.has_used(0)); // there is none
  deadline.limit(1h);
  CHECK(deadline.has_used(0));
  CHECK_FALSE(deadline.has_used(50));
  deadline.cancel(0ms);
  CHECK(deadline.has_used(100));
}

} // namespace postgres_connection_test

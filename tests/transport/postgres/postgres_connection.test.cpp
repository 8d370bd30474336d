// The connection: statements, transactions, errors, outages, and what is shown of an address.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "tests/support/postgres_server.hpp"
#include "tests/transport/postgres/postgres_fixture.hpp"
#include "transport/postgres/connection/postgres_target.hpp"
#include "transport/postgres/connection/postgres_words.hpp"

namespace postgres_connection_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A connection to the shared server, or to another address. @param patience through an outage
postgres_connection connected(const std::string& url = shared_postgres().url(),
                              std::chrono::milliseconds patience = 10s) {
  return postgres_connection{{url, shown_postgres_url(url), "", patience}};
}

/// Returns the address of a database of the shared server, with a password.
std::string password_to(const std::string& database) {
  auto url = shared_postgres().url_of(database);
  return url.insert(url.find('@'), ":secret");
}

/// Ends a connection as an administrator does.
void cut(postgres_connection& db) {
  auto other = connected();
  postgres_rows rows;
  REQUIRE_FALSE(db.ask("SELECT pg_backend_pid()", {}, rows));
  REQUIRE(rows.next());
  REQUIRE_FALSE(other.ask("SELECT pg_terminate_backend($1::int, 5000)",
                          postgres_values{rows.integer(0)}, rows));
}

/// The same, but a try is given up soon.
postgres_connection impatient(const std::string& url, std::chrono::milliseconds patience) {
  return postgres_connection{{url, shown_postgres_url(url), "", patience, nullptr, 20s, 50ms}};
}

/// A server that takes connections and says nothing.
class silent_server {
public:
  silent_server() : socket_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    REQUIRE(::mkdtemp(folder_.data()) != nullptr);
    sockaddr_un at{AF_UNIX, ""};
    name().copy(at.sun_path, sizeof at.sun_path - 1);
    REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
    REQUIRE(::listen(socket_, 16) == 0);
  }
  ~silent_server() {
    for (const auto each : kept_)
      ::close(each);
    ::close(socket_);
    ::unlink(name().c_str());
    ::rmdir(folder_.c_str());
  }
  silent_server(const silent_server&) = delete;
  silent_server& operator=(const silent_server&) = delete;

  const std::string& folder() const { return folder_; }

  /// Returns how many connections there were.
  int taken() {
    for (pollfd at{socket_, POLLIN, 0}; ::poll(&at, 1, 0) == 1; ++taken_)
      kept_.push_back(::accept(socket_, nullptr, nullptr));
    return taken_;
  }

private:
  std::string name() const { return folder_ + "/.s.PGSQL.5432"; }

  int socket_;
  int taken_ = 0;
  std::vector<int> kept_;
  std::string folder_{"/tmp/troupe-silent-XXXXXX"};
};

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
  db.limit(50ms);
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_timeout);
  db.limit(0ms);
  const auto epoch = db.epoch();
  CHECK_FALSE(db.ask("SELECT 1", {}, rows));
  CHECK(db.epoch() == epoch);
}

TEST_CASE("a limit is for all that is asked until it is taken back", "[transport][postgres]") {
  auto db = connected();
  postgres_rows rows;
  db.limit(800ms);
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_timeout);
  const auto begun = postgres_connection::clock::now();
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_timeout);
  CHECK(postgres_connection::clock::now() - begun < 800ms);
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
  const auto begun = postgres_connection::clock::now();
  auto db = connected(password_to("nowhere"));
  REQUIRE_FALSE(connected().connect()); // the server is up
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

TEST_CASE("a silent server is passed by, and not asked first again", "[transport][postgres]") {
  silent_server silent;
  auto url = shared_postgres().url();
  const auto others = GENERATE(as<std::string>{}, "", "/tmp/no-server-is-here,");
  auto db = connected(url.insert(url.find("host=") + 5, others + silent.folder() + ","), 20s);
  const auto error = db.connect();
  INFO(error.text());
  REQUIRE_FALSE(error);
  CHECK(silent.taken() == 1);
  cut(db);
  postgres_rows rows;
  CHECK_FALSE(db.ask("SELECT 1", {}, rows));
  CHECK(silent.taken() == 1);
}

TEST_CASE("a server that says nothing is asked less and less often", "[transport][postgres]") {
  silent_server silent;
  auto db = impatient("postgresql://troupe@/postgres?host=" + silent.folder(), 4s);
  CHECK(db.connect().code == errc::store_failed);
  CHECK(silent.taken() >= 2);
  CHECK(silent.taken() <= 5); // 0.25 + 0.5 + 1 + 2 s in between; without growth it were 7
}

TEST_CASE("of several servers one that takes no writes is left", "[transport][postgres]") {
  const auto name = "reads_" + std::to_string(::getpid());
  REQUIRE_FALSE(connected().execute("CREATE DATABASE " + name));
  REQUIRE_FALSE(
      connected().execute("ALTER DATABASE " + name + " SET default_transaction_read_only = on"));
  const auto once = shared_postgres().url_of(name);
  auto alone = connected(once);
  postgres_rows rows;
  CHECK(alone.ask("CREATE TABLE written()", {}, rows).code == errc::store_read_only);
  CHECK(alone.seems_alive());
  auto one_of_two = connected(once + "," + once.substr(once.find("host=") + 5));
  CHECK(one_of_two.ask("CREATE TABLE written()", {}, rows).code == errc::store_read_only);
  CHECK_FALSE(one_of_two.seems_alive());
  REQUIRE_FALSE(connected().execute("DROP DATABASE " + name + " WITH (FORCE)"));
}

TEST_CASE("a server that did not answer in time is left alone for a moment",
          "[transport][postgres]") {
  const auto url = shared_postgres().url();
  postgres_connection db{{url, shown_postgres_url(url), "", 0s, nullptr, 100ms}};
  postgres_rows rows;
  REQUIRE_FALSE(db.connect());
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_failed);
  const auto lost = postgres_connection::clock::now();
  while (db.ask("SELECT 1", {}, rows))
    REQUIRE(postgres_connection::clock::now() - lost < 20s);
  CHECK(postgres_connection::clock::now() - lost >= 250ms);
  CHECK(db.epoch() == 2);
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_failed);
  db.patience(10s);
  CHECK_FALSE(db.ask("SELECT 1", {}, rows)); // waits for the end of the pause
  CHECK(db.epoch() == 3);
}

TEST_CASE("pauses between tries grow, are scattered, and begin again", "[transport][postgres]") {
  for (uint32_t seed : {1U, 7U, 4711U}) {
    postgres_pauses pauses{seed};
    for (auto most : {500ms, 1000ms, 2000ms, 4000ms, 4000ms}) {
      const auto pause = pauses.after_silence();
      CHECK(pause >= most / 2);
      CHECK(pause <= most);
    }
    for (auto most : {50ms, 100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
      const auto pause = pauses.after_refusal();
      CHECK(pause >= most / 2);
      CHECK(pause <= most);
    }
    pauses.forget_refusals();
    CHECK(pauses.after_refusal() <= 50ms);
    CHECK(pauses.after_silence() >= 2000ms);
    pauses.forget();
    CHECK(pauses.after_silence() <= 500ms);
  }
  std::set<std::chrono::milliseconds> all;
  for (uint32_t seed = 1; seed <= 20; ++seed)
    all.insert(postgres_pauses{seed * 104'729}.after_silence());
  CHECK(all.size() > 10);
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

} // namespace postgres_connection_test

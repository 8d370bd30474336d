// Servers that are silent or slow, and addresses of several ones.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "tests/transport/postgres/tested_connection.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace postgres_hosts_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A connection of which a try is given up soon.
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

TEST_CASE("of several servers one that takes no writes is left where another comes first",
          "[transport][postgres]") {
  const auto name = "reads_" + std::to_string(::getpid());
  REQUIRE_FALSE(connected().execute("CREATE DATABASE " + name));
  REQUIRE_FALSE(
      connected().execute("ALTER DATABASE " + name + " SET default_transaction_read_only = on"));
  const auto once = shared_postgres().url_of(name);
  auto alone = connected(once);
  postgres_rows rows;
  CHECK(alone.ask("CREATE TABLE written()", {}, rows).code == errc::store_read_only);
  CHECK(alone.seems_alive());
  auto first = connected(once + "," + once.substr(once.find("host=") + 5));
  CHECK(first.ask("CREATE TABLE written()", {}, rows).code == errc::store_read_only);
  CHECK(first.seems_alive()); // it would be found again
  silent_server silent;
  auto behind = once;
  auto second = connected(behind.insert(behind.find("host=") + 5, silent.folder() + ","), 20s);
  CHECK(second.ask("CREATE TABLE written()", {}, rows).code == errc::store_read_only);
  CHECK_FALSE(second.seems_alive());
  REQUIRE_FALSE(connected().execute("DROP DATABASE " + name + " WITH (FORCE)"));
}

TEST_CASE("a server that did not answer in time is left alone for a moment",
          "[transport][postgres]") {
  const auto url = shared_postgres().url();
  postgres_connection db{{url, shown_postgres_url(url), "", 0s, nullptr, 1s}};
  postgres_rows rows;
  REQUIRE_FALSE(db.connect());
  const auto asked = postgres_connection::clock::now();
  CHECK(db.ask("SELECT pg_sleep(60)", {}, rows).code == errc::store_failed);
  while (db.ask("SELECT 1", {}, rows))
    REQUIRE(postgres_connection::clock::now() - asked < 20s);
  CHECK(postgres_connection::clock::now() - asked >= 1s + 250ms);
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

} // namespace postgres_hosts_test

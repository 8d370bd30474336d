#include "tests/support/shared_postgres.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>

#include "tests/support/file_lock.hpp"
#include "tests/support/postgres_server.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe::test {

namespace {

/// Where the locks are, and what the server's folder is called.
const std::string locks = TROUPE_TEST_CACHE "/postgres";

std::string server_folder() {
  return "/tmp/troupe-pg-" + std::to_string(::getuid()) + "-" +
         std::to_string(std::hash<std::string>{}(locks));
}

/// Starts the keeper as a process of nobody's: what waits for this program does not wait for it.
void start_keeper(const std::string& folder) {
  const auto made = ::fork();
  if (made == 0) {
    ::setsid();
    if (::fork() != 0)
      ::_exit(0);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int each : {0, 1, 2})
      ::dup2(nothing, each);
    ::close_range(3, ~0U, 0);
    ::execl(TROUPE_KEEP_POSTGRES, "keep_postgres", locks.c_str(), folder.c_str(), nullptr);
    ::_exit(1);
  }
  ::waitpid(made, nullptr, 0);
}

/// What this program holds as long as it runs.
struct held_locks {
  file_lock used{locks + "-used"};
  std::unique_ptr<file_lock> slot;
};

held_locks& mine() {
  static held_locks held;
  return held;
}

/// Takes the first name that no other program has.
std::string free_name() {
  for (int n = 0;; ++n) {
    const auto name = "slot_" + std::to_string(n);
    auto slot = std::make_unique<file_lock>(locks + "-" + name);
    if (!slot->try_take())
      continue;
    mine().slot = std::move(slot);
    return name;
  }
}

void require(const failure& error) {
  if (error)
    throw std::runtime_error{"the PostgreSQL of the tests: " + error.text()};
}

} // namespace

shared_database::shared_database() {
  mine().used.share(); // from now on the server stays, if there is one
  if (file_lock kept{locks + "-kept"}; kept.try_take()) {
    kept.release();
    start_keeper(server_folder());
  }
  name_ = free_name();
  postgres_connection server{{url_of("postgres"), "the tests", "", std::chrono::minutes{5}}};
  require(server.connect());
  postgres_rows rows;
  require(server.ask("SELECT 1 FROM pg_database WHERE datname = convert_from($1, 'UTF8')",
                     postgres_values{name_}, rows));
  if (!rows.next())
    require(server.execute("CREATE DATABASE " + name_));
}

std::string shared_database::url_of(const std::string& database) const {
  return "postgresql://troupe@/" + database + "?host=" + server_folder();
}

const shared_database& shared_postgres() {
  static const shared_database database;
  return database;
}

} // namespace troupe::test

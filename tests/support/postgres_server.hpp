// A PostgreSQL server that a test program starts for itself.
#pragma once

#include <sys/types.h>

#include <string>

namespace troupe::test {

/// A server in a temporary folder, which listens on a Unix socket there and ends with the program.
/// It runs as the user `nobody` where the program is root's, since PostgreSQL refuses root. Its
/// disk is not waited for. Blocks for a second while it is made. For tests that end their server;
/// the others share one (shared_postgres.hpp).
class postgres_server {
public:
  /// Makes and starts a server; throws std::runtime_error if there is no PostgreSQL.
  postgres_server();
  /// The same in this folder, whose content goes.
  explicit postgres_server(const std::string& folder);
  ~postgres_server();
  postgres_server(const postgres_server&) = delete;
  postgres_server& operator=(const postgres_server&) = delete;

  /// Starts the process; it takes connections a moment later.
  void start();
  /// Ends the process at once, as a crash does; its data stay.
  void crash();

  /// Returns the address of the server's database, for its superuser `troupe`.
  std::string url() const;
  const std::string& folder() const { return folder_; }

private:
  void make();
  void make_data() const;

  std::string folder_;
  std::string programs_;
  pid_t process_ = -1;
};

} // namespace troupe::test

// The PostgreSQL that the test programs of a build have in common.
#pragma once

#include <string>

namespace troupe::test {

/// A database of this program's own, on a server that all programs of the build share: to make a
/// server takes longer than most tests. The first program starts keep_postgres, which has the
/// server and ends with it some seconds after the last program.
class shared_database {
public:
  /// Waits until the server is there; throws std::runtime_error if there is no PostgreSQL.
  shared_database();

  /// Returns the address of the database, for the superuser `troupe`.
  std::string url() const { return url_of(name_); }
  std::string url_of(const std::string& database) const;

private:
  std::string name_;
};

/// Returns the database that all tests of this program share.
const shared_database& shared_postgres();

} // namespace troupe::test

// Connections to PostgreSQL that a test makes itself.
#pragma once

#include <chrono>
#include <string>

#include "tests/transport/postgres/postgres_fixture.hpp"
#include "transport/postgres/connection/postgres_target.hpp"

namespace troupe::test {

/// A connection to the shared server, or to another address. @param patience through an outage
inline postgres_connection connected(const std::string& url = shared_postgres().url(),
                                     std::chrono::milliseconds patience = std::chrono::seconds{
                                         10}) {
  return postgres_connection{{url, shown_postgres_url(url), "", patience}};
}

/// Ends a connection as an administrator does.
inline void cut(postgres_connection& db) {
  auto other = connected();
  postgres_rows rows;
  REQUIRE_FALSE(db.ask("SELECT pg_backend_pid()", {}, rows));
  REQUIRE(rows.next());
  REQUIRE_FALSE(other.ask("SELECT pg_terminate_backend($1::int, 5000)",
                          postgres_values{rows.integer(0)}, rows));
}

} // namespace troupe::test

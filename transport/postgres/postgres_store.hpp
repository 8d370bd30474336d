// Conversations in a PostgreSQL database: a backend behind messages/store/store_port.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "messages/cluster/cluster_config.hpp"
#include "messages/cluster/member_port.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// Options of a database; only tests and benchmarks change others than the quota.
struct postgres_options {
  int64_t (*now_ms)() = nullptr; ///< milliseconds since 1970; nullptr: the system's clock
  std::string schema = "troupe"; ///< that the tables are in: lower letters, digits and _
  std::chrono::milliseconds patience{20'000}; ///< how long writes and loads go on in an outage
  std::chrono::milliseconds question{2000};   ///< longest time of list, search, get and used
  std::chrono::milliseconds hold_wait{3000}; ///< how long a start waits for a server that just ends
  owner_quota quota = {};                    ///< of each owner
  bool serves = true; ///< it runs turns; false: it only looks, and changes keys
  bool alone = true;  ///< no other server may use it at the same time
  bool makes = true;  ///< the tables, where there are none; false: request_invalid
  std::optional<cluster_config> cluster = {}; ///< it is a node of one; then it is not alone
  std::string version = {};                   ///< of the program, for the other nodes
};

/// Opens a database for a server. Makes the tables, or brings older ones up to date, and holds the
/// database until the port is destroyed; its connections must be gone by then. Blocks, at the
/// longest for 10 s and some more; any thread.
///
/// @param url postgresql://..., may hold a password: nothing that this room says shows it
/// @param why set when nullptr comes back: store_locked when another server holds the database,
/// store_newer, store_failed, store_read_only, config_invalid; its text says what to do
std::unique_ptr<store_port> open_postgres_store(const std::string& url, failure& why,
                                                const postgres_options& options = {});

/// Opens what answers questions about the nodes of a database, beside running servers. Else as
/// open_postgres_store.
std::unique_ptr<node_directory> open_postgres_directory(const std::string& url, failure& why,
                                                        const postgres_options& options = {});

/// Opens the same database beside a running server, for keys and settings: does not hold it. Else
/// as open_postgres_store.
std::unique_ptr<store_port> open_postgres_keys(const std::string& url, failure& why,
                                               postgres_options options = {});

} // namespace troupe

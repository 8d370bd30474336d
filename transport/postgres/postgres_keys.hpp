// Settings, API keys, and the table of usage.
#pragma once

#include <cstdint>
#include <vector>

#include "messages/store/api_key.hpp"
#include "messages/store/store_copying.hpp"
#include "messages/store/store_status.hpp"
#include "messages/store/usage_messages.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

setting_list read_postgres_settings(postgres_connection& db, const list_settings& ask);

/// Writes a setting; a setting without a value is removed.
failure write_postgres_setting(postgres_connection& db, const setting& value);

/// Returns keys, oldest first.
key_list read_postgres_keys(postgres_connection& db, const list_keys& ask);

/// Adds a key, or changes the one with its id, and counts the change.
failure write_postgres_key(postgres_connection& db, const api_key& key);

/// Returns how often keys were changed, by any program; 0 if that cannot be read.
uint64_t count_postgres_key_changes(postgres_connection& db);

/// Rows of the table of usage, on their way into it with one statement.
struct usage_columns {
  number_list owner, node, turns, requests, input, output, total, reasoning, cached;
  bytes_list day, model;

  /// @param of number of the owner @param counted_by the node's part of the table
  void add(int64_t of, uint64_t counted_by, const usage_row& row);
  /// Collects the statement that adds them to what is there.
  void queue(postgres_connection& db) const;
};

/// Sets rows of the table, whoever counted them. @param owner its number
failure set_postgres_usage(postgres_connection& db, int64_t owner,
                           const std::vector<usage_row>& rows);

/// Returns the usage of an owner.
usage_table read_postgres_usage(postgres_connection& db, const usage_query& ask);

} // namespace troupe

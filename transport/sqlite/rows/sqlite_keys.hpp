// Settings and API keys.
#pragma once

#include <cstdint>

#include "messages/store/api_key.hpp"
#include "messages/store/store_status.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

setting_list read_settings(sqlite_connection& db, const list_settings& ask);

/// Writes a setting; a setting without a value is removed.
failure write_setting(sqlite_connection& db, const setting& value);

/// Returns keys, oldest first.
key_list read_keys(sqlite_connection& db, const list_keys& ask);

/// Adds a key, or changes the one with its id, and counts the change.
failure write_key(sqlite_connection& db, const api_key& key);

/// Returns how often keys were changed, by any connection; 0 if that cannot be read.
uint64_t count_key_changes(sqlite_connection& db);

} // namespace troupe

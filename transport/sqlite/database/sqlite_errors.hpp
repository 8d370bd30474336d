// SQLite's errors as failures of a store.
#pragma once

#include <string_view>

#include "messages/errors.hpp"

struct sqlite3;

namespace troupe {

/// Returns the code for a result of SQLite, plain or extended. @param system_errno of the call to
/// the operating system that failed, which tells a full disk from a broken one; 0: unknown
errc store_error(int result, int system_errno);

/// Returns the failure of the handle's last call: the task, SQLite's words, the remedy.
/// @param handle nullptr: there was no memory for one
/// @param doing "save a chat"
/// @param system_errno errno after that call; 0: unchanged
failure sqlite_failure(sqlite3* handle, std::string_view doing, std::string_view path,
                       int system_errno);

} // namespace troupe

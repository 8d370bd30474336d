// PostgreSQL's errors as failures of a store.
#pragma once

#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// SQLSTATE that this program's own checks in statements end with (a division by zero): rows that a
/// transaction counts on were changed by another process.
inline constexpr std::string_view rows_changed_state = "22012";

/// The parts of an error, for the words of its failure.
struct postgres_trouble {
  std::string_view state; ///< SQLSTATE; empty: the connection
  std::string_view said;  ///< PostgreSQL's words
  std::string_view doing; ///< "save a chat"
  std::string_view where; ///< shown_postgres_url
  bool goes_on = true;    ///< false: a program that cannot even begin ends
};

/// Returns the code for a SQLSTATE.
errc postgres_error(std::string_view state);

/// Returns whether a failure with that state was of the connection, not of what was asked: who made
/// a transaction may run it again.
bool is_of_connection(const failure& why, std::string_view state);

/// Returns the failure: the task, PostgreSQL's words on one line, the remedy.
failure postgres_failure(const postgres_trouble& what);

} // namespace troupe

// One server of another program's file, said in our keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// The unit of a number in `timeout`.
enum class timeout_unit : uint8_t {
  milliseconds,
  seconds, ///< up to an hour, which is Cline's and Roo's limit; larger numbers are milliseconds
  unknown, ///< read as seconds are, with a note that says so
};

/// Turns an entry into one of `mcpServers`: other names of keys, commands that hold their
/// arguments, `disabled`, `timeout`, `trust`. Keys that mean nothing here are left out, and so are
/// members that are null. An entry that any of its switches shuts out stays out.
/// @param entry an object
/// @param notes told of each change that is not a mere name: "description is left out: ..."
/// @return what makes the entry useless here, or ""
std::string translate_entry(json_node& entry, timeout_unit unit, std::vector<std::string>& notes);

} // namespace troupe

// The members of a request's JSON objects.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/json.hpp"

namespace troupe {

/// Members of an object in their order, each key once: key and JSON value.
using json_members = std::vector<std::pair<std::string, std::string>>;

/// Sets a member, in its place where it is known.
void put_member(json_members& into, std::string_view key, std::string_view json);

/// Returns the member, or nullptr.
const std::string* find_member(const json_members& in, std::string_view key);

/// Appends `,"key":json`; nothing for "".
void append_member(json_buffer& out, std::string_view key, std::string_view json);

/// Appends `"key":json` to the text of an object's members, after a comma unless it is the first.
void add_member(std::string& members, std::string_view key, std::string_view json);

} // namespace troupe

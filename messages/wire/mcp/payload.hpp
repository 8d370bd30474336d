// Common parts of the params and results of all MCP methods: checks, and adding a member.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/errors.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

/// Returns the failure for a bad text of a server: errc::server_protocol, "METHOD: WHAT".
failure broken(std::string_view method, std::string_view what);

/// Returns a failure if `source` is no JSON object.
failure check_object(std::string_view method, const json_source& source);

/// Reads one element of an array; a failure ends the reading.
using element_reader = std::function<failure(std::string_view element, size_t index)>;

/// Reads the elements of the member `name`, which has to be an array.
/// @param array a slice of a json_source
failure read_array(std::string_view method, std::string_view name, std::string_view array,
                   const element_reader& read);

/// Reads the entries of a list, each with `read`. A bad entry is left out, because the others are
/// useful without it; its fault goes to `left_out`.
template <class Entry>
failure read_entries(std::string_view method, std::string_view name, std::string_view array,
                     failure (*read)(std::string_view text, size_t index, Entry& out),
                     std::vector<Entry>& out, std::vector<std::string>& left_out) {
  return read_array(method, name, array, [&](std::string_view text, size_t index) {
    if (auto bad = read(text, index, out.emplace_back())) {
      out.pop_back();
      left_out.push_back(std::move(bad.message));
    }
    return failure{};
  });
}

/// Returns `object` with the member `key` set to `value`. A new member is added and the others stay
/// byte for byte; an existing one is replaced and the others keep their order.
/// @param object JSON text of an object; any other text counts as an empty one
/// @param value JSON text
std::string with_member(std::string_view object, std::string_view key, std::string_view value);

/// As with_member, for a member of `_meta`.
std::string with_meta(std::string_view object, std::string_view key, std::string_view value);

} // namespace troupe::mcp

// What the params and results of all MCP methods have in common: how they are checked, and how a
// member is added to them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/errors.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

/// Says that a text of the server's is wrong: errc::server_protocol, "METHOD: WHAT".
failure broken(std::string_view method, std::string_view what);

/// Says why `source` is no JSON object, or nothing.
failure check_object(std::string_view method, const json_source& source);

/// Reads one element of an array; what it says is wrong ends the reading.
using element_reader = std::function<failure(std::string_view element, size_t index)>;

/// Reads the elements of the member `name`, which has to be an array.
/// @param array a slice of a json_source
failure read_array(std::string_view method, std::string_view name, std::string_view array,
                   const element_reader& read);

/// Reads the entries of a list, each with `read`. One that is wrong is left out, since the others
/// are of use without it; what is wrong goes to `left_out`.
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

/// Returns `object` with the member `key` set to `value`; the others stay byte for byte where there
/// was none of that key, else in their order.
/// @param object JSON text of an object; anything else counts as an empty one
/// @param value JSON text
std::string with_member(std::string_view object, std::string_view key, std::string_view value);

/// As with_member, for a member of `_meta`.
std::string with_meta(std::string_view object, std::string_view key, std::string_view value);

} // namespace troupe::mcp

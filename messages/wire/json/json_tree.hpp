// A JSON text as a tree, for code that looks up or compares values in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/json/json_slice.hpp"

namespace troupe {

/// One value.
struct json_node {
  json_kind kind = json_kind::absent;
  std::string key;   ///< key of an object's member
  std::string text;  ///< string: its characters; number, boolean: as it stands in the text
  uint64_t hash = 0; ///< equal for equal values
  std::vector<json_node> children; ///< members or elements, in their order

  /// Returns the member, of a repeated key the last; nullptr if there is none.
  const json_node* find(std::string_view name) const;

  /// Returns whether the node is the boolean `value`.
  bool is(bool value) const {
    return kind == json_kind::boolean && text == (value ? "true" : "false");
  }
};

/// Reads a text; nothing if it is not valid or has more than `max_nodes` values.
std::optional<json_node> read_json_tree(std::string_view text, size_t max_nodes);

/// Returns a tree of one string.
json_node make_string_node(std::string text);

/// Returns a number with the 64 bits of the widest integers; not-a-number for any other value and
/// where it is out of range.
long double wide_number(const json_node& value);

// Changes of a tree. They leave the hashes as they are.

/// Returns the member, of a repeated key the last; nullptr if there is none.
json_node* member_of(json_node& object, std::string_view key);

/// Removes the member. Returns whether it was there.
bool remove_member(json_node& object, std::string_view key);

/// Replaces the member, or adds it at the end.
void set_member(json_node& object, std::string_view key, json_node value);

/// Returns an empty object or array.
json_node empty_node(json_kind kind);

/// Appends the tree as JSON text.
void append_json(json_buffer& out, const json_node& node);

} // namespace troupe

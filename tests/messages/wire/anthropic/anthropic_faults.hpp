// The faults of one request to Anthropic, and what all of its parts have in common.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/json/json_tree.hpp"

namespace troupe::test {

/// Collects faults. Not thread safe.
class anthropic_faults {
public:
  using names = std::initializer_list<std::string_view>;

  /// Adds the fault, with the place in front, unless `holds`.
  void require(bool holds, const std::string& what);

  /// "Extra inputs are not permitted."
  void only(const json_node& object, names allowed);

  /// Checks a block of text.
  void text(const json_node& block, names allowed);

  std::vector<std::string> list;
  std::string where; ///< in front of what is added
  size_t marks = 0;  ///< of the cache, so far
};

/// Returns the member's text; "" if it is no string.
std::string anthropic_text(const json_node& object, std::string_view key);

/// Returns whether the text has letters, digits, '_', '-' and the characters of `more` only.
bool is_anthropic_id(std::string_view id, std::string_view more);

} // namespace troupe::test

// The ids of tool calls as a provider takes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// The rule of a provider for the ids of calls in its requests.
struct call_id_rule {
  size_t max_bytes = 64;
  bool dashes = true;     ///< '-' and '_' are taken beside letters and digits
  size_t exact_bytes = 0; ///< every id has so many bytes; 0: no such rule
  /// Any characters are taken, and stay: some models learn from their own ids. Ids that are made
  /// have letters, digits and dashes only.
  bool any_characters = false;
};

/// Returns `id` where the rule takes it. Otherwise makes one of what it takes of the id, and of a
/// hash of all of it: the same for the call and its result, and in every process, so that prompt
/// caches work.
std::string call_id_for(std::string_view id, const call_id_rule& rule);

} // namespace troupe

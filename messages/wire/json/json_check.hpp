// Checks JSON that comes from outside, before anything reads it or passes it on.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace troupe {

/// Deepest nesting that is accepted; bounds the stack of everything that reads the text later.
inline constexpr size_t max_json_depth = 512;

/// Checks that `text` is one JSON text (RFC 8259, UTF-8, at most max_json_depth deep). Returns ""
/// or a fault: "a value is expected at byte 17". Numbers of any size pass, as JavaScript lets them.
/// One pass, no allocation for valid text, no recursion. Any thread.
///
/// Own code, because simdjson 3.0 refuses integers beyond 64 bits, which JavaScript sends, and
/// checks scalars only where they are read.
std::string json_fault(std::string_view text);

/// The first fault that keeps a text from being JSON.
struct json_flaw {
  std::string_view what;              ///< "a value is expected"; empty: it is JSON
  size_t at = std::string_view::npos; ///< the byte; npos where none can be named
};

/// The same check, for who tells the place in another way.
json_flaw find_json_flaw(std::string_view text);

/// Is shown a member of the outermost object: its key as it is written between the quotes, and the
/// slice of its value.
using outer_member_visitor = std::function<void(std::string_view key, std::string_view value)>;

/// The same check; also shows the members of the outermost object on the way, which saves a second
/// pass. If a fault is returned, the members shown before mean nothing.
std::string json_fault(std::string_view text, const outer_member_visitor& visit);

/// Returns whether `text` is one JSON object without a fault, and nothing else.
bool is_json_object(std::string_view text);

} // namespace troupe

// Faults that models make in their tool calls, and how they are repaired. This is the one place for
// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/chat/tool_set.hpp"

namespace troupe {

/// The faults of a call that can be repaired; the table in call_repairs.cpp names each.
enum class call_repair : uint8_t {
  name_space,     ///< blanks and line ends around the name
  name_marks,     ///< quotes around it; "()" or a token of the chat template after it
  name_prefix,    ///< "functions." and the like before it
  name_case,      ///< other case, or '-' for '_'
  no_arguments,   ///< null or an empty list for no arguments
  encoded_again,  ///< the object is the text of a JSON string
  repeated,       ///< the same object several times, or an empty one before it
  text_around,    ///< words, or a fence, before or after the object
  raw_controls,   ///< line breaks, tabs and the like in strings
  single_quotes,  ///< 'strings', or \' in strings
  python_words,   ///< True, False, None
  trailing_comma, ///< before a closing bracket
  lone_half,      ///< half a character, which becomes U+FFFD
};

/// The repairs of one call.
class call_repairs {
public:
  void add(call_repair which) noexcept { set_ |= 1U << static_cast<uint32_t>(which); }
  void add(call_repairs more) noexcept { set_ |= more.set_; }
  bool any() const noexcept { return set_ != 0; }
  bool has(call_repair which) const noexcept {
    return (set_ >> static_cast<uint32_t>(which) & 1U) != 0;
  }

  /// Returns their names in the order of the table, with commas between them.
  std::string text() const;

private:
  uint32_t set_ = 0;
};

/// Returns the tool that a model means by `name`: the one of that name, or else the only one that
/// is left when what models add to names is taken away; nullptr if there is none. A name that is
/// known is never repaired.
/// @param how gets what was repaired, if a tool was found
const tool_definition* matching_tool(std::string_view name, const tool_set& tools,
                                     call_repairs& how);

/// Makes `arguments` one strict JSON object if they have exactly one reading, and returns whether
/// they have. Otherwise they stay as they are: a text that is cut, two different objects, a part of
/// an object. Arguments that need no repair cost a check.
/// @param how gets what was repaired, if they could be read
bool repair_arguments(std::string& arguments, call_repairs& how);

} // namespace troupe

// Common parts of the bodies that clients post: walking them, and the options of a turn.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

/// Returns errc::request_invalid with this text.
failure invalid_request(std::string what);

/// Refuses an object with an unknown key. @param place the object, "messages[0]"
failure unknown_key(const std::string& place, const std::string& key);

/// Reads an object that has the listed members only. @param place of it, for failures
failure read_object(std::string_view slice, const std::string& place,
                    std::initializer_list<json_member> members);

/// Reads an array with `read_one(slice, place)` for each element, whose failure ends the walk.
/// @param name of the array, for failures @param most elements
template <class ReadOne>
failure read_list(std::string_view array, const std::string& name, size_t most, ReadOne read_one) {
  if (kind_of(array) != json_kind::array)
    return invalid_request(name + " must be an array");
  failure bad;
  size_t count = 0;
  for_each_element(array, [&](std::string_view each) {
    bad = count == most ? invalid_request(fmt::format("{} must not be more than {}", name, most))
                        : read_one(each, fmt::format("{}[{}]", name, count));
    ++count;
    return !bad;
  });
  return bad;
}

/// Returns whether the slice is a string of 1 to 256 bytes.
bool is_id(std::string_view slice);

/// Returns the role that a string names as OpenAI does; nothing for other slices.
std::optional<role> named_role(std::string_view slice);

/// Refuses a body that is no JSON object.
failure check_body(const json_source& body);

/// Reads true and false; null and absent leave `out`. The failure names `name`.
failure read_flag(std::string_view slice, std::string_view name, bool& out);

/// The keys of a struct whose members are slices.
template <class Members, size_t Size>
using member_table = std::array<std::pair<std::string_view, std::string_view Members::*>, Size>;

/// Takes the value of a key that the table has; returns whether it does. Of a repeated key the last
/// value counts.
template <class Members, size_t Size>
bool take_member(Members& into, const member_table<Members, Size>& table, std::string_view key,
                 json_value value) {
  for (const auto& [name, member] : table)
    if (name == key) {
      into.*member = value;
      return true;
    }
  return false;
}

/// The members of a body that are options of the turn.
struct option_members {
  std::string_view model;
  std::string_view max_tool_roundtrips;
  std::string_view mcp_servers;
  std::string_view client_requests;
  std::string_view streaming;
  std::string_view resumable;
  std::string_view when_busy;
  std::string_view tool_approval;
  std::string_view tools;
  std::string_view parameters;
  std::string_view ephemeral; ///< turn_request::ephemeral
  std::string_view system_prompt;

  /// Takes the value if the key is an option's; returns whether it is.
  bool take(std::string_view key, json_value value);
};

/// Most members of an object that goes to the model as it is.
inline constexpr size_t max_parameters = 256;

/// Reads the options; the failure names the first bad one.
failure read_options(const option_members& in, turn_options& out);

/// Reads `{server, name, arguments?}`; null and absent are none.
failure read_prompt(std::string_view prompt, prompt_reference& out);

} // namespace troupe

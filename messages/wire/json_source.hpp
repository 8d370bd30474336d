// Walks JSON that comes from outside, by slices of its text (see json_slice.hpp).
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "messages/wire/json_slice.hpp"

namespace troupe {

/// Holds a checked JSON text. Slices of it live as long as it does, and only they may be walked.
class json_source {
public:
  /// Copies and checks `text`.
  explicit json_source(std::string_view text);

  json_source(const json_source&) = delete;
  json_source& operator=(const json_source&) = delete;

  /// Returns what is wrong with the text, with its position; "" if nothing is.
  const std::string& fault() const noexcept { return fault_; }

  /// Returns the whole value, byte for byte; the empty slice if there is a fault.
  std::string_view root() const noexcept { return root_; }

private:
  std::string bytes_; ///< the text, and the padding that simdjson reads into
  std::string fault_;
  std::string_view root_;
};

/// Where read_members puts the value of `key`.
struct json_member {
  std::string_view key;
  std::string_view* value;
};

/// Calls `visit(key, value)` for each member, in their order; for none if it is not an object.
void for_each_member(std::string_view object,
                     const std::function<void(std::string_view, std::string_view)>& visit);

/// Calls `visit(value)` for each element until it returns false; for none if it is not an array.
void for_each_element(std::string_view array, const std::function<bool(std::string_view)>& visit);

/// Sets the slices of the listed members and leaves the others; of a repeated key the last counts.
void read_members(std::string_view object, std::initializer_list<json_member> wanted);

/// As read_members; returns the first key that is not listed, for texts that may hold nothing else.
std::optional<std::string> read_only_members(std::string_view object,
                                             std::initializer_list<json_member> known);

} // namespace troupe

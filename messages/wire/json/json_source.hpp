// Walks JSON that comes from outside, by slices of its text (see json_slice.hpp).
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "messages/wire/json/json_slice.hpp"

namespace troupe {

/// Holds a JSON text. Slices of it live as long as it does.
class json_source {
public:
  /// Copies and checks `text`.
  explicit json_source(std::string_view text);

  /// Copies `text` and does not check it, for a first look at what is read whole elsewhere.
  static json_source unchecked(std::string_view text) { return {text, std::string{}}; }

  json_source(const json_source&) = delete;
  json_source& operator=(const json_source&) = delete;

  /// Returns what is wrong with the text, with its position; "" if nothing is.
  const std::string& fault() const noexcept { return fault_; }

  /// Returns the whole value, byte for byte; the empty slice if there is a fault.
  std::string_view root() const noexcept { return root_; }

private:
  json_source(std::string_view text, std::string fault);

  std::string bytes_; ///< the text, and the padding that simdjson reads into
  std::string fault_;
  std::string_view root_;
};

// Only slices of a json_source may be walked, and those of any text that json_padding readable
// bytes follow. A walk ends early where a text that was not checked breaks off. Walks can be
// nested.

/// What simdjson reads beyond a text.
inline constexpr size_t json_padding = 64;

class json_value;

/// Is shown each member; returns false to end the walk.
using member_visitor = std::function<bool(std::string_view key, json_value value)>;

/// Is shown each element; returns false to end the walk.
using element_visitor = std::function<bool(json_value value)>;

/// A value that a walk has come to; it holds until its visitor returns. Either take its slice, or
/// walk on into it, which reads all levels of a text in one pass; not both.
class json_value {
public:
  /// Wraps a value of simdjson.
  explicit json_value(void* value) noexcept : value_{value} {}

  /// Returns what it is, without reading it.
  json_kind kind() const;

  /// Returns its slice; the empty one where the text breaks off. Implicit, for visitors that want
  /// nothing else.
  operator std::string_view() const;

  /// As the functions below.
  bool for_each_member(const member_visitor& visit) const;
  bool for_each_element(const element_visitor& visit) const;

private:
  void* value_;
};

/// Shows the members of an object, in their order.
/// @return false if it is none or breaks off, or when `visit` returned false
bool for_each_member(std::string_view object, const member_visitor& visit);

/// Shows the elements of an array; else as for_each_member.
bool for_each_element(std::string_view array, const element_visitor& visit);

/// Where read_members puts the value of `key`.
struct json_member {
  std::string_view key;
  std::string_view* value;
};

/// Sets the slices of the listed members and leaves the others; of a repeated key the last counts.
void read_members(std::string_view object, std::initializer_list<json_member> wanted);
void read_members(json_value object, std::initializer_list<json_member> wanted);

/// As read_members; returns the first key that is not listed, for texts that may hold nothing else.
std::optional<std::string> read_only_members(std::string_view object,
                                             std::initializer_list<json_member> known);

} // namespace troupe

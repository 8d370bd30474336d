// Walks JSON that comes from outside, by slices of its text (see json_slice.hpp).
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "messages/wire/json/json_slice.hpp"

namespace troupe {

/// Holds a JSON text; its slices must not outlive it.
class json_source {
public:
  /// Copies and checks `text`.
  explicit json_source(std::string_view text);

  /// Copies `text` without a check, for a first look at a text that other code reads completely.
  static json_source unchecked(std::string_view text) { return {text, std::string{}}; }

  /// Checks `text` and keeps it: a long one is not there twice.
  static json_source of(std::string text) { return json_source{std::move(text), taken{}}; }

  json_source(const json_source&) = delete;
  json_source& operator=(const json_source&) = delete;

  /// Returns the fault of the text with its position; "" if there is none.
  const std::string& fault() const noexcept { return fault_; }

  /// Returns the whole value, byte for byte; the empty slice if there is a fault.
  std::string_view root() const noexcept { return root_; }

private:
  struct taken {};
  json_source(std::string text, taken);
  json_source(std::string_view text, std::string fault);

  std::string bytes_; ///< the text, and the padding that simdjson reads into
  std::string fault_;
  std::string_view root_;
};

// Only slices of a json_source may be walked, and slices of a text that is followed by json_padding
// readable bytes. If an unchecked text ends too early, the walk ends there. Walks can be nested.
// A walk that gets no memory throws std::bad_alloc: it never finds less than there is.

/// The number of bytes that simdjson reads beyond a text.
inline constexpr size_t json_padding = 64;

class json_value;

/// Is shown each member; returns false to end the walk.
using member_visitor = std::function<bool(std::string_view key, json_value value)>;

/// Is shown each element; returns false to end the walk.
using element_visitor = std::function<bool(json_value value)>;

/// The current value of a walk, valid until its visitor returns. Either take its slice, or walk
/// into it (which reads all levels of a text in one pass); not both.
class json_value {
public:
  /// Wraps a value of simdjson.
  explicit json_value(void* value) noexcept : value_{value} {}

  /// Returns the kind of the value without reading it.
  json_kind kind() const;

  /// Returns the slice of the value; the empty slice if the text ends too early. Implicit, for
  /// visitors that need only the slice.
  operator std::string_view() const;

  /// The same as the functions below.
  bool for_each_member(const member_visitor& visit) const;
  bool for_each_element(const element_visitor& visit) const;

private:
  void* value_;
};

/// Shows the members of an object, in their order.
/// @return false if it is none or breaks off, or when `visit` returned false
bool for_each_member(std::string_view object, const member_visitor& visit);

/// The same for an object at the start of `text`. Sets `behind` to what follows it, from the next
/// character that is no space; "" if nothing does, or the object is broken.
bool for_each_member(std::string_view text, const member_visitor& visit, std::string_view& behind);

/// Shows the elements of an array; else as for_each_member.
bool for_each_element(std::string_view array, const element_visitor& visit);

/// The place for the value of `key`.
struct json_member {
  std::string_view key;
  std::string_view* value;
};

/// Sets the slices of the listed members and leaves the others; of a repeated key the last counts.
void read_members(std::string_view object, std::initializer_list<json_member> wanted);
void read_members(json_value object, std::initializer_list<json_member> wanted);

/// Like read_members; returns the first key that is not listed, for objects that may have no other
/// keys.
std::optional<std::string> read_only_members(std::string_view object,
                                             std::initializer_list<json_member> known);

} // namespace troupe

// Reading values that list their fields(), strictly: the counterpart of append_json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/fields.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

/// A fault of a value, and its place in the value.
struct json_misfit {
  std::string place; ///< "messages[3].role"; empty: the value itself
  std::string what;  ///< "must be a string"; empty: no fault

  explicit operator bool() const { return !what.empty(); }

  /// Returns both as one text. @param root the name of the whole value
  std::string text(std::string_view root) const;

  /// Returns it as found in `outer`: "name" or "[7]".
  json_misfit inside(std::string_view outer) &&;
};

/// Most elements of an array.
inline constexpr size_t max_json_elements = 1'000'000;

// The functions below read one value. `null` counts as absent and leaves `out` as it is, but is no
// element of an array; members of objects that are unknown, or there twice, are misfits; an
// enumeration is given by its to_string.

json_misfit read_json(json_value in, std::string& out);
json_misfit read_json(json_value in, bool& out);

/// Reads whole numbers that 63 bits hold.
template <class T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) json_misfit
    read_json(json_value in, T& out) {
  if (in.kind() == json_kind::null)
    return {};
  auto number = integer_of(std::string_view{in});
  if (!number || !std::in_range<T>(*number))
    return {"", "must be a whole number that is not too large"};
  out = static_cast<T>(*number);
  return {};
}

/// Tries all 256 values. to_string gives a value outside the enumeration the name of one inside.
template <class T>
requires(std::is_enum_v<T> && sizeof(T) == 1) json_misfit read_json(json_value in, T& out) {
  if (in.kind() == json_kind::null)
    return {};
  auto name = json_string(in);
  for (int i = 0; i < 256; ++i)
    if (to_string(static_cast<T>(i)) == name) {
      out = static_cast<T>(i);
      return {};
    }
  return {"", "is none of the names it can have"};
}

template <described T>
json_misfit read_json(json_value in, T& out);

template <class T>
json_misfit read_json(json_value in, std::vector<T>& out) {
  if (in.kind() == json_kind::null)
    return {};
  if (in.kind() != json_kind::array)
    return {"", "must be an array"};
  json_misfit bad;
  in.for_each_element([&](json_value each) {
    auto place = out.size();
    if (place == max_json_elements)
      bad = {"", "must not have more than 1000000 elements"};
    else if (each.kind() == json_kind::null) // would become an element that nobody made
      bad = {fmt::format("[{}]", place), "must not be null"};
    else if (bad = read_json(each, out.emplace_back()); bad)
      bad = std::move(bad).inside(fmt::format("[{}]", place));
    return !bad;
  });
  return bad;
}

/// Reads the member `key` of `out`; a misfit if there is none of that name, or if it was read
/// before. @param read bits of the members of `out` that were read, in their order
template <described T>
json_misfit read_json_member(std::string_view key, json_value in, T& out, uint64_t& read) {
  const auto read_before = read;
  json_misfit bad;
  uint64_t bit = 1;
  bool known = false;
  for_each_field(out, [&](const char* name, auto& member) {
    if (!known && key == name) {
      known = true;
      read |= bit;
      if (read != read_before)
        bad = read_json(in, member);
    }
    bit <<= 1;
  });
  if (!known)
    return {std::string{key}, "is not known here"};
  if (read == read_before)
    return {std::string{key}, "is there twice"};
  return bad ? std::move(bad).inside(key) : bad;
}

template <described T>
json_misfit read_json(json_value in, T& out) {
  if (in.kind() == json_kind::null)
    return {};
  if (in.kind() != json_kind::object)
    return {"", "must be an object"};
  json_misfit bad;
  uint64_t read = 0;
  in.for_each_member([&](std::string_view key, json_value value) {
    bad = read_json_member(key, value, out, read);
    return !bad;
  });
  return bad;
}

} // namespace troupe

// Values with fields() in the database: JSON objects without the members that have their initial
// value. A stored value stays readable when its struct gets or loses members.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::stored {

// -- members to leave out -------------------------------------------------------------------------

template <class T>
bool is_initial(const T& value, const T& initial) {
  return value == initial;
}

template <class T>
bool is_initial(const std::vector<T>& value, const std::vector<T>& initial) {
  return value.empty() && initial.empty();
}

template <described T>
bool is_initial(const T& value, const T& initial) {
  return std::apply(
      [&](auto... each) {
        return (is_initial(value.*(each.member), initial.*(each.member)) && ...);
      },
      T::fields());
}

// -- writing --------------------------------------------------------------------------------------

template <class T>
void append(json_buffer& out, const T& value) {
  append_json(out, value);
}

/// JSON text is stored as a string, so that any text comes back unchanged.
inline void append(json_buffer& out, const raw_json& value) {
  append_json(out, value.text);
}

/// ["TEXT",{"text":"Hi"}]
void append(json_buffer& out, const event& value);

template <described T>
void append(json_buffer& out, const T& value);

template <class T>
void append(json_buffer& out, const std::vector<T>& values) {
  out.push_back('[');
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0)
      out.push_back(',');
    append(out, values[i]);
  }
  out.push_back(']');
}

/// Appends the members whose names `wanted` accepts; returns whether there was any.
template <described T, class Wanted>
bool append_some(json_buffer& out, const T& value, Wanted wanted) {
  static const T initial{};
  char separator = '{';
  auto one = [&](const auto& each) {
    const auto& member = value.*(each.member);
    if (!wanted(std::string_view{each.name}) || is_initial(member, initial.*(each.member)))
      return;
    out.push_back(separator);
    separator = ',';
    append_json(out, each.name);
    out.push_back(':');
    append(out, member);
  };
  std::apply([&](auto... each) { (one(each), ...); }, T::fields());
  if (separator == '{')
    out.push_back('{');
  out.push_back('}');
  return separator == ',';
}

template <described T>
void append(json_buffer& out, const T& value) {
  append_some(out, value, [](std::string_view) { return true; });
}

/// Returns the value's text; "" if all its members are initial.
template <described T>
std::string text_of(const T& value) {
  json_buffer out;
  auto any = append_some(out, value, [](std::string_view) { return true; });
  return any ? std::string{view(out)} : std::string{};
}

// -- reading: slices of a json_source; a value that does not fit leaves its member as it is -------

inline void read(std::string_view slice, std::string& out) {
  out = json_string(slice);
}

inline void read(std::string_view slice, raw_json& out) {
  out.text = json_string(slice);
}

inline void read(std::string_view slice, bool& out) {
  out = slice == "true";
}

inline void read(std::string_view slice, double& out) {
  out = number_of(slice);
}

inline void read(std::string_view slice, errc& out) {
  out = errc_from(json_string(slice));
}

void read(std::string_view slice, event& out);

template <class T>
requires std::is_integral_v<T>
void read(std::string_view slice, T& out) {
  std::from_chars(slice.data(), slice.data() + slice.size(), out);
}

/// Finds the enumerator whose to_string is in the text.
template <class T>
requires std::is_enum_v<T>
void read(std::string_view slice, T& out) {
  constexpr int most_values = 32;
  auto name = json_string(slice);
  for (int i = 0; i < most_values; ++i)
    if (to_string(static_cast<T>(i)) == name) {
      out = static_cast<T>(i);
      return;
    }
}

template <described T>
void read(std::string_view slice, T& out);

template <class T>
void read(std::string_view slice, std::vector<T>& out) {
  for_each_element(slice, [&out](json_value value) {
    read(std::string_view{value}, out.emplace_back());
    return true;
  });
}

template <described T>
void read(std::string_view slice, T& out) {
  for_each_member(slice, [&out](std::string_view key, json_value value) {
    std::string_view content = value;
    auto one = [&](const auto& each) {
      if (key != each.name)
        return false;
      read(content, out.*(each.member));
      return true;
    };
    std::apply([&](auto... each) { static_cast<void>((one(each) || ...)); }, T::fields());
    return true;
  });
}

/// Reads the output of `append` or text_of, also ""; returns whether it is complete.
template <described T>
bool read_text(std::string_view text, T& out) {
  if (text.empty())
    return true;
  const json_source source{text};
  read(source.root(), out);
  return source.fault().empty();
}

} // namespace troupe::stored

// The one JSON writer: values that list their fields() become JSON objects.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// Where JSON is written to; one allocation serves many values.
using json_buffer = fmt::basic_memory_buffer<char, 1024>;

/// Returns what `out` holds.
inline std::string_view view(const json_buffer& out) {
  return {out.data(), out.size()};
}

/// Appends text as it is.
inline void append_raw(json_buffer& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

/// Appends the characters of a JSON string, escaped, without quotes. Invalid UTF-8 becomes U+FFFD.
void append_escaped(json_buffer& out, std::string_view text);

/// Appends a JSON string with its quotes.
void append_json(json_buffer& out, std::string_view text);

/// Appends a number; NaN and infinities become null.
void append_json(json_buffer& out, double number);

inline void append_json(json_buffer& out, const std::string& text) {
  append_json(out, std::string_view{text});
}

inline void append_json(json_buffer& out, const char* text) {
  append_json(out, std::string_view{text});
}

inline void append_json(json_buffer& out, bool value) {
  append_raw(out, value ? "true" : "false");
}

/// Appends the text as it is; an empty one becomes null.
inline void append_json(json_buffer& out, const raw_json& value) {
  append_raw(out, value.text.empty() ? std::string_view{"null"} : std::string_view{value.text});
}

template <class T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) void append_json(json_buffer& out,
                                                                             T number) {
  fmt::format_to(std::back_inserter(out), "{}", number);
}

/// Enumerations are written as their to_string.
template <class T>
requires std::is_enum_v<T>
void append_json(json_buffer& out, T value) {
  append_json(out, std::string_view{to_string(value)});
}

template <described T>
void append_json(json_buffer& out, const T& value);

template <class T>
void append_json(json_buffer& out, const std::vector<T>& values) {
  out.push_back('[');
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0)
      out.push_back(',');
    append_json(out, values[i]);
  }
  out.push_back(']');
}

/// Appends `"name":value` for each member, separated by commas, without braces.
template <described T>
void append_members(json_buffer& out, const T& value) {
  bool first = true;
  auto append = [&](const auto& each) {
    const auto& member = value.*(each.member);
    using kind = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_same_v<kind, std::string> || std::is_arithmetic_v<kind>)
      if (each.when_given && member == kind{})
        return;
    if (!first)
      out.push_back(',');
    first = false;
    append_json(out, each.name);
    out.push_back(':');
    append_json(out, member);
  };
  std::apply([&](const auto&... each) { (append(each), ...); }, T::fields());
}

template <described T>
void append_json(json_buffer& out, const T& value) {
  out.push_back('{');
  append_members(out, value);
  out.push_back('}');
}

/// Returns `value` as JSON text.
template <class T>
std::string to_json(const T& value) {
  json_buffer out;
  append_json(out, value);
  return std::string{view(out)};
}

} // namespace troupe

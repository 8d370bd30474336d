// Writes values with fields() for the database: see stored_json.hpp.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/json.hpp"

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

} // namespace troupe::stored

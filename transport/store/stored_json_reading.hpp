// Reads the output of stored_json_writing.hpp: slices of a json_source. A value that does not fit
// leaves its member as it is.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::stored {

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

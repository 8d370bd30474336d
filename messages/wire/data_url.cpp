#include "messages/wire/data_url.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int8_t no_value = -1;

/// The value of each character of the alphabet.
constexpr auto base64_values = [] {
  std::array<int8_t, 256> made{};
  made.fill(no_value);
  for (size_t i = 0; i < alphabet.size(); ++i)
    made[static_cast<uint8_t>(alphabet[i])] = static_cast<int8_t>(i);
  return made;
}();

int value_of(char c) {
  if (c == '-' || c == '_') // the alphabet for URLs
    return c == '-' ? 62 : 63;
  return base64_values[static_cast<uint8_t>(c)];
}

bool is_line_end(char c) {
  return c == '\r' || c == '\n';
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3 + 3);
  uint32_t bits = 0;
  unsigned count = 0;
  for (char c : text) {
    if (c == '=')
      break;
    if (is_line_end(c))
      continue;
    auto value = value_of(c);
    if (value < 0)
      return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<char>(bits >> count & 0xFF));
    }
  }
  return out;
}

/// @param low in small letters
bool equal_but_for_case(std::string_view text, std::string_view low) {
  return std::equal(text.begin(), text.end(), low.begin(), low.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

} // namespace

std::optional<data_url_parts> split_data_url(std::string_view url) {
  constexpr std::string_view scheme = "data:";
  constexpr std::string_view mark = ";base64";
  auto comma = url.find(',');
  if (comma == std::string_view::npos || !equal_but_for_case(url.substr(0, scheme.size()), scheme))
    return std::nullopt;
  data_url_parts parts{url.substr(0, comma), url.substr(comma + 1)};
  parts.head.remove_prefix(scheme.size());
  const auto& head = parts.head;
  parts.is_base64 = head.size() >= mark.size() &&
                    equal_but_for_case(head.substr(head.size() - mark.size()), mark);
  if (parts.is_base64)
    parts.head.remove_suffix(mark.size());
  return parts;
}

std::optional<std::string> data_url_bytes(std::string_view url) {
  auto parts = split_data_url(url);
  if (!parts)
    return std::nullopt;
  if (!parts->is_base64)
    return percent_decoded_leniently(parts->data);
  if (parts->data.find('%') == std::string_view::npos)
    return from_base64(parts->data);
  return from_base64(percent_decoded_leniently(parts->data));
}

bool is_strict_base64(std::string_view text) noexcept {
  if (text.empty() || text.size() % 4 != 0)
    return false;
  for (auto left = 2; left > 0 && text.back() == '='; --left)
    text.remove_suffix(1);
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return base64_values[static_cast<uint8_t>(c)] != no_value; });
}

std::string make_data_url(std::string_view media_type, std::string_view bytes) {
  auto url = std::string{"data:"}.append(media_type).append(";base64,");
  url.reserve(url.size() + (bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    auto group = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < group.size() ? static_cast<uint8_t>(group[i]) : 0u);
    for (size_t i = 0; i < 4; ++i)
      url.push_back(i <= group.size() ? alphabet[bits >> (18 - 6 * i) & 63] : '=');
  }
  return url;
}

} // namespace troupe

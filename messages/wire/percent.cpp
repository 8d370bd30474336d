#include "messages/wire/percent.hpp"

#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace troupe {

std::string percent_decoded_leniently(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    uint8_t byte = 0;
    const auto* digits = text.data() + at + 1;
    if (text[at] == '%' && at + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out.push_back(static_cast<char>(byte));
      at += 2;
    } else {
      out.push_back(text[at]);
    }
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out;
  for (unsigned char c : text)
    if (plain.find(static_cast<char>(c)) != std::string_view::npos)
      out.push_back(static_cast<char>(c));
    else
      out += fmt::format("%{:02X}", c);
  return out;
}

} // namespace troupe

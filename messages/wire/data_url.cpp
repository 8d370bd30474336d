#include "messages/wire/data_url.hpp"

#include <cstdint>

#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

int value_of(char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  if (c == '+' || c == '-')
    return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3 + 3);
  uint32_t bits = 0;
  unsigned count = 0;
  for (char c : text) {
    if (c == '=')
      break;
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

} // namespace

std::optional<std::string> data_url_bytes(std::string_view url) {
  constexpr std::string_view scheme = "data:";
  auto comma = url.find(',');
  if (!url.starts_with(scheme) || comma == std::string_view::npos)
    return std::nullopt;
  auto data = url.substr(comma + 1);
  return url.substr(0, comma).ends_with(";base64") ? from_base64(data)
                                                   : percent_decoded_leniently(data);
}

} // namespace troupe

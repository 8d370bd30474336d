#include "transport/http/authority.hpp"

#include <algorithm>
#include <string>

#include <arpa/inet.h>

namespace troupe {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view{"-._~!$&'()*+,;="}.find(c) != std::string_view::npos;
}

bool is_name(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (is_name_char(text[at]))
      continue;
    if (text[at] != '%' || at + 2 >= text.size() || !is_hex(text[at + 1]) || !is_hex(text[at + 2]))
      return false;
    at += 2;
  }
  return text.find_first_not_of('.') != std::string_view::npos;
}

bool is_ipv6(std::string_view text) {
  in6_addr parsed{};
  return text.find('\0') == std::string_view::npos &&
         inet_pton(AF_INET6, std::string{text}.c_str(), &parsed) == 1;
}

} // namespace

bool is_authority(std::string_view text) {
  auto end = text.find(':');
  bool fits = false;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos)
      return false;
    fits = is_ipv6(text.substr(1, close - 1));
    end = close + 1;
  } else {
    end = std::min(end, text.size());
    fits = is_name(text.substr(0, end));
  }
  const auto port = text.substr(end);
  return fits && (port.empty() ||
                  (port.front() == ':' && std::all_of(port.begin() + 1, port.end(), is_digit)));
}

} // namespace troupe

#include "messages/wire/ollama/ollama_address.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::string_view default_host = "127.0.0.1";
constexpr std::string_view default_port = ":11434";
constexpr std::string_view api = "/api"; // other clients have it in the address

/// Returns the host that a client reaches.
std::string_view reachable(std::string_view host) {
  if (host.empty() || host == "0.0.0.0")
    return default_host;
  return host == "[::]" || host == "::" ? "[::1]" : host;
}

/// Returns where the port begins, with its colon; npos: there is none.
size_t port_of(std::string_view authority) {
  const auto colon = authority.rfind(':');
  const auto bracket = authority.rfind(']');
  const auto is_inside = colon != authority.npos && bracket != authority.npos && colon < bracket;
  const auto is_bare_address = std::ranges::count(authority, ':') > 1 && bracket == authority.npos;
  return is_inside || is_bare_address ? authority.npos : colon;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view around = " \t\r\n\"'";
  const auto first = std::min(text.find_first_not_of(around), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(around) + 1);
}

} // namespace

std::string ollama_address(std::string_view written) {
  written = trimmed(written);
  const auto scheme_end = written.find("://");
  const bool has_scheme = scheme_end != written.npos;
  std::string url{has_scheme ? written.substr(0, scheme_end + 3) : "http://"};
  if (has_scheme)
    written.remove_prefix(scheme_end + 3);
  const auto authority = written.substr(0, written.find_first_of("/?#"));
  auto rest = written.substr(authority.size());
  const auto port = port_of(authority);
  const auto host = reachable(authority.substr(0, port));
  const bool needs_brackets = host.find(':') != host.npos && !host.starts_with('[');
  url.append(needs_brackets ? "[" : "").append(host).append(needs_brackets ? "]" : "");
  if (port != authority.npos)
    url.append(authority.substr(port));
  else if (!has_scheme)
    url.append(default_port);
  while (rest.ends_with('/'))
    rest.remove_suffix(1);
  if (rest.ends_with(api))
    rest.remove_suffix(api.size());
  return url.append(rest);
}

} // namespace troupe

#include "apps/bench/target/target_address.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>

#include <fmt/format.h>

namespace troupe::bench {

namespace {

constexpr std::string_view completions = "/chat/completions";
constexpr std::string_view versioned_completions = "/v1/chat/completions";

/// Returns the host and port: the part between scheme (or user) and path.
std::string_view authority_of(std::string_view address) {
  auto scheme = address.find("://");
  auto rest = scheme == std::string_view::npos ? address : address.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  auto user = rest.rfind('@');
  return user == std::string_view::npos ? rest : rest.substr(user + 1);
}

using variables = std::function<const char*(const char*)>;

/// Returns the first of the variables that says something, or "".
std::string first_set(const variables& value_of, std::initializer_list<const char*> names) {
  for (const auto* name : names)
    if (const char* value = value_of(name); value != nullptr && *value != '\0')
      return name;
  return {};
}

/// Returns whether an entry of no_proxy names the host: itself, or a domain that it is in.
bool names(std::string_view entry, std::string_view host) {
  if (entry.starts_with('.'))
    entry.remove_prefix(1);
  if (entry.empty() || !host.ends_with(entry))
    return entry == "*";
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

bool is_excepted(std::string_view list, std::string_view host) {
  constexpr std::string_view between = ", ";
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(between), list.size());
    if (names(list.substr(0, end), host))
      return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

} // namespace

split_address split(std::string_view given) {
  given = given.substr(0, given.find('#'));
  const auto at = std::min(given.find('?'), given.size());
  auto path = given.substr(0, at);
  while (path.ends_with('/'))
    path.remove_suffix(1);
  const bool has_scheme = path.find("://") != std::string_view::npos;
  return {(has_scheme ? "" : "http://") + std::string{path}, std::string{given.substr(at)}};
}

std::string base_address(std::string_view given) {
  auto parts = split(given);
  return parts.base + parts.query;
}

std::string address_with(std::string_view given, std::string_view path) {
  auto parts = split(given);
  if (!parts.base.ends_with(path))
    parts.base += path;
  return parts.base + parts.query;
}

std::string completions_address(std::string_view given) {
  return address_with(given, has_path(given) ? completions : versioned_completions);
}

std::string models_address(std::string_view address) {
  auto parts = split(address);
  parts.base.resize(parts.base.size() - completions.size());
  return parts.base + "/models" + parts.query;
}

bool has_path(std::string_view address) {
  const auto base = split(address).base;
  return base.find('/', base.find("://") + 3) != std::string::npos;
}

std::string host_of(std::string_view address) {
  const auto host = authority_of(address);
  const auto colon = host.rfind(':');
  const bool has_port = colon != host.npos && host.find(']', colon) == host.npos;
  return std::string{has_port ? host.substr(0, colon) : host};
}

uint16_t loopback_port(std::string_view address) {
  const auto base = base_address(address);
  const auto host = host_of(base);
  uint16_t port = base.starts_with("https:") ? 443 : 80;
  if (auto rest = authority_of(base); rest.size() > host.size()) {
    rest.remove_prefix(host.size() + 1);
    std::from_chars(rest.data(), rest.data() + rest.size(), port);
  }
  const bool here = host == "localhost" || host == "[::1]" || host.starts_with("127.");
  return here ? port : uint16_t{0};
}

std::string environment_proxy(std::string_view address, const variables& value_of) {
  const auto base = base_address(address);
  auto host = host_of(base);
  if (host.starts_with('['))
    host = host.substr(1, host.size() - 2);
  if (const auto name = first_set(value_of, {"no_proxy", "NO_PROXY"});
      !name.empty() && is_excepted(value_of(name.c_str()), host))
    return {};
  // Like libcurl, ignores HTTP_PROXY: in a CGI program it comes from the request's header "Proxy".
  const auto own = base.starts_with("https:") ? first_set(value_of, {"https_proxy", "HTTPS_PROXY"})
                                              : first_set(value_of, {"http_proxy"});
  return own.empty() ? first_set(value_of, {"all_proxy", "ALL_PROXY"}) : own;
}

std::string proxy_note(std::string_view address) {
  const auto name = environment_proxy(address, [](const char* each) { return std::getenv(each); });
  if (name.empty())
    return {};
  return fmt::format("The environment names a proxy ({}): the times are of requests through it, "
                     "unless no_proxy excepts {}.",
                     name, host_of(address));
}

} // namespace troupe::bench

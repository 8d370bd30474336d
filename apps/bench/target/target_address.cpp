#include "apps/bench/target/target_address.hpp"

#include <algorithm>
#include <charconv>

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

} // namespace troupe::bench

#include "apps/bench/target_address.hpp"

#include <charconv>

namespace troupe::bench {

namespace {

/// Returns what stands between the scheme and the path.
std::string_view authority_of(std::string_view address) {
  auto scheme = address.find("://");
  auto rest = scheme == std::string_view::npos ? address : address.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  auto user = rest.rfind('@');
  return user == std::string_view::npos ? rest : rest.substr(user + 1);
}

} // namespace

std::string base_address(std::string_view given) {
  while (given.ends_with('/'))
    given.remove_suffix(1);
  std::string out{given};
  return given.find("://") == std::string_view::npos ? "http://" + out : out;
}

std::string address_with(std::string_view given, std::string_view path) {
  auto out = base_address(given);
  return out.ends_with(path) ? out : out.append(path);
}

std::string completions_address(std::string_view given) {
  auto base = base_address(given);
  return address_with(base, has_path(base) ? "/chat/completions" : "/v1/chat/completions");
}

bool has_path(std::string_view address) {
  auto base = base_address(address);
  return base.find('/', base.find("://") + 3) != std::string::npos;
}

uint16_t loopback_port(std::string_view address) {
  const auto base = base_address(address);
  auto host = authority_of(base);
  uint16_t port = base.starts_with("https:") ? 443 : 80;
  auto colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    auto digits = host.substr(colon + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), port);
    host = host.substr(0, colon);
  }
  const bool here = host == "localhost" || host == "[::1]" || host.starts_with("127.");
  return here ? port : uint16_t{0};
}

} // namespace troupe::bench

#include "apps/engine/access/request_origin.hpp"

#include <algorithm>

#include <arpa/inet.h>

#include "transport/http/authority.hpp"

namespace troupe {

namespace {

/// Returns the host of HOST or HOST:PORT in lower case; [..] of an IPv6 address stays.
std::string host_of(std::string_view address) {
  std::string out{
      address.substr(0, address.starts_with('[') ? address.find(']') + 1 : address.find(':'))};
  if (out.ends_with('.'))
    out.pop_back();
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

/// Browsers write an IPv4 address with four decimal numbers, whatever a person typed. Nobody can
/// register such a name. @param host as host_of() returns it
bool is_ip_address(const std::string& host) {
  in6_addr parsed{};
  if (host.starts_with('['))
    return inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &parsed) == 1;
  return inet_pton(AF_INET, host.c_str(), &parsed) == 1;
}

} // namespace

page_origin origin_of(const known_fields& of, const std::vector<std::string>& allowed) {
  const auto origin = of.page;
  if (origin.empty())
    return page_origin::none;
  const auto scheme = origin.find("://");
  const auto host = scheme == std::string_view::npos ? scheme : scheme + 3;
  // A page cannot set these headers: X-Forwarded-Host would need a preflight.
  if (host != std::string_view::npos && host < origin.size() &&
      (origin.substr(host) == of.host || origin.substr(host) == of.forwarded_host))
    return page_origin::own;
  auto fits = [&](const std::string& each) { return each == "*" || each == origin; };
  return std::any_of(allowed.begin(), allowed.end(), fits) ? page_origin::allowed
                                                           : page_origin::cross_origin;
}

failure origin_refusal(const known_fields& of) {
  return {errc::origin_refused,
          "Pages of " + std::string{of.page} +
              " may not use this server. cors.origins in its configuration names those that may; "
              "a proxy must pass the Host header on."};
}

bool is_known_host(const known_fields& of, std::string_view listen,
                   const std::vector<std::string>& allowed) {
  if (of.host.empty())
    return true;
  if (!is_authority(of.host))
    return false;
  const auto host = host_of(of.host);
  if (is_ip_address(host) || host == "localhost" || host.ends_with(".localhost") ||
      host == host_of(listen))
    return true;
  return std::any_of(allowed.begin(), allowed.end(), [&](std::string_view each) {
    const auto scheme = each.find("://");
    return each == "*" ||
           (scheme != std::string_view::npos && host == host_of(each.substr(scheme + 3)));
  });
}

failure host_refusal(const known_fields& of) {
  return {errc::origin_refused,
          "Without API keys this server does not answer to the name " + std::string{of.host} +
              ". cors.origins in its configuration names others, as https://chat.example."};
}

headers cors_headers(const known_fields& of) {
  if (of.origin.empty())
    return {};
  return {{"access-control-allow-origin", std::string{of.origin}},
          {"access-control-expose-headers",
           "x-request-id, etag, location, retry-after, www-authenticate, x-should-retry"},
          {"vary", "origin"}};
}

headers preflight_headers(const known_fields& of) {
  headers out{{"access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE"},
              {"access-control-max-age", "7200"}};
  // All headers are allowed: the server takes no cookies, so a page sends only secrets that it has.
  if (!of.asked_headers.empty())
    out.push_back({"access-control-allow-headers", std::string{of.asked_headers}});
  if (of.asked_private_network == "true")
    out.push_back({"access-control-allow-private-network", "true"});
  return out;
}

} // namespace troupe

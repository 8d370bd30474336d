#include "apps/engine/access/request_origin.hpp"

#include <algorithm>
#include <string_view>

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

/// Digits and dots cannot be a name: browsers take a host that ends in a number as IPv4 address
/// only. Brackets hold an IPv6 address.
bool is_ip_address(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

} // namespace

page_origin origin_of(const headers& fields, const std::vector<std::string>& allowed) {
  const auto origin = find_header(fields, "origin");
  if (origin.empty())
    return page_origin::none;
  const auto scheme = origin.find("://");
  const auto host = scheme == std::string_view::npos ? scheme : scheme + 3;
  // A page cannot set these headers: X-Forwarded-Host would need a preflight.
  if (host != std::string_view::npos && host < origin.size() &&
      (origin.substr(host) == find_header(fields, "host") ||
       origin.substr(host) == find_header(fields, "x-forwarded-host")))
    return page_origin::own;
  auto fits = [&](const std::string& each) { return each == "*" || each == origin; };
  return std::any_of(allowed.begin(), allowed.end(), fits) ? page_origin::allowed
                                                           : page_origin::foreign;
}

failure origin_refusal(const headers& fields) {
  return {errc::origin_refused,
          "Pages of " + std::string{find_header(fields, "origin")} +
              " may not use this server. cors.origins in its configuration names those that may; "
              "a proxy must pass the Host header on."};
}

bool is_known_host(const headers& fields, std::string_view listen,
                   const std::vector<std::string>& allowed) {
  const auto field = find_header(fields, "host");
  if (field.empty())
    return true;
  const auto host = host_of(field);
  if (host.empty())
    return false;
  if (is_ip_address(host) || host == "localhost" || host.ends_with(".localhost") ||
      host == host_of(listen))
    return true;
  return std::any_of(allowed.begin(), allowed.end(), [&](std::string_view each) {
    const auto scheme = each.find("://");
    return each == "*" ||
           (scheme != std::string_view::npos && host == host_of(each.substr(scheme + 3)));
  });
}

failure host_refusal(const headers& fields) {
  return {errc::origin_refused,
          "Without API keys this server does not answer to the name " +
              std::string{find_header(fields, "host")} +
              ". cors.origins in its configuration names others, as https://chat.example."};
}

headers cors_headers(const headers& fields) {
  return {{"access-control-allow-origin", std::string{find_header(fields, "origin")}},
          {"access-control-expose-headers",
           "x-request-id, etag, location, retry-after, www-authenticate, x-should-retry"},
          {"vary", "origin"}};
}

bool is_preflight(const server_request& request) {
  return request.method == "OPTIONS" && !find_header(request.fields, "origin").empty() &&
         !find_header(request.fields, "access-control-request-method").empty();
}

headers preflight_headers(const headers& fields) {
  headers out{{"access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE"},
              {"access-control-max-age", "7200"}};
  // All headers are allowed: the server takes no cookies, so a page sends only secrets that it has.
  if (auto asked = find_header(fields, "access-control-request-headers"); !asked.empty())
    out.push_back({"access-control-allow-headers", std::string{asked}});
  if (find_header(fields, "access-control-request-private-network") == "true")
    out.push_back({"access-control-allow-private-network", "true"});
  return out;
}

} // namespace troupe

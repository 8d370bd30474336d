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

/// Returns SCHEME://HOST:PORT of the page that a Referer names.
std::string_view origin_of_url(std::string_view url) {
  const auto scheme = url.find("://");
  return scheme == std::string_view::npos ? std::string_view{}
                                          : url.substr(0, url.find('/', scheme + 3));
}

/// Returns whether another site's page has its browser send this without Origin: as a picture, a
/// script or the like (Fetch Metadata). A person who follows a link is none.
bool is_of_other_site(const headers& fields) {
  const auto site = find_header(fields, "sec-fetch-site");
  return (site == "cross-site" || site == "same-site") &&
         find_header(fields, "sec-fetch-mode") != "navigate";
}

/// Returns the origin of the page that sends a request, "another site" if that is all that is
/// known, or "" if no page does.
std::string_view page_of(const headers& fields) {
  if (const auto origin = find_header(fields, "origin"); !origin.empty())
    return origin;
  if (!is_of_other_site(fields))
    return {};
  const auto page = origin_of_url(find_header(fields, "referer"));
  return page.empty() ? "another site" : page;
}

} // namespace

page_origin origin_of(const headers& fields, const std::vector<std::string>& allowed) {
  const auto origin = page_of(fields);
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
          "Pages of " + std::string{page_of(fields)} +
              " may not use this server. cors.origins in its configuration names those that may; "
              "a proxy must pass the Host header on."};
}

bool is_known_host(const headers& fields, std::string_view listen,
                   const std::vector<std::string>& allowed) {
  const auto field = find_header(fields, "host");
  if (field.empty())
    return true;
  if (!is_authority(field))
    return false;
  const auto host = host_of(field);
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
  if (find_header(fields, "origin").empty())
    return {};
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

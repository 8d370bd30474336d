#include "apps/engine/access/auth.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "apps/engine/access/request_origin.hpp"

namespace troupe {

namespace {

constexpr std::string_view key_protocol = "troupe.key.";

bool is_letter_of(char lower, char c) {
  return c == lower || c == lower - 'a' + 'A';
}

/// Returns the credentials of `Authorization: Bearer ...`; schemes are of any case (RFC 9110).
std::string_view bearer(std::string_view value) {
  constexpr std::string_view scheme = "bearer";
  if (value.size() <= scheme.size() || value[scheme.size()] != ' ' ||
      !std::equal(scheme.begin(), scheme.end(), value.begin(), is_letter_of))
    return {};
  value.remove_prefix(std::min(value.find_first_not_of(' ', scheme.size()), value.size()));
  return value;
}

/// Finds a key among the subprotocols: the only header that a page can set for a WebSocket.
std::string_view protocol_key(std::string_view protocols) {
  while (!protocols.empty()) {
    auto each = protocols.substr(0, protocols.find(','));
    protocols.remove_prefix(std::min(protocols.size(), each.size() + 1));
    each.remove_prefix(std::min(each.find_first_not_of(" \t"), each.size()));
    each = each.substr(0, each.find_last_not_of(" \t") + 1);
    if (each.starts_with(key_protocol))
      return each.substr(key_protocol.size());
  }
  return {};
}

std::string whole_seconds(std::chrono::nanoseconds time) {
  return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count());
}

void check_key(const server_request& request, route_access access, const key_ring& keys,
               admission& out) {
  out.refused = keys.find(key_of(request), out.who);
  if (out.refused.code == errc::unauthorized)
    out.fields.push_back({"www-authenticate", "Bearer"});
  if (!out.refused && access == route_access::admins && !out.who.admin)
    out.refused = {errc::forbidden, "This takes the API key of an admin."};
}

/// @param early how long the request comes too early for the rate of its key
void check_rate(std::chrono::nanoseconds early, admission& out) {
  if (early.count() <= 0)
    return;
  out.refused = {errc::rate_limited, ""};
  out.fields.push_back({"retry-after", whole_seconds(early)});
}

admission decide(const server_request& request, route_access access, const engine_config& config,
                 const key_ring& keys) {
  admission out;
  const auto origin = origin_of(request.fields, config.cors_origins);
  if (origin == page_origin::allowed)
    out.cors = cors_headers(request.fields);
  if (access == route_access::everybody)
    return out;
  if (!config.auth.keys && !is_known_host(request.fields, config.listen, config.cors_origins)) {
    out.refused = host_refusal(request.fields);
  } else if (origin == page_origin::foreign) {
    out.refused = origin_refusal(request.fields);
  } else if (origin == page_origin::allowed && is_preflight(request)) {
    out.is_preflight = true;
    out.fields = preflight_headers(request.fields);
  } else if (config.auth.keys) {
    check_key(request, access, keys, out);
  }
  return out;
}

} // namespace

std::string_view key_of(const server_request& request) {
  if (auto key = bearer(find_header(request.fields, "authorization")); !key.empty())
    return key;
  if (auto key = find_header(request.fields, "x-api-key"); !key.empty())
    return key;
  return request.path == "/v1/ws"
             ? protocol_key(find_header(request.fields, "sec-websocket-protocol"))
             : std::string_view{};
}

admission admit(const server_request& request, route_access access, const engine_config& config,
                const key_ring& keys) {
  auto out = decide(request, access, config, keys);
  if (out.who.meter)
    check_rate(out.who.meter->take(), out);
  return out;
}

admission identify(const server_request& request, route_access access, const engine_config& config,
                   const key_ring& keys) {
  auto out = decide(request, access, config, keys);
  if (out.who.meter)
    check_rate(out.who.meter->early(), out);
  return out;
}

} // namespace troupe

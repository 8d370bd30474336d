#include "apps/engine/access/auth.hpp"

#include <chrono>
#include <string>

#include "apps/engine/access/request_origin.hpp"

namespace troupe {

namespace {

std::string whole_seconds(std::chrono::nanoseconds time) {
  return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count());
}

void check_key(const known_fields& request, route_access access, const key_ring& keys,
               admission& out) {
  out.refused = keys.find(request.key, out.who);
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

admission decide(const known_fields& request, route_access access, const engine_config& config,
                 const key_ring& keys) {
  admission out;
  const auto origin = origin_of(request, config.cors_origins);
  if (origin == page_origin::allowed)
    out.cors = cors_headers(request);
  if (access == route_access::everybody)
    return out;
  if (!config.auth.keys && !is_known_host(request, config.listen, config.cors_origins)) {
    out.refused = host_refusal(request);
  } else if (origin == page_origin::cross_origin) {
    out.refused = origin_refusal(request);
  } else if (origin == page_origin::allowed && request.preflight) {
    out.is_preflight = true;
    out.fields = preflight_headers(request);
  } else if (config.auth.keys) {
    check_key(request, access, keys, out);
  }
  out.who.inner_texts = out.who.admin || config.shows_error_details();
  return out;
}

} // namespace

admission admit(const known_fields& request, route_access access, const engine_config& config,
                const key_ring& keys) {
  auto out = decide(request, access, config, keys);
  if (out.who.meter)
    check_rate(out.who.meter->take(), out);
  return out;
}

admission identify(const known_fields& request, route_access access, const engine_config& config,
                   const key_ring& keys) {
  auto out = decide(request, access, config, keys);
  if (out.who.meter)
    check_rate(out.who.meter->early(), out);
  return out;
}

} // namespace troupe

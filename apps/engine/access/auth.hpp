// Who may send a request: its origin, its API key, the key's rate.
#pragma once

#include "apps/engine/access/key_ring.hpp"
#include "apps/engine/access/known_fields.hpp"
#include "apps/engine/access/principal.hpp"
#include "apps/engine/config.hpp"
#include "messages/http.hpp"

namespace troupe {

/// The decision about a request before its route runs.
struct admission {
  failure refused;           ///< origin_refused, unauthorized, rate_limited, forbidden; none: go on
  bool is_preflight = false; ///< it is answered with 204 and `fields`
  headers fields;            ///< header fields of a refusal, or of the answer to a preflight
  headers cors;              ///< header fields of every answer
  principal who;
};

/// Checks host, origin, key and rate, in this order; nothing on routes for everybody. Without
/// `config.auth.keys` every client is the single user, and the host is checked. With keys it is
/// not. @param access of the route; `owners` if there is no route
admission admit(const known_fields& request, route_access access, const engine_config& config,
                const key_ring& keys);

/// Decides the same without counting the request to its key's rate.
admission identify(const known_fields& request, route_access access, const engine_config& config,
                   const key_ring& keys);

} // namespace troupe

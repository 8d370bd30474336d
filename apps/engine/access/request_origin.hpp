// Which pages may use the HTTP interface: browsers say where a page comes from, programs do not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/engine/access/known_fields.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"

namespace troupe {

/// Where a request comes from, by its Origin header, or by Sec-Fetch-Site where a browser sends no
/// Origin.
enum class page_origin : uint8_t {
  none,        ///< no page: a program, or a page of this server that reads
  own,         ///< a page of this server: its host is the request's Host or X-Forwarded-Host
  allowed,     ///< another one that the operator allows
  cross_origin ///< any other
};

/// @param allowed "https://app.example"; "*": all
page_origin origin_of(const known_fields& of, const std::vector<std::string>& allowed);

/// Says to a person why a page was refused.
failure origin_refusal(const known_fields& of);

/// Returns whether the request's Host is safe from DNS rebinding, where an attacker's name points
/// at this machine and the browser takes the attacker's page for one of this server. Safe are IP
/// addresses, localhost, and hosts that the operator names. A request without Host passes.
/// @param listen "HOST:PORT" @param allowed as for origin_of; "*": every host
bool is_known_host(const known_fields& of, std::string_view listen,
                   const std::vector<std::string>& allowed);

/// Says to a person why a host was refused.
failure host_refusal(const known_fields& of);

/// Returns the header fields with which a browser lets an allowed page read the answer; none where
/// it sent no Origin.
headers cors_headers(const known_fields& of);

/// Returns the header fields that allow the request of a preflight, beside cors_headers().
headers preflight_headers(const known_fields& of);

} // namespace troupe

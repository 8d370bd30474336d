// The part that all ways to ask a Troupe server share.
#pragma once

#include <string>
#include <string_view>

#include "apps/bench/plan/plan.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"

namespace troupe::bench {

/// The environment's name of the API key for Troupe servers.
inline constexpr const char* troupe_key = "TROUPE_API_KEY";

/// Returns `url` with `path` in place of the path of a Troupe route, and with its query.
std::string troupe_address(const std::string& url, std::string_view path);

/// The request that stops the running turn of a chat.
http_request troupe_stop(const target_spec& target, const std::string& session_id);

/// The request that asks whether turns are taken, and what its answer means.
http_request troupe_probe(const target_spec& target);
failure judge_troupe(uint16_t status, const std::string& body);

} // namespace troupe::bench

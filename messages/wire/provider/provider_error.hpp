// The errors of providers, in the formats that are in use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// How much of an error's body is read; the rest is cut off.
inline constexpr size_t max_error_body_bytes = size_t{8} * 1024;

/// Returns `body` as one short line, without markup, control characters and runs of space.
std::string excerpt(std::string_view body, size_t max_bytes = 200);

/// Makes a failure of an error that came as JSON: {"error":{"message","code","type"}},
/// {"error":"..."}, {"message"}, {"detail"}, or one of these in an array. Code 402, and words for a
/// quota that is used up, give model_quota_exhausted; 429 model_rate_limited; 503 and 529
/// model_overloaded; 400, 413 and 422 model_request_invalid, unless the model had begun to answer;
/// other 4xx model_refused; all others model_failed. Words count in `code`, `type` and `status`
/// only.
/// @param status of the HTTP answer; 200 for an error inside a stream
failure provider_error(uint16_t status, std::string_view json);

/// Returns when to try again, in milliseconds, as the details of Google's errors say; -1: they do
/// not.
int64_t retry_delay_in(std::string_view json);

/// Makes a failure of an HTTP answer that is not an answer of the model.
/// @param content_type as received
/// @param retry_after as received; "" if none
failure refused_exchange(uint16_t status, std::string_view content_type,
                         std::string_view retry_after, std::string_view body);

} // namespace troupe

// The few facts that a transport needs of the JSON-RPC messages it carries.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace troupe::jsonrpc {

/// Returns the ids of the responses (results and errors) in `text`, one message or a batch; 7, 7.0
/// and "7" are 7. Other messages, other ids and text that is no JSON are skipped. Never throws.
std::vector<int64_t> response_ids(std::string_view text);

/// Returns the request that a `notifications/cancelled` cancels, or 0.
int64_t cancelled_request(std::string_view text);

} // namespace troupe::jsonrpc

// JSON-RPC 2.0 as MCP uses it: framing only, payloads stay JSON text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "messages/errors.hpp"

namespace troupe::jsonrpc {

/// Error codes of JSON-RPC 2.0, section 5.1.
enum code : int64_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
};

/// A request of the peer; `id` is JSON text (a number or a string), to be sent back as it is.
struct request {
  std::string id;
  std::string method;
  std::string params; ///< JSON text; "" if absent
};

/// A notification of the peer.
struct notification {
  std::string method;
  std::string params; ///< JSON text; "" if absent
};

/// The answer to a request of ours. Ids of ours are positive integers, also as 1.0 or "1"; any
/// other id gives 0.
struct response {
  int64_t id = 0;
  std::string result; ///< JSON text; "" if this is an error
  bool is_error = false;
  int64_t error_code = 0;
  std::string error_message;
  std::string error_data; ///< JSON text; "" if absent
  bool anonymous = false; ///< its id is null, missing, or none that we could have given
};

/// A text that could not be read as JSON-RPC, and the reason.
struct malformed {
  std::string reason;
  int64_t id = 0; ///< the request of ours whose response it seems to be; 0 = of none
};

/// One message of the peer.
using message = std::variant<request, notification, response, malformed>;

/// Parses one JSON text: a message, or a batch (an array, revision 2025-03-26). Never throws;
/// returns at least one message. A batch gives at most 10 000 messages, and one `malformed` for all
/// its faults.
std::vector<message> parse(std::string_view text);

/// Gets a message, which it may move from.
using message_visitor = std::function<void(message&)>;

/// As parse(), without a container: shows the messages in their order.
void for_each_message(std::string_view text, const message_visitor& visit);

/// Makes a request, on one line like all messages made here. @param params JSON text; "" = none
std::string make_request(int64_t id, std::string_view method, std::string_view params);

std::string make_notification(std::string_view method, std::string_view params);

/// Answers a request of the peer. @param id as it came in request::id
std::string make_result(std::string_view id, std::string_view result);

std::string make_error(std::string_view id, int64_t error_code, std::string_view message);

} // namespace troupe::jsonrpc

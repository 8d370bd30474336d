// The header fields of a client's request that more than one place asks for.
#pragma once

#include <string_view>

#include "messages/http.hpp"

namespace troupe {

/// The known header fields of one request, read once at the door; "" is a field that is not there.
/// All are views into the fields of the request, also after it was moved. After a change of its
/// fields they must be read again.
struct known_fields {
  std::string_view host = {};
  std::string_view forwarded_host = {}; ///< X-Forwarded-Host
  std::string_view origin = {};
  /// The origin of the page that sends it, "another site" if that is all that is known, or "" if no
  /// page does.
  std::string_view page = {};
  /// `Authorization: Bearer KEY`, `x-api-key: KEY`, or in the handshake of a WebSocket the
  /// subprotocol `troupe.key.KEY`.
  std::string_view key = {};
  bool preflight = false;                      ///< a browser asks whether a page may send a request
  std::string_view asked_headers = {};         ///< Access-Control-Request-Headers
  std::string_view asked_private_network = {}; ///< Access-Control-Request-Private-Network
  std::string_view content_encoding = {};
  std::string_view request_id = {};  ///< x-request-id, as received
  std::string_view traceparent = {}; ///< as received
};

/// Reads them in one pass. If a name occurs several times, its first value counts.
known_fields read_known_fields(const server_request& request);

} // namespace troupe

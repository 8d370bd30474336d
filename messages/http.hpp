// HTTP as values: our requests to other servers, their answers, and the requests of our clients.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

class body_sink; // messages/ports/client_ports.hpp

/// One header field. Names of received headers are in lower case.
struct header {
  std::string name;
  std::string value;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("name", &header::name), field("value", &header::value));
  }
};

/// Header fields in their order; one name may occur several times.
using headers = std::vector<header>;

/// Returns the value of the first header called `name` (lower case), or "" if there is none.
std::string_view find_header(const headers& in, std::string_view name);

/// How long an exchange may take; zero means no limit.
struct http_deadlines {
  std::chrono::milliseconds connect{10'000};     ///< name lookup, TCP and TLS
  std::chrono::milliseconds first_byte{120'000}; ///< from the start to the first body byte
  std::chrono::milliseconds idle{60'000};        ///< between two reads of the body
  std::chrono::milliseconds total{600'000};      ///< the whole exchange
  /// Without a sign of the peer's kernel the connection is lost; zero: as this system does it.
  std::chrono::milliseconds dead_peer{0};
};

/// One outgoing request. `url` is absolute, http or https; TLS certificates are verified.
struct http_request {
  std::string method{"GET"};
  std::string url;
  headers fields;
  std::string body;
  std::string proxy; ///< URL of a proxy; empty = as the environment says
  http_deadlines deadlines;
  bool once = false; ///< never sent twice: a server that got the whole body may have acted on it
  bool wants_head = false; ///< http_part::head is set
  bool direct = false;     ///< never through a proxy of the environment
};

/// A part of an answer: the bytes of one network read. An exchange delivers exactly one part with
/// `last` set, as its last one.
struct http_part {
  uint64_t exchange = 0; ///< the caller's number for this exchange
  uint16_t status = 0;   ///< in the part that brings the head; 0 in others
  bool last = false;     ///< the exchange is over
  /// Only with last: connect_*, connection_cut, deadline_exceeded, encoding_unsupported.
  errc error = errc::none;
  std::string bytes;        ///< body bytes, may be empty
  std::string content_type; ///< in the part that brings the head
  std::string retry_after;  ///< in the part that brings the head; as received, or of retry-after-ms
  int8_t should_retry = -1; ///< in the part that brings the head: x-should-retry, 0 or 1
  std::string session;      ///< in the part that brings the head: Mcp-Session-Id
  std::string location;     ///< in the part that brings the head: Location, as received
  std::string error_text;   ///< only with error: what happened, for the log and the operator
  headers head; ///< in the part that brings the head: all its fields, if the request wants them

  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("exchange", &http_part::exchange), field("status", &http_part::status),
        field("content_type", &http_part::content_type),
        field("retry_after", &http_part::retry_after),
        field("should_retry", &http_part::should_retry), field("session", &http_part::session),
        field("location", &http_part::location), field("bytes", &http_part::bytes),
        field("last", &http_part::last), field("error", &http_part::error),
        field("error_text", &http_part::error_text), field("head", &http_part::head));
  }
};

/// One request that a client sent to our server, body complete unless it says otherwise.
struct server_request {
  std::string method; ///< upper case
  std::string path;   ///< decoded, without the query
  std::string target; ///< the path as received; here an encoded slash differs from a plain one
  std::string query;  ///< as received, without '?'
  headers fields;     ///< names in lower case
  std::string body;
  std::string peer;                      ///< the client's address, "127.0.0.1:40000"
  std::shared_ptr<body_sink> taken = {}; ///< has the body, as far as it wanted it; `body` is empty
  bool too_large = false;                ///< the body is above the limit, and was not read
};

/// The share of an HTTP server's resources that its clients hold.
struct client_load {
  size_t connections = 0;
  size_t buffered_bytes = 0;      ///< in memory: bodies, messages in the making, unread answers
  size_t max_buffered_bytes = 0;  ///< the limit
  uint64_t buffered_refusals = 0; ///< requests refused and clients given up because of the limit
};

/// An event of the client of an answer in progress.
enum class response_signal : uint8_t {
  drained, ///< the outgoing buffer fell to its low-water mark
  gone,    ///< the client closed, or was closed for being too slow; nothing more comes
};

} // namespace troupe

// A request that the server answers by itself, with an error, before any handler sees it.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// The error for a client; the connection closes after it. Both texts have static storage and need
/// no escaping in JSON.
struct http_refusal {
  uint16_t status = 0; ///< 0: nothing is refused
  std::string_view code;
  std::string_view message;

  explicit operator bool() const { return status != 0; }
};

namespace refusal {

inline constexpr http_refusal malformed{400, "request_invalid", "This is not valid HTTP/1.1."};
inline constexpr http_refusal no_host{400, "request_invalid",
                                      "An HTTP/1.1 request needs exactly one host header."};
inline constexpr http_refusal bad_host{
    400, "request_invalid",
    "The host header is not HOST or HOST:PORT; brackets hold an IPv6 address."};
inline constexpr http_refusal bad_length{
    400, "request_invalid", "The length of the body is missing, ambiguous or not a number."};
inline constexpr http_refusal timeout{408, "deadline_exceeded",
                                      "The request did not arrive in time."};
inline constexpr http_refusal body_too_large{413, "request_too_large",
                                             "The body of the request is too large."};
inline constexpr http_refusal expectation{417, "request_invalid",
                                          "Only 'expect: 100-continue' is understood."};
inline constexpr http_refusal head_too_large{431, "request_too_large",
                                             "The headers of the request are too large."};
inline constexpr http_refusal coding{501, "request_invalid",
                                     "No transfer coding but 'chunked' is understood."};
inline constexpr http_refusal too_many{503, "too_many_connections",
                                       "The server is at its limit of connections; try later."};
inline constexpr http_refusal no_room{
    503, "too_many_connections",
    "Too many bytes of clients wait in the server's memory; try again later."};
inline constexpr http_refusal no_memory{
    503, "internal", "The server has too little memory for this request; try again shortly."};
inline constexpr http_refusal version{505, "request_invalid",
                                      "Only HTTP/1.1 and HTTP/1.0 are understood."};

inline constexpr http_refusal no_websocket{426, "request_invalid",
                                           "Here is only a WebSocket: ask for an upgrade."};
inline constexpr http_refusal websocket_version{426, "request_invalid",
                                                "Only WebSockets of version 13 are understood."};
inline constexpr http_refusal websocket_key{
    400, "request_invalid", "A WebSocket handshake has one key of 16 bytes, and no body."};
inline constexpr http_refusal websocket_http_1_0{400, "request_invalid",
                                                 "A WebSocket handshake needs HTTP/1.1."};

} // namespace refusal

} // namespace troupe

// The opening handshake of a WebSocket, seen from both sides (RFC 6455, section 4).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "transport/http/http_refusal.hpp"

namespace troupe {

/// The parts of a ws:// or wss:// URL.
struct websocket_address {
  std::string http_url; ///< the same with http:// the URL to connect to, with http:// or https://
  std::string host;     ///< with the port if there is one, for the Host field
  std::string path;     ///< with the query, at least "/"
};

/// Takes `url` apart. Returns config_invalid if it is no ws:// or wss:// URL, has a password in it,
/// or holds a blank or a control character.
failure read_websocket_url(std::string_view url, websocket_address& out);

/// Returns the key for 16 random bytes.
std::string websocket_key(const std::array<unsigned char, 16>& nonce);

/// Returns the accept value that a server must answer to `key`.
std::string websocket_accept(std::string_view key);

/// Makes the request. @param extra fields beside the handshake's own, which it must not hold:
/// config_invalid names the bad field, and `out` is then not valid
failure make_handshake(const websocket_address& to, std::string_view key,
                       std::string_view subprotocol, const headers& extra, std::string& out);

/// Checks the head of the answer, without its empty line. Returns no failure if the connection is
/// open.
/// @param subprotocol the requested one: a server may choose it or none
/// @returns server_unavailable with the HTTP status if the server refused; server_protocol if the
/// answer is no WebSocket handshake, or one for another key or subprotocol
failure check_handshake(std::string_view head, std::string_view key, std::string_view subprotocol);

/// Checks a client's handshake. No extension is ever accepted.
/// @param subprotocol is selected if the client offers it; "" = none
/// @param out gets the fields of the answer, also of a refusal
/// @return 400, or 426 if it is no handshake of version 13; no refusal: the answer is a 101
http_refusal answer_handshake(const server_request& request, std::string_view subprotocol,
                              headers& out);

} // namespace troupe

// How a server refused a request, and if that shows that it has forgotten our session.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// An answer that is a refusal: a status, or an error of JSON-RPC, or both.
struct mcp_refusal {
  uint16_t status = 0;     ///< of HTTP
  bool is_error = false;   ///< there is an error of JSON-RPC, with the request's id or without one
  bool answers_us = false; ///< there is a response with the request's id
  int64_t code = 0;        ///< of the error
  std::string words;       ///< of the error, else the body

  /// Returns whether both say the same, be it of different requests.
  bool same_as(const mcp_refusal& other) const {
    return status == other.status && is_error == other.is_error && code == other.code &&
           words == other.words;
  }
};

/// Returns whether the same request may do better a while later: the server, or what stands before
/// it, is busy or away, or has not seen yet that an earlier stream has ended (409).
constexpr bool may_pass(uint16_t status) {
  return status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
}

/// Reads the answer to a request. @param text its body, or the message of a stream
mcp_refusal read_refusal(uint16_t status, std::string_view text, int64_t request);

/// Returns whether a refusal of a request with a session means by itself that the server has
/// forgotten the session, and has not looked at the request. That is 404, unless a JSON-RPC error
/// says of the very request something else; and 400 with the code -32000 and without the request's
/// id, as the TypeScript SDK answers. Words do not count: servers write of all kinds of sessions.
bool shows_lost_session(const mcp_refusal& refusal);

/// Returns whether a refusal of a request with a session may mean that, so that the server has to
/// be asked: see mcp_session_check.
bool may_show_lost_session(const mcp_refusal& refusal);

} // namespace troupe

// The head of an HTTP/1 answer: from values to bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "messages/http.hpp"
#include "transport/http/http_refusal.hpp"

namespace troupe {

/// How the client learns the end of the body, and whether the connection stays open.
struct response_framing {
  std::optional<uint64_t> content_length; ///< known length
  bool chunked = false; ///< in chunks; neither = the body ends with the connection
  bool keep_alive = true;
  bool http_1_0 = false; ///< the client is told explicitly that the connection stays open
};

/// Appends a complete head. Control characters in the values of `extra` become spaces, so that no
/// value can end its line. @param date an IMF-fixdate, or "" for none
void append_head(std::string& out, uint16_t status, const headers& extra,
                 const response_framing& framing, std::string_view date);

/// Appends a complete answer with a JSON body; the connection closes after it.
void append_refusal(std::string& out, const http_refusal& why, bool with_body = true);

/// Appends the JSON body of such an answer.
void append_refusal_body(std::string& out, const http_refusal& why);

/// Returns whether answers with this status never have a body.
bool is_bodyless(uint16_t status);

/// Returns the present time as an IMF-fixdate. A thread that asks again within the same second
/// gets the same text, valid until its next call.
std::string_view http_date();

} // namespace troupe

// The head of an HTTP/1 request: from bytes to values, strictly as RFC 9112 has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "messages/http.hpp"
#include "transport/http/http_refusal.hpp"

namespace troupe {

/// A parsed head. A head that a proxy in front could read in another way is refused, never guessed:
/// bare line feeds, folded lines, two lengths, a length beside a transfer coding.
struct request_head {
  /// Without its body and the client's address. The method is as sent, the path percent-decoded
  /// UTF-8, "*" for OPTIONS *. The header fields are in order, their values trimmed.
  server_request request;
  bool http_1_0 = false; ///< the client speaks HTTP/1.0
  bool keep_alive = true;
  bool chunked = false;         ///< the body comes in chunks
  bool expect_continue = false; ///< the client waits for "100 Continue" before it sends the body
  std::optional<uint64_t> content_length;
};

/// Finds the end of a head, for every way of cutting the bytes. Pure; one per request.
class head_finder {
public:
  /// @param bytes all bytes of the head so far, those of earlier calls included
  /// @return the head's size with the empty line at its end, or 0 while it is incomplete
  size_t find(std::string_view bytes);

  /// Returns whether the bytes can no longer become a head.
  bool broken() const { return broken_; }

private:
  size_t seen_ = 0;       // bytes that were searched for line feeds
  size_t line_start_ = 0; // start of the incomplete line
  bool broken_ = false;
};

/// Parses a complete head, from the request line to the empty line. Pure.
/// @param out is valid only when nothing is refused
http_refusal parse_head(std::string_view bytes, request_head& out);

/// Returns `text` with %XX replaced, or nothing if it is malformed, holds a control character or is
/// not UTF-8.
std::optional<std::string> percent_decoded(std::string_view text);

} // namespace troupe

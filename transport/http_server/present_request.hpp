// The request that a connection answers at present.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// What a connection remembers of a request while it answers. Loop thread only.
struct present_request {
  std::string_view comment; ///< for silent answers; see http_response::keep_alive
  size_t body_bytes = 0;    ///< of its body, which somebody may still read until the answer starts
  bool keep_alive = true;   ///< the connection goes on afterwards
  bool http_1_0 = false;
  bool head_only = false;
  bool declined = false; ///< its body was not let in: what the client sends is dropped
  bool ended = false;    ///< the client has closed its side; it may still read
  bool probed = false;   ///< ... and was sent something, so that it is known whether it does
  bool started = false;
  bool fresh = false; ///< the answer has started, and may wait for more once
  bool chunked = false;
  bool bodyless = false;
};

} // namespace troupe

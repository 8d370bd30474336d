// Percent-encoding (RFC 3986, 2.1).
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the text with each %XX replaced by its byte; a % that begins none stays, unlike in the
/// paths of requests. Any thread.
std::string percent_decoded_leniently(std::string_view text);

/// Returns `text` as one segment of a path: all but [A-Za-z0-9-._~] becomes %XX. Any thread.
std::string percent_encoded(std::string_view text);

} // namespace troupe

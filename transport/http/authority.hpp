// The host and port that a request names.
#pragma once

#include <string_view>

namespace troupe {

/// Returns whether `text` is HOST or HOST:PORT of an http URL (RFC 9110, 4.2.1; RFC 3986, 3.2.2): a
/// name, an IPv4 address, or an IPv6 address in brackets, which end the host. The port is of
/// digits, or empty. A user's name and an empty host are refused. Pure.
bool is_authority(std::string_view text);

} // namespace troupe

// Addresses that an MCP server names itself: redirects, and the endpoint of HTTP+SSE.
#pragma once

#include <string>

namespace troupe {

/// A URL that a server named.
struct named_url {
  std::string url;          ///< absolute; empty if the server's text is no valid URL
  bool same_origin = false; ///< scheme, host and port are those of the base
};

/// Resolves `reference`, which is absolute or relative to `base` (RFC 3986, section 5). Our headers
/// may hold secrets: they may only go where `same_origin` holds. Any thread.
named_url resolve_url(const std::string& base, const std::string& reference);

/// Returns "scheme://host:port" in lower case, or "" if the URL cannot be read. Any thread.
std::string origin_of(const std::string& url);

} // namespace troupe

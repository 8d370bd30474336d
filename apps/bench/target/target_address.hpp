// Addresses and proxies of requests to a target, from the command line and the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace troupe::bench {

/// A URL in two parts, between which more of a path can be put.
struct split_address {
  std::string base;  ///< with a scheme ("http://" if there was none), without slashes at its end
  std::string query; ///< with its '?', or ""; a fragment, which no server sees, is dropped
};

split_address split(std::string_view given);

/// Returns `given` with a scheme and without slashes at the end of its path.
std::string base_address(std::string_view given);

/// Returns `given`, with `path` appended to its path unless that ends with it already.
std::string address_with(std::string_view given, std::string_view path);

/// Returns the URL of chat completions: `given` with "/chat/completions" appended to its path, or
/// with "/v1/chat/completions" if it has no path.
std::string completions_address(std::string_view given);

/// Returns the URL of the models beside those chat completions. @param completions as above
std::string models_address(std::string_view completions);

/// Returns whether there is a path behind the host, other than "/".
bool has_path(std::string_view address);

/// Returns the host of a URL, an IPv6 address with its brackets.
std::string host_of(std::string_view address);

/// Returns the port that a URL names, or that of its scheme; 0 when the host is not this machine's
/// loopback.
uint16_t loopback_port(std::string_view address);

/// Returns the variable of the environment that names a proxy for requests to that address, as
/// libcurl looks for it: http_proxy (lower case only), https_proxy, all_proxy, unless no_proxy
/// names the host, its domain or "*". Returns "" if there is none. Address blocks of no_proxy are
/// not read.
/// @param value_of what a variable holds, nullptr where it is not set
std::string environment_proxy(std::string_view address,
                              const std::function<const char*(const char*)>& value_of);

/// Returns a note for the reports, or "" where requests to that address go there directly.
std::string proxy_note(std::string_view address);

} // namespace troupe::bench

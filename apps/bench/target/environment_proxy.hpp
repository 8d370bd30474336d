// Proxies that the environment names.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace troupe::bench {

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

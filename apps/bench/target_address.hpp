// Where requests of a target go, from what was given on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe::bench {

/// Returns `given` with a scheme ("http://" if there is none) and without slashes at its end.
std::string base_address(std::string_view given);

/// Returns `given`, or if it does not end with `path` already, with `path` behind it.
std::string address_with(std::string_view given, std::string_view path);

/// Returns the URL of chat completions: `given` with "/chat/completions" behind it, and with "/v1"
/// before that when it has no path of its own.
std::string completions_address(std::string_view given);

/// Returns whether there is a path behind the host, other than "/".
bool has_path(std::string_view address);

/// Returns the port that a URL names, or that of its scheme; 0 when the host is not this machine's
/// loopback.
uint16_t loopback_port(std::string_view address);

} // namespace troupe::bench

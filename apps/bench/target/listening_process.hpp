// Which process serves a port of this machine: /proc of Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace troupe::bench {

/// Returns the process that listens at the address, else the one at any address; 0 if there is
/// none, or it may not be seen.
/// @param port 0 gives 0
/// @param host a numeric loopback address, IPv6 in brackets; any other host means both loopback
/// addresses, [::1] first, the order of connects to "localhost"
int listening_process(uint16_t port, std::string_view host = "localhost");

/// Returns the number of a process's children.
size_t children_of(int process);

/// Returns the only child of this process, or 0 if there are none or several. As long as the child
/// has an only child itself, that one is taken: shells and wrappers start servers.
int only_descendant();

} // namespace troupe::bench

// Which process serves a port of this machine: /proc of Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace troupe::bench {

/// Returns the process that listens at that address, or if there is none at all addresses; 0 if
/// there is none or it is not ours to see.
/// @param port 0 gives 0
/// @param host a numeric loopback address, an IPv6 one in brackets; else both are looked for, as
/// "localhost" is connected to: [::1] first
int listening_process(uint16_t port, std::string_view host = "localhost");

/// Returns how many processes that process has started that are still there.
size_t children_of(int process);

/// Returns the only child process of this one, or 0 if there are none or several; of a child that
/// has an only child itself that one, and so on, because servers are started by shells and the
/// like.
int only_descendant();

} // namespace troupe::bench

// Which process serves a port of this machine: /proc of Linux.
#pragma once

#include <cstdint>

namespace troupe::bench {

/// Returns the process that listens on a TCP port, or 0 if there is none or it is not ours to see.
/// @param port 0 gives 0
int listening_process(uint16_t port);

/// Returns the only child process of this one, or 0 if there are none or several; of a child that
/// has an only child itself that one, and so on, because servers are started by shells and the
/// like.
int only_descendant();

} // namespace troupe::bench

// Exits that overtake the mailbox: an ordinary send_exit waits behind every queued message (CAF
// 0.17).
#pragma once

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

namespace troupe {

/// Ends `target` before it reads what is queued for it. Any thread.
template <class Handle>
void exit_now(const Handle& target, const caf::actor_addr& from, caf::exit_reason reason) {
  caf::anon_send<caf::message_priority::high>(caf::actor_cast<caf::actor>(target),
                                              caf::exit_msg{from, reason});
}

} // namespace troupe

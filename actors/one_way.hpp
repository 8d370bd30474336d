// Handlers of messages that nobody expects an answer to.
#pragma once

#include <caf/delegated.hpp>

namespace troupe {

namespace detail {

template <class Handler, class Message>
auto one_way(Handler handler, void (Handler::*)(Message) const) {
  return [handler](Message message) -> caf::delegated<void> {
    handler(message);
    return {};
  };
}

} // namespace detail

/// Wraps the handler of a message that is only ever sent, never requested. For a handler that
/// returns void CAF makes a response promise with each message, to find that nobody waits for it;
/// what comes with every call need not pay for that.
template <class Handler>
auto one_way(Handler handler) {
  return detail::one_way(handler, &Handler::operator());
}

} // namespace troupe

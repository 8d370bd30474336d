#include "apps/engine/http/websocket/ws_stream.hpp"

#include <algorithm>

#include <caf/all.hpp>

#include "apps/engine/http/websocket/ws_far_stream.hpp"

namespace troupe {

void ws_stream::take_frame(json_buffer& out) {
  if (!far.empty()) {
    auto& events = far.front();
    const auto count = static_cast<size_t>(std::min<uint64_t>(credit, events.count));
    events.take_frame(out, session, count);
    credit -= count;
    if (events.count == 0)
      far.pop_front();
    return;
  }
  const auto& batch = held.front();
  const auto count = static_cast<size_t>(std::min<uint64_t>(credit, batch.events.size() - sent));
  append_ws_events(out, batch, sent, count);
  credit -= count;
  sent += count;
  if (sent < batch.events.size())
    return;
  held.pop_front();
  sent = 0;
}

void ws_stream::tell(response_signal what) const {
  if (const auto there = elsewhere.lock())
    there->signal(what);
  else if (what == response_signal::gone)
    caf::anon_send<caf::message_priority::high>(who, client_signal{what});
  else
    caf::anon_send(who, client_signal{what});
}

} // namespace troupe

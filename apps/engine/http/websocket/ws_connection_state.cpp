#include "apps/engine/http/websocket/ws_connection_state.hpp"

#include <algorithm>

#include <caf/all.hpp>

#include "apps/engine/http/websocket/ws_remote_stream.hpp"

namespace troupe {

// -- ws stream ------------------------------------------------------------------------------------

void ws_stream::take_frame(json_buffer& out) {
  if (!remote_events.empty()) {
    auto& events = remote_events.front();
    const auto count = static_cast<size_t>(std::min<uint64_t>(credit, events.count));
    events.take_frame(out, session, count);
    credit -= count;
    if (events.count == 0)
      remote_events.pop_front();
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

// -- ws connection state --------------------------------------------------------------------------

void read_socket(const std::shared_ptr<websocket>& socket, ws_connection_actor to,
                 ws_backlog waiting, size_t most) {
  const std::weak_ptr<websocket> open{socket}; // the socket holds its receiver
  socket->watch(
      [to = std::move(to), open, waiting = std::move(waiting), most](websocket_inbound&& in) {
        switch (in.what) {
        case websocket_inbound::kind::text:
          if (waiting->fetch_add(in.text.size() + ws_limits::message_bytes) <= most)
            caf::anon_send(to, std::move(in.text));
          else if (auto there = open.lock())
            there->close(ws_close::policy_violation, "sent more than is read");
          break;
        case websocket_inbound::kind::drained:
          caf::anon_send(to, client_signal{response_signal::drained});
          break;
        case websocket_inbound::kind::closed:
          caf::anon_send(to, client_signal{response_signal::gone}); // after its earlier messages
          break;
        }
      });
}

} // namespace troupe

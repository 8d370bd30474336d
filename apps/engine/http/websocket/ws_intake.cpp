#include "apps/engine/http/websocket/ws_intake.hpp"

#include <utility>

#include <caf/all.hpp>

#include "apps/engine/http/websocket/ws_connection.hpp"

namespace troupe {

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

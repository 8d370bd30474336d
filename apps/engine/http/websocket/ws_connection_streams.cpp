#include <algorithm>
#include <optional>
#include <utility>

#include <caf/all.hpp>

#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/websocket/ws_connection_state.hpp"
#include "apps/engine/http/websocket/ws_remote_stream.hpp"

namespace troupe {

// -- streams --------------------------------------------------------------------------------------

ws_stream* ws_connection_state::add_stream(const ws_command& in) {
  if (streams.size() >= limits.streams) {
    socket->close(ws_close::too_many_streams, "runs too many sessions on one connection");
    return nullptr;
  }
  auto& made = streams[++last_number];
  made.session = in.session;
  made.turn = in.turn;
  made.manual = in.manual;
  made.credit = in.events;
  return &made;
}

ws_stream_id ws_connection_state::id_of(uint64_t number, ws_stream& stream) {
  ws_stream_id id{caf::actor_cast<ws_connection_actor>(self), number, stream.session, stream.turn,
                  stream.manual};
  if (stream.aborted) // of the sink whose turn was refused here
    id.aborted = stream.aborted;
  else
    stream.aborted = id.aborted;
  id.meter = origin.who.meter;
  return id;
}

/// Makes the sink of the stream that was added last. @param asked what began it, if another node
/// may take it
std::unique_ptr<event_sink> ws_connection_state::sink_of(ws_stream& stream,
                                                         std::shared_ptr<ws_command> asked) {
  auto id = id_of(last_number, stream);
  id.asked = std::move(asked);
  return ws_sink(socket, std::move(id));
}

void ws_connection_state::on_events(uint64_t number, const event_batch& batch) {
  auto found = streams.find(number);
  if (found == streams.end() || found->second.left)
    return;
  found->second.held.push_back(batch);
  flush(number, found->second);
}

/// Sends what the client has credit for; may end the stream.
void ws_connection_state::flush(uint64_t number, ws_stream& stream) {
  json_buffer text;
  while (!full && !stream.left && stream.can_send() &&
         !close_if_revoked(*socket, origin.who.meter.get())) {
    text.clear();
    stream.take_frame(text);
    send(view(text));
  }
  if (!stream.is_empty())
    return;
  if (stream.over)
    end(number);
  else
    stream.tell(response_signal::drained);
}

void ws_connection_state::on_stream_over(uint64_t number, bool told) {
  auto found = streams.find(number);
  if (found == streams.end())
    return;
  auto& stream = found->second;
  stream.over = true;
  if (!told && !stream.left) // its subscriber died
    send(ws_refused(stream.session, stream.turn, {errc::internal, ""}));
  if (stream.left || stream.is_empty())
    end(number);
}

void ws_connection_state::end(uint64_t number) {
  auto found = streams.find(number);
  if (found->second.left)
    send(ws_notice("left", found->second.session));
  streams.erase(found);
}

// -- streams of other nodes ----------------------------------------------------------------------

/// Has the node that a stream is for bring its events; it may be this one after all.
void ws_connection_state::ask_nodes(uint64_t number, ws_stream& stream, const ws_command& in) {
  const auto resumed = in.verb == ws_verb::resume ? std::optional{in.after} : std::nullopt;
  auto abort = [from = origin, session = in.session](const std::string& turn) {
    ws_command what;
    what.verb = ws_verb::abort;
    what.session = session;
    what.turn = turn;
    from.nodes->ask(from.who, request_of(what, from), unread_answer());
  };
  const auto there =
      std::make_shared<ws_remote_stream>(socket, id_of(number, stream), std::move(abort), resumed);
  stream.elsewhere = there;
  origin.nodes->ask(origin.who, request_of(in, origin), there);
}

void ws_connection_state::on_refused_here(const ws_refused_turn& which) {
  auto found = streams.find(which.number);
  if (found == streams.end())
    return;
  if (found->second.left)
    end(which.number);
  else
    ask_nodes(which.number, found->second, *which.asked);
}

void ws_connection_state::on_remote_events(uint64_t number, std::string turn, uint64_t first,
                                           std::string lines) {
  auto found = streams.find(number);
  if (found == streams.end() || found->second.left)
    return;
  const auto count = static_cast<size_t>(std::ranges::count(lines, '\n')) + 1;
  found->second.remote_events.push_back({std::move(turn), first, std::move(lines), count});
  flush(number, found->second);
}

// -- the socket -----------------------------------------------------------------------------------

void ws_connection_state::on_socket(response_signal what) {
  if (what == response_signal::gone) {
    socket = nullptr;
    leave_all();
    return self->quit();
  }
  full = false;
  for (auto at = streams.begin(); at != streams.end();) {
    auto& [number, stream] = *at++;
    if (stream.manual)
      flush(number, stream);
    else
      stream.tell(response_signal::drained);
  }
}

void ws_connection_state::leave_all() {
  for (auto& [number, stream] : streams)
    stream.tell(response_signal::gone);
}

} // namespace troupe

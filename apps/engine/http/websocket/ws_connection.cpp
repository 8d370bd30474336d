#include "apps/engine/http/websocket/ws_connection.hpp"

#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/session/subscriber.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/websocket/ws_connection_state.hpp"
#include "apps/engine/http/websocket/ws_remote_stream.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/chat_request.hpp"

namespace troupe {

ws_connection_state::~ws_connection_state() {
  if (socket)
    socket->close(ws_close::internal_error, "something went wrong inside the server");
  leave_all();
}

ws_connection_actor::behavior_type ws_connection_state::make_behavior() {
  return {
      [this](const std::string& text) { on_text(text); },
      [this](const client_signal& signal) { on_socket(signal.what); },
      [this](uint64_t number, const event_batch& batch) { on_events(number, batch); },
      [this](const ws_refused_turn& which) { on_refused_here(which); },
      [this](uint64_t number, std::string& turn, uint64_t first, std::string& lines) {
        on_remote_events(number, std::move(turn), first, std::move(lines));
      },
      [this](atom::done, uint64_t number, bool told) { on_stream_over(number, told); },
  };
}

void ws_connection_state::start() {
  quiet(self);
  read_socket(socket, caf::actor_cast<ws_connection_actor>(self), waiting, limits.backlog_bytes);
}

// -- messages of the client -----------------------------------------------------------------------

template <class Message>
void ws_connection_state::to_hub(Message what) {
  if (auto hub = whereis<session_hub_actor>(self->system(), session_hub_name))
    self->send<caf::message_priority::high>(hub, std::move(what));
}

void ws_connection_state::on_text(const std::string& text) {
  waiting->fetch_sub(text.size() + ws_limits::message_bytes);
  ws_command in;
  if (auto bad = parse_ws_command(text, in)) {
    send(ws_error(in.session, bad));
    if (++bad_messages == limits.bad_messages)
      socket->close(ws_close::too_many_bad_messages, "sent too many messages that are not valid");
    return;
  }
  bad_messages = 0;
  if (!close_if_revoked(*socket, origin.who.meter.get()))
    act(in);
}

void ws_connection_state::act(ws_command& in) {
  switch (in.verb) {
  case ws_verb::start:
    return run_turn(in, parse_native_request);
  case ws_verb::tool_results:
    return run_turn(in, parse_tool_results);
  case ws_verb::approvals:
    return approve(in);
  case ws_verb::abort:
    return abort(in);
  case ws_verb::resume:
    return resume(in);
  case ws_verb::leave:
    return leave(in.session);
  case ws_verb::credit:
    return grant(in);
  case ws_verb::ping:
    return send(R"({"type":"pong"})");
  }
}

void ws_connection_state::run_turn(ws_command& in,
                                   failure (*parse)(std::string_view, turn_request&)) {
  if (in.turn.empty())
    in.turn = make_id("turn_");
  turn_request turn;
  auto bad = parse(in.body, turn);
  if (!bad && origin.who.meter && origin.who.meter->take().count() > 0)
    bad = {errc::rate_limited, ""};
  if (bad)
    return send(ws_refused(in.session, in.turn, bad));
  turn.session_id = origin.chat(in.session);
  turn.concurrent_turns = origin.who.concurrent_turns;
  turn.turn_id = in.turn;
  turn.options.request_id = origin.request_id;
  turn.options.traceparent = origin.traceparent;
  auto* stream = add_stream(in);
  if (stream == nullptr)
    return;
  std::shared_ptr<ws_command> asked;
  if (origin.nodes != nullptr)
    asked = std::make_shared<ws_command>(std::move(in));
  stream->who = spawn_subscriber(self->system(), std::move(turn), sink_of(*stream, asked));
}

void ws_connection_state::resume(ws_command& in) {
  if (origin.nodes != nullptr) {
    if (auto* stream = add_stream(in))
      ask_nodes(last_number, *stream, in);
    return;
  }
  watch_turn ask{origin.chat(in.session), in.turn, in.after, true, 0};
  if (auto* stream = add_stream(in))
    stream->who = spawn_viewer(self->system(), std::move(ask), sink_of(*stream));
}

void ws_connection_state::approve(ws_command& in) {
  answer_approvals answers{origin.chat(in.session), {}};
  if (auto bad = parse_approvals(in.body, answers.approvals))
    return send(ws_error(in.session, bad));
  if (origin.nodes != nullptr)
    return origin.nodes->ask(origin.who, request_of(in, origin), unread_answer());
  to_hub(std::move(answers));
}

/// Aborts a turn. The turn may not have reached its session yet: then its sink repeats the abort.
void ws_connection_state::abort(ws_command& in) {
  for (auto& [number, stream] : streams)
    if (stream.session == in.session && (in.turn.empty() || stream.turn == in.turn))
      *stream.aborted = true;
  if (origin.nodes != nullptr)
    return origin.nodes->ask(origin.who, request_of(in, origin), unread_answer());
  to_hub(abort_turn{origin.chat(in.session), std::move(in.turn), "stop"});
}

void ws_connection_state::leave(const std::string& session) {
  bool is_viewed = false;
  for (auto at = streams.begin(); at != streams.end();) {
    auto& [number, stream] = *at++;
    if (stream.session != session)
      continue;
    is_viewed = true;
    if (std::exchange(stream.left, true))
      continue;
    if (stream.over)
      end(number);
    else
      stream.tell(response_signal::gone);
  }
  if (!is_viewed) // the turn may have ended before the message came
    send(ws_notice("left", session));
}

void ws_connection_state::grant(const ws_command& in) {
  for (auto at = streams.begin(); at != streams.end();) {
    auto& [number, stream] = *at++;
    if (stream.session != in.session || !stream.manual)
      continue;
    stream.credit += in.events;
    flush(number, stream);
  }
}

namespace {

ws_connection_actor::behavior_type
ws_connection(ws_connection_actor::stateful_pointer<ws_connection_state> self,
              std::shared_ptr<websocket> socket, ws_origin origin, ws_limits limits) {
  auto& state = self->state;
  state.socket = std::move(socket);
  state.origin = std::move(origin);
  state.limits = limits;
  state.start();
  return state.make_behavior();
}

} // namespace

void spawn_ws_connection(caf::actor_system& system, std::shared_ptr<websocket> socket,
                         ws_origin origin, ws_limits limits) {
  system.spawn(ws_connection, std::move(socket), std::move(origin), limits);
}

} // namespace troupe

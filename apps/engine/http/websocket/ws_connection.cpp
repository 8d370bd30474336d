#include "apps/engine/http/websocket/ws_connection.hpp"

#include <atomic>
#include <map>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/session/subscriber.hpp"
#include "apps/engine/http/websocket/ws_sink.hpp"
#include "apps/engine/http/websocket/ws_stream.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/chat_request.hpp"

namespace troupe {

namespace {

/// Bytes that came and were not looked at yet.
using backlog = std::shared_ptr<std::atomic<size_t>>;

struct ws_connection_state {
  static inline const char* name = "troupe.ws_connection";

  explicit ws_connection_state(ws_connection_actor::pointer ptr) : self{ptr} {}

  /// Only after a crash is there anything left to do.
  ~ws_connection_state() {
    if (socket)
      socket->close(ws_close::internal_error, "something went wrong inside the server");
    leave_all();
  }

  ws_connection_actor::behavior_type make_behavior() {
    return {
        [this](const std::string& text) { on_text(text); },
        [this](const client_signal& signal) { on_socket(signal.what); },
        [this](uint64_t number, const event_batch& batch) { on_events(number, batch); },
        [this](atom::done, uint64_t number, bool told) { on_stream_over(number, told); },
    };
  }

  void start() {
    quiet(self);
    auto me = caf::actor_cast<ws_connection_actor>(self);
    std::weak_ptr<websocket> to{socket};
    socket->watch([me, to, waiting = waiting, most = limits.backlog_bytes](websocket_inbound&& in) {
      switch (in.what) {
      case websocket_inbound::kind::text:
        if (waiting->fetch_add(in.text.size() + ws_limits::message_bytes) <= most)
          caf::anon_send(me, std::move(in.text));
        else if (auto open = to.lock())
          open->close(ws_close::policy_violation, "sent more than is read");
        break;
      case websocket_inbound::kind::drained:
        caf::anon_send(me, client_signal{response_signal::drained});
        break;
      case websocket_inbound::kind::closed:
        caf::anon_send(me, client_signal{response_signal::gone}); // after its earlier messages
        break;
      }
    });
  }

  // -- messages of the client

  void on_text(const std::string& text) {
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

  void act(ws_command& in) {
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

  void run_turn(ws_command& in, failure (*parse)(std::string_view, turn_request&)) {
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
    if (auto* stream = add_stream(in))
      stream->who = spawn_subscriber(self->system(), std::move(turn), sink_of(*stream));
  }

  void resume(ws_command& in) {
    watch_turn ask{origin.chat(in.session), in.turn, in.after, true, 0};
    if (auto* stream = add_stream(in))
      stream->who = spawn_viewer(self->system(), std::move(ask), sink_of(*stream));
  }

  void approve(ws_command& in) {
    answer_approvals answers{origin.chat(in.session), {}};
    if (auto bad = parse_approvals(in.body, answers.approvals))
      return send(ws_error(in.session, bad));
    to_hub(std::move(answers));
  }

  /// Aborts a turn. The turn may not have reached its session yet: then its sink repeats the abort.
  void abort(ws_command& in) {
    for (auto& [number, stream] : streams)
      if (stream.session == in.session && (in.turn.empty() || stream.turn == in.turn))
        *stream.aborted = true;
    to_hub(abort_turn{origin.chat(in.session), std::move(in.turn), "stop"});
  }

  void leave(const std::string& session) {
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
        caf::anon_send<caf::message_priority::high>(stream.who,
                                                    client_signal{response_signal::gone});
    }
    if (!is_viewed) // the turn may have ended before the message came
      send(ws_notice("left", session));
  }

  void grant(const ws_command& in) {
    for (auto at = streams.begin(); at != streams.end();) {
      auto& [number, stream] = *at++;
      if (stream.session != in.session || !stream.manual)
        continue;
      stream.credit += in.events;
      flush(number, stream);
    }
  }

  template <class Message>
  void to_hub(Message what) {
    if (auto hub = whereis<session_hub_actor>(self->system(), session_hub_name))
      self->send<caf::message_priority::high>(hub, std::move(what));
  }

  // -- streams

  ws_stream* add_stream(const ws_command& in) {
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

  /// Makes the sink of the stream that was added last.
  std::unique_ptr<event_sink> sink_of(ws_stream& stream) {
    ws_stream_id id{caf::actor_cast<ws_connection_actor>(self), last_number, stream.session,
                    stream.turn, stream.manual};
    stream.aborted = id.aborted;
    id.meter = origin.who.meter;
    return ws_sink(socket, std::move(id));
  }

  void on_events(uint64_t number, const event_batch& batch) {
    auto found = streams.find(number);
    if (found == streams.end() || found->second.left)
      return;
    found->second.held.push_back(batch);
    flush(number, found->second);
  }

  /// Sends what the client has credit for; may end the stream.
  void flush(uint64_t number, ws_stream& stream) {
    json_buffer text;
    while (!full && !stream.left && stream.can_send() &&
           !close_if_revoked(*socket, origin.who.meter.get())) {
      text.clear();
      stream.take_frame(text);
      send(view(text));
    }
    if (!stream.held.empty())
      return;
    if (stream.over)
      end(number);
    else
      caf::anon_send(stream.who, client_signal{response_signal::drained});
  }

  void on_stream_over(uint64_t number, bool told) {
    auto found = streams.find(number);
    if (found == streams.end())
      return;
    auto& stream = found->second;
    stream.over = true;
    if (!told && !stream.left) // its subscriber died
      send(ws_refused(stream.session, stream.turn, {errc::internal, ""}));
    if (stream.left || stream.held.empty())
      end(number);
  }

  void end(uint64_t number) {
    auto found = streams.find(number);
    if (found->second.left)
      send(ws_notice("left", found->second.session));
    streams.erase(found);
  }

  // -- the socket

  void send(std::string_view text) { full = !socket->send(text) || full; }

  void on_socket(response_signal what) {
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
        caf::anon_send(stream.who, client_signal{response_signal::drained});
    }
  }

  void leave_all() {
    for (auto& [number, stream] : streams)
      caf::anon_send<caf::message_priority::high>(stream.who, client_signal{response_signal::gone});
  }

  ws_connection_actor::pointer self;
  std::shared_ptr<websocket> socket; ///< none: it is closed
  ws_origin origin;
  ws_limits limits;
  backlog waiting = std::make_shared<std::atomic<size_t>>(0);
  std::map<uint64_t, ws_stream> streams;
  uint64_t last_number = 0;
  size_t bad_messages = 0; ///< in a row
  bool full = false;       ///< the socket takes no more for now
};

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

// The state of a WebSocket's connection. Its member functions are in ws_connection.cpp (messages of
// the client) and ws_connection_streams.cpp (streams, and the socket).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "apps/engine/http/websocket/ws_connection.hpp"
#include "apps/engine/http/websocket/ws_messages.hpp"
#include "apps/engine/http/websocket/ws_sink.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/websocket_port.hpp"

namespace troupe {

class ws_remote_stream;

/// One viewer of a turn. `held` has at most 1024 events, the subscriber's demand, with manual flow,
/// and none without it.
struct ws_stream {
  std::string session;
  std::string turn;
  subscriber_actor who;
  std::shared_ptr<std::atomic<bool>> aborted; ///< of ws_stream_id
  bool manual = false;
  bool left = false;   ///< the client does not want it any more
  bool over = false;   ///< all events are here
  uint64_t credit = 0; ///< events that the client takes
  std::deque<event_batch> held;
  size_t sent = 0; ///< events of the first held batch that were sent already

  // -- where a cluster has other nodes
  std::weak_ptr<ws_remote_stream> elsewhere;  ///< what reads the answer of another node
  std::deque<ws_remote_events> remote_events; ///< as `held`: events of another node

  bool is_empty() const { return held.empty() && remote_events.empty(); }
  bool can_send() const {
    return (!held.empty() && (credit > 0 || held.front().events.empty())) ||
           (!remote_events.empty() && credit > 0);
  }

  /// Appends the next frame; only if can_send().
  void take_frame(json_buffer& out);

  /// Tells whoever brings the events what became of the client.
  void tell(response_signal what) const;
};

/// Bytes that came and were not looked at yet.
using ws_backlog = std::shared_ptr<std::atomic<size_t>>;

/// Sends the connection each message and signal of its socket, in their order. Adds messages to
/// `waiting`, which the connection takes off, and closes the socket of a client that sends more
/// than `most` bytes at once.
void read_socket(const std::shared_ptr<websocket>& socket, ws_connection_actor to,
                 ws_backlog waiting, size_t most);

/// State and handlers of a connection. Owned by its actor; lives on the actor's thread.
struct ws_connection_state {
  static inline const char* name = "troupe.ws_connection";

  explicit ws_connection_state(ws_connection_actor::pointer ptr) : self{ptr} {}
  ~ws_connection_state(); ///< only after a crash is there anything left to do

  ws_connection_actor::behavior_type make_behavior();
  void start();

  // -- messages of the client
  void on_text(const std::string& text);
  void act(ws_command& in);
  void run_turn(ws_command& in, failure (*parse)(std::string_view, turn_request&));
  void resume(ws_command& in);
  void approve(ws_command& in);
  void abort(ws_command& in);
  void leave(const std::string& session);
  void grant(const ws_command& in);
  template <class Message>
  void to_hub(Message what);

  // -- streams
  ws_stream* add_stream(const ws_command& in); ///< nullptr: there are too many
  ws_stream_id id_of(uint64_t number, ws_stream& stream);
  std::unique_ptr<event_sink> sink_of(ws_stream& stream, std::shared_ptr<ws_command> asked = {});
  void on_events(uint64_t number, const event_batch& batch);
  void flush(uint64_t number, ws_stream& stream);
  void on_stream_over(uint64_t number, bool told);
  void end(uint64_t number);

  // -- streams of other nodes
  void ask_nodes(uint64_t number, ws_stream& stream, const ws_command& in);
  void on_refused_here(const ws_refused_turn& which);
  void on_remote_events(uint64_t number, std::string turn, uint64_t first, std::string lines);

  // -- the socket
  void send(std::string_view text) { full = !socket->send(text) || full; }
  void on_socket(response_signal what);
  void leave_all();

  ws_connection_actor::pointer self;
  std::shared_ptr<websocket> socket; ///< none: it is closed
  ws_origin origin;
  ws_limits limits;
  ws_backlog waiting = std::make_shared<std::atomic<size_t>>(0);
  std::map<uint64_t, ws_stream> streams;
  uint64_t last_number = 0;
  size_t bad_messages = 0; ///< in a row
  bool full = false;       ///< the socket takes no more for now
};

} // namespace troupe

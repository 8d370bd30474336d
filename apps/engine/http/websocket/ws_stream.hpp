// One stream of a WebSocket: a viewer of a turn, and what waits for the client's credit.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "apps/engine/http/websocket/ws_messages.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

class ws_far_stream;

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
  std::weak_ptr<ws_far_stream> elsewhere; ///< what reads the answer of another node
  std::deque<ws_far_events> far;          ///< as `held`: events of another node

  bool is_empty() const { return held.empty() && far.empty(); }
  bool can_send() const {
    return (!held.empty() && (credit > 0 || held.front().events.empty())) ||
           (!far.empty() && credit > 0);
  }

  /// Appends the next frame; only if can_send().
  void take_frame(json_buffer& out);

  /// Tells whoever brings the events what became of the client.
  void tell(response_signal what) const;
};

} // namespace troupe

// The sink of a subscriber, and its handover to the session that has the events.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/client_ports.hpp"

namespace troupe {

/// Events under way to a client that reads: enough that a usual turn needs no grant.
inline constexpr uint32_t initial_credit = 1024;

/// A sink, how far its stream is, and the credit that it has earned back. Any thread.
class shared_sink {
public:
  explicit shared_sink(std::unique_ptr<event_sink> sink) : sink_{std::move(sink)} {}

  /// The sink itself, for its owner.
  event_sink& own() noexcept { return *sink_; }

  /// Delivers events. Returns the credit that is to be granted: in lots, so that most turns need no
  /// message for it; none while the sink wants no more.
  uint32_t deliver(const event_batch& batch);

  /// The sink wants more again. Returns the credit that is to be granted.
  uint32_t drained();

  /// Returns the number of the event that comes next; 0 before any batch.
  uint64_t next() const;

private:
  uint32_t earned();

  mutable std::mutex mutex_; ///< actors may run on several threads
  std::unique_ptr<event_sink> sink_;
  uint64_t next_ = 0;
  uint32_t delivered_ = 0; ///< events since the last grant
  bool paused_ = false;
};

/// A subscriber lets a session deliver to its sink itself, which saves a message per batch. The
/// terminal event still goes through the subscriber.
struct sink_handover {
  std::shared_ptr<shared_sink> sink;
};

/// The interface of a session for its subscribers.
using handover_session_actor = session_actor::extend<caf::reacts_to<sink_handover>>;

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::sink_handover)

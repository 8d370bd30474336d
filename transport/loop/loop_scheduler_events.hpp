// The pending events of one shard's actors, ordered by time.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <variant>

#include <caf/actor_control_block.hpp>
#include <caf/atom.hpp>
#include <caf/group.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message.hpp>
#include <caf/message_id.hpp>

#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

/// A receive timeout; `multi` ones do not replace each other.
struct receive_timeout {
  caf::weak_actor_ptr self;
  caf::atom_value type;
  uint64_t id;
  bool multi;
};

/// The timeout of a request.
struct response_timeout {
  caf::weak_actor_ptr self;
  caf::message_id id;
};

/// A message for an actor, which it keeps alive.
struct delayed_message {
  caf::strong_actor_ptr receiver;
  caf::mailbox_element_ptr content;
};

/// A message for a group.
struct delayed_group_message {
  caf::group target;
  caf::strong_actor_ptr sender;
  caf::message content;
};

/// An event that is due at some time.
using actor_event =
    std::variant<receive_timeout, response_timeout, delayed_message, delayed_group_message>;

/// Events of one shard, ordered by time and linked by actor. Loop thread only, or after it has
/// stopped.
class actor_schedule {
public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit actor_schedule(loop& home);

  /// Adds an event of the actor with that id; 0 = of no actor. Dropped after close().
  void add(time_point at, uint64_t actor, actor_event event);

  /// Cancels the receive timeout of that type, except multi ones.
  void cancel_receive(uint64_t actor, caf::atom_value type);

  /// Cancels the timeout of that request.
  void cancel_response(uint64_t actor, caf::message_id id);

  /// Drops all events of a dead actor; the sender of a delayed request is told.
  void cancel_actor(uint64_t actor);

  void clear();
  void close();
  size_t size() const noexcept { return queue_.size(); }

private:
  struct entry;
  using queue = std::multimap<time_point, entry>;

  struct entry {
    uint64_t actor;
    actor_event event;
    queue::iterator self{};
    entry* previous = nullptr; // neighbours in the list of the same actor's events
    entry* next = nullptr;
  };

  template <class Match>
  void cancel_first(uint64_t actor, Match&& match);
  actor_event take(entry& which);
  void arm();
  void expire();

  loop& home_;
  queue queue_;
  std::unordered_map<uint64_t, entry*> by_actor_;
  std::optional<timer> timer_; // built on the loop's own thread
  time_point armed_ = time_point::max();
  bool closed_ = false;
};

} // namespace troupe

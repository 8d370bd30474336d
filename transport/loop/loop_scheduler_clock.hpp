// The actors' timeouts and delayed messages, kept per shard.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include <caf/actor_clock.hpp>

namespace troupe {

class actor_schedule;
class loop;
class shards;

/// CAF's clock, with one schedule and one timer per shard. Timeouts set on a loop's thread go into
/// that loop's schedule without a lock. From other threads they are posted to a shard chosen by the
/// actor's id. Timeouts hold their actor weakly and die with it; a timeout that stays on another
/// shard expires there without effect.
class loop_clock : public caf::actor_clock {
public:
  explicit loop_clock(shards& on);
  ~loop_clock() override;

  void set_ordinary_timeout(time_point at, caf::abstract_actor* self, caf::atom_value type,
                            uint64_t id) override;
  void set_multi_timeout(time_point at, caf::abstract_actor* self, caf::atom_value type,
                         uint64_t id) override;
  void set_request_timeout(time_point at, caf::abstract_actor* self, caf::message_id id) override;
  void cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) override;
  void cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) override;
  void cancel_timeouts(caf::abstract_actor* self) override;
  void schedule_message(time_point at, caf::strong_actor_ptr receiver,
                        caf::mailbox_element_ptr content) override;
  void schedule_message(time_point at, caf::group target, caf::strong_actor_ptr sender,
                        caf::message content) override;
  void cancel_all() override;

  /// Drops the pending events of a shard and refuses later ones. On that shard's thread, or after
  /// it has stopped.
  void close(size_t shard);

private:
  template <class Event>
  void add(time_point at, uint64_t actor, Event&& event);
  template <class Cancel>
  void cancel(uint64_t actor, Cancel&& cancel);
  actor_schedule* own() const noexcept;
  size_t shard_for(uint64_t actor) const noexcept;

  shards& on_;
  std::vector<std::shared_ptr<actor_schedule>> schedules_;
  std::atomic<bool> other_threads_{false}; // a thread that is no loop's has set a timeout before
};

} // namespace troupe

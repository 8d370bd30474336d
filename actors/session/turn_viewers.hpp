// The events of a chat's turn on their way to its viewers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <caf/actor_addr.hpp>
#include <caf/message.hpp>

#include "actors/session/shared_sink.hpp"
#include "actors/session/turn_log.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// Numbers the events of turns and sends each viewer what it has credit for. Not thread safe; lives
/// in a session, which links to its viewers.
///
/// A viewer that comes later gets the turn from its log. No viewer slows a resumable turn down: a
/// slow one reads the log at its own pace, also when the turn is over. Any other turn waits for its
/// owner, the one who asked for it; of its log only the last `max_log_bytes` are sure to be kept.
class turn_viewers {
public:
  explicit turn_viewers(handover_session_actor::pointer self) : self_{self} {}

  /// Starts a new turn; numbers from 1. Viewers of older turns keep what they have still to get.
  void open(std::string session_id, const turn_request& request, size_t max_log_bytes);

  /// Adds the one who asked for the turn.
  void add_owner(subscriber_actor who, uint32_t credit);

  /// Adds a viewer of a turn that was begun before; its first batch, which may be empty, says so.
  /// Returns false if it has nothing to get. @param over the turn has had its terminal event
  bool add(subscriber_actor who, const watch_turn& ask, bool over);
  void grant(const caf::actor_addr& who, uint32_t events);

  /// Delivers to that viewer's sink itself from now on, if all that was sent has reached it.
  void take_over(const caf::actor_addr& who, const sink_handover& handover);

  /// Forgets a viewer that left or died. Returns whether it was the owner of the current turn.
  bool remove(const caf::actor_addr& who);

  /// Makes the owner a viewer like any other: the turn does not wait for it any more.
  void release_owner();

  void append(std::vector<event> more); ///< of the current turn
  /// Sends what there is credit for. A viewer that has the terminal event is forgotten.
  void flush();

  /// The current turn is over; its log is kept for later viewers if it was resumable.
  void close();

  /// The current turn is refused before its first event: nothing is kept of it.
  void refuse(const failure& why);

  /// Returns what the store does not have of a resumable turn, in order, at most 4096 events (the
  /// rest comes with a later call); nothing of any other. @param saved_seq the last one it has
  std::vector<event_batch> unsaved(uint64_t saved_seq) const;

  /// Takes back a turn that was cut off by the end of its process. A viewer gets the kept events,
  /// then ends of the calls that are open, then SESSION_ERROR server_restarted. A viewer that has
  /// seen more than was kept gets that error alone, numbered after its last. Not during a turn.
  /// @param events from the turn's first one, without a gap; may be empty
  void reopen(const std::string& session_id, const turn_record& turn,
              std::vector<event_batch> events);

  /// Returns whether the model should wait for the viewers.
  bool blocked() const;

  /// Returns whether to drop events that may be lost: blocked(), or a resumable log is half full.
  bool crowded() const;

  /// Returns whether a resumable turn has more events than it may.
  bool full() const;

  /// Returns whether the owner of a turn that is over has the credit for all that is left.
  bool settles() const;

  bool idle() const noexcept { return viewers_.empty(); } ///< no viewer has anything left to get

private:
  struct viewer {
    subscriber_actor who;
    std::shared_ptr<turn_log> log;
    uint64_t next = 1; ///< number of the event that it gets next
    uint32_t credit = 0;
    std::shared_ptr<shared_sink> sink = {}; ///< empty: it gets messages

    void took(uint32_t events) {
      next += events;
      credit -= events;
    }
  };

  bool add_late(subscriber_actor who, const watch_turn& ask);
  const viewer* owner() const;
  bool takes_fresh(const viewer& whom) const;
  void send_fresh();
  void send_logged(viewer& to);
  void send(viewer& to, const caf::message& batch);
  bool deliver(viewer& to, const event_batch& batch);
  void forget_done();
  void trim();

  handover_session_actor::pointer self_;
  std::shared_ptr<turn_log> current_;
  std::vector<viewer> viewers_;
  caf::actor_addr owner_;    ///< of the current turn; empty: nobody is waited for
  std::vector<event> fresh_; ///< the end of the log; one who has all before it gets it at once
  size_t max_log_bytes_ = 0;
  bool resumable_ = false;
  bool closed_ = true;
  bool interrupted_ = false;   ///< the current turn was taken back
  uint64_t kept_seq_ = 0;      ///< of a turn that was taken back: number of its last kept event
  std::vector<uint64_t> told_; ///< numbers of the errors of viewers that had seen more
};

} // namespace troupe

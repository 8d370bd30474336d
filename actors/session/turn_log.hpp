// The events of one turn, kept for viewers that come late or read slowly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <caf/message.hpp>

#include "messages/chat/events.hpp"

namespace troupe {

/// Numbers the events of one turn and keeps them, with the batches in which they came: what
/// is read is what was sent. Not thread safe.
///
/// A piece of text costs about what it is long, plus 6 bytes: an event as such is 176 bytes. Other
/// events are kept as the message that carries them, which all receivers share.
class turn_log {
public:
  /// @param first_seq number of the first event that is to be appended
  turn_log(std::string session_id, std::string turn_id, uint64_t first_seq = 1);

  /// Adds a batch. Takes its events away unless all of them are pieces of text or arguments: those
  /// are left to be sent at once.
  /// @param more not empty
  void append(std::vector<event>& more);

  /// Adds a batch that was made before, in its own time. Its number is ignored.
  void restore(event_batch batch);

  /// Returns an event_batch that begins with number `seq`, with at most `most` events.
  /// @param seq first_seq() to last_seq()
  caf::message read(uint64_t seq, size_t most) const;

  /// Returns a batch of the newest events that stays the log's, until the next call: its ids need
  /// no copy.
  /// @param events the last that were appended
  event_batch& newest(std::vector<event> events);

  /// Returns a batch without events, of the time of the last one.
  event_batch header(uint64_t first_seq) const;

  /// Forgets the oldest events below `seq` until no more than `down_to` bytes are kept.
  void trim(uint64_t seq, size_t down_to);

  /// Returns the number of the first event that is still here; last_seq() + 1 when none is.
  uint64_t first_seq() const noexcept { return runs_.empty() ? next_ : runs_.front().first; }

  /// Returns how many events were appended.
  uint64_t last_seq() const noexcept { return next_ - 1; }

  /// Returns about how much memory the events take.
  size_t bytes() const noexcept { return bytes_; }

  const std::string& turn_id() const noexcept { return newest_.turn_id; }

private:
  /// Consecutive events: one batch, or many small ones packed.
  struct run {
    uint64_t first = 0;  ///< number of its first event
    int64_t time_us = 0; ///< of its first batch
    std::string packed;  ///< empty: `whole` has them
    caf::message whole;
    size_t bytes = 0;
  };

  void append(std::vector<event>& more, int64_t time_us);
  void pack(const std::vector<event>& more, int64_t time_us);
  void keep(std::vector<event>& more, int64_t time_us);
  event_batch unpack(const run& from, uint64_t seq, size_t most) const;
  event_batch part_of(const event_batch& batch, uint64_t seq, size_t most) const;

  event_batch newest_; ///< with the ids of all, and the time of the last
  std::deque<run> runs_;
  uint64_t next_;
  size_t bytes_ = 0;
};

} // namespace troupe

// The part of a conversation from outside that a store takes.
#pragma once

#include <cstdint>

#include "messages/errors.hpp"
#include "messages/store/conversation_change.hpp"

namespace troupe {

/// Says how the rows of an import are to be. Of a file the times are checked, and it cannot choose
/// calls that run; what comes from another store (taken_over) stays as it is.
class intake {
public:
  /// @param ask outlives it @param now_ms since 1970
  intake(const change_conversation& ask, int64_t now_ms) : ask_{ask}, now_ms_{now_ms} {}

  /// Sets the title, which is the automatic one if a file has none, and when it was created.
  /// @return why it cannot be kept
  failure begin(conversation_info& out) const;

  /// Returns a time as it is to be stored; of a file a missing or future time becomes now.
  int64_t time(int64_t time_ms) const;

  /// Returns the message as it is to be stored: of a file without pending approvals.
  /// @param made holds it if it differs from `message`, which is not copied otherwise: it may be
  /// very long
  const chat_message& message(const chat_message& message, chat_message& made) const;

  /// Returns the turn as it is to be stored: no process runs it here.
  turn_record turn(turn_record turn) const;

  /// Returns whether the usage of a turn is in the table already.
  bool is_counted(const turn_record& turn) const;

  /// Returns the version, which is at least the number of the last turn: later ones come behind.
  uint64_t version() const;

  /// Returns its place in the list; 0: it goes by the time of its last change.
  int64_t place() const { return ask_.from.exact ? ask_.from.place : 0; }

private:
  const change_conversation& ask_;
  int64_t now_ms_;
};

} // namespace troupe

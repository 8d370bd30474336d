// How a turn ended, for clients that get one answer.
#pragma once

#include "messages/chat/turn_events.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/wire/clients/completions/completions_json.hpp"

namespace troupe {

/// Collects what the events at the end of a turn say. Not thread safe.
struct turn_outcome {
  finish_reason reason = finish_reason::stop;
  usage used;
  std::string stop_sequence; ///< session_end::stop_sequence
  failure error;             ///< no error when it ended well

  void take(const session_end& e) {
    reason = e.reason;
    used = e.used;
    stop_sequence = e.stop_sequence;
  }
  void take(const abort_event& e) { error = {errc::aborted, aborted_text(e)}; }
  void take(const session_error& e) { error = e.why(); }

  /// Other events say nothing of it.
  template <class Other>
  void take(const Other&) {}
};

} // namespace troupe

// Events of a turn's own life and of the model's answer; the list is in events.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// The turn has begun; always the first event.
struct session_start {
  std::string message_id; ///< id of the assistant's message that this turn builds
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("messageId", &session_start::message_id));
  }
};

/// A model request is on its way; once per request of the turn.
struct model_response_waiting {
  uint32_t round = 0; ///< 0 for the first request of the turn
  std::string model;  ///< key of the configuration
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("round", &model_response_waiting::round),
                           field("model", &model_response_waiting::model));
  }
};

/// A piece of the answer's text; never empty.
struct text_delta {
  std::string text;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("text", &text_delta::text));
  }
};

/// A piece of the model's reasoning; never empty.
struct reasoning_delta {
  std::string text;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("text", &reasoning_delta::text));
  }
};

/// The model is done; SESSION_END follows.
struct model_generation_stop {
  finish_reason reason = finish_reason::stop;
  usage used; ///< of the turn's last request
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("finishReason", &model_generation_stop::reason),
                           field("usage", &model_generation_stop::used));
  }
};

/// Terminal: the turn ended normally, or after ABORT.
struct session_end {
  finish_reason reason = finish_reason::stop;
  usage used;                     ///< of the whole turn
  uint32_t roundtrips = 0;        ///< rounds of tool calls that were run here
  std::string stop_sequence = {}; ///< which one of the client's ended the answer; may be unknown
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("finishReason", &session_end::reason),
                           field("usage", &session_end::used),
                           field("roundtrips", &session_end::roundtrips),
                           field_when_given("stopSequence", &session_end::stop_sequence));
  }
};

/// Terminal: the turn failed.
struct session_error {
  errc error = errc::internal;
  std::string error_text;
  bool can_retry = false;
  uint32_t retry_after_ms = 0; ///< as in failure

  /// Returns the event that tells of a failure.
  static session_error of(const failure& why) {
    return {why.code, why.text(), retryable(why.code), why.retry_after_ms};
  }

  /// Returns what it tells of.
  failure why() const { return {error, error_text, retry_after_ms}; }

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &session_error::error),
                           field("errorText", &session_error::error_text),
                           field("retryable", &session_error::can_retry),
                           field_when_given("retryAfterMs", &session_error::retry_after_ms));
  }
};

/// The turn was stopped; SESSION_END follows.
struct abort_event {
  std::string reason; ///< "client", "stop", "replaced", "shutdown"
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("reason", &abort_event::reason));
  }
};

} // namespace troupe

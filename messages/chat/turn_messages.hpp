// Messages between the actors of a turn.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/chat/turn_report.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/chat/usage.hpp"
#include "messages/chat/viewer_messages.hpp"
#include "messages/fields.hpp"
#include "messages/http.hpp"

namespace troupe {

/// The events that one network read brought of a model's answer.
struct model_output {
  uint32_t request = 0; ///< the reader's number of the request
  std::vector<event> events;
  bool over = false;
  finish_reason reason = finish_reason::other; ///< only with over
  std::string stop_sequence = {};              ///< only with over: model_end::stop_sequence
  bool goes_on = false;                        ///< only with over: model_end::goes_on
  usage used;                                  ///< only with over
  errc error = errc::none;                     ///< only with over
  std::string error_text;                      ///< only with error
  uint32_t retry_after_ms = 0;                 ///< only with error: as in failure
  std::string provider_metadata = {};          ///< only with over: chat_message::provider_metadata
  model_report report = {};                    ///< only with over
  bool refused = false;                        ///< only with over: chat_message::refused

  static constexpr auto fields(auto...) {
    using self = model_output;
    return std::make_tuple(field("request", &self::request), field("events", &self::events),
                           field("over", &self::over), field("reason", &self::reason),
                           field("stop_sequence", &self::stop_sequence),
                           field("goes_on", &self::goes_on), field("used", &self::used),
                           field("error", &self::error), field("error_text", &self::error_text),
                           field("retry_after_ms", &self::retry_after_ms),
                           field("provider_metadata", &self::provider_metadata),
                           field("report", &self::report), field("refused", &self::refused));
  }
};

/// Asks the reader for the request to the model that stands in for the one that failed; or for
/// another one to the model that has refused one, perhaps without seals. It and its answer stay
/// within the process: a stream runs beside its reader.
struct fallback_due {
  uint32_t request = 0; ///< model_output::request
  std::shared_ptr<const model_config> model;
  bool without_sealed_reasoning = false; ///< model_request::without_sealed_reasoning
};

/// Answers fallback_due.
struct fallback_request {
  http_request request; ///< without a URL: the request had no seals, so there is no other one
};

/// Stops or restarts the reading of a model's answer.
struct flow_control {
  bool paused = false;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("paused", &flow_control::paused));
  }
};

/// Asks for one of a model's slots; the slot is held until release_slot or the sender's end.
struct acquire_slot {
  std::string model;    ///< key of the configuration
  uint32_t slots = 0;   ///< model_config::max_concurrent
  uint32_t waiting = 0; ///< model_config::max_queued: refused when so many wait already
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("model", &acquire_slot::model),
                           field("slots", &acquire_slot::slots),
                           field("waiting", &acquire_slot::waiting));
  }
};

/// Answers acquire_slot, at once or when a slot is free.
struct slot_answer {
  std::string model;
  bool granted = false; ///< else the queue is full
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("model", &slot_answer::model),
                           field("granted", &slot_answer::granted));
  }
};

/// Gives a slot back, or withdraws an acquire_slot that still waits.
struct release_slot {
  std::string model;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("model", &release_slot::model));
  }
};

/// Asks for a turn; its events go to the sender.
struct start_turn {
  turn_request request;
  uint32_t credit = 0; ///< events that may be sent before a grant_credit
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("request", &start_turn::request),
                           field("credit", &start_turn::credit));
  }
};

/// The turn will not be run; nothing else comes.
struct turn_refused {
  errc error = errc::internal;
  std::string error_text;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &turn_refused::error),
                           field("error_text", &turn_refused::error_text));
  }
};

/// Stops a running turn; no effect when it is over.
struct abort_turn {
  std::string session_id;
  std::string turn_id; ///< empty: the running turn
  std::string reason;  ///< of abort_event
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &abort_turn::session_id),
                           field("turn_id", &abort_turn::turn_id),
                           field("reason", &abort_turn::reason));
  }
};

/// Answers the tool_approval_requests of a running turn; an unknown id has no effect.
struct answer_approvals {
  std::string session_id;
  std::vector<tool_approval> approvals;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &answer_approvals::session_id),
                           field("approvals", &answer_approvals::approvals));
  }
};

/// A session tells its hub that its turn is over.
struct turn_ended {
  std::string session_id;
  bool unsaved = false; ///< the store failed: the session must live until chat_saved
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &turn_ended::session_id),
                           field("unsaved", &turn_ended::unsaved));
  }
};

/// A session tells its hub of rounds of tools that its client was not told of: the turn has ended
/// for the client's own tools, and its history comes back without them.
struct unseen_rounds {
  std::string session_id;
  std::vector<chat_message> messages; ///< answers and results; calls of the client have none
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &unseen_rounds::session_id),
                           field("messages", &unseen_rounds::messages));
  }
};

/// A session tells its hub that what turn_ended or expire_refused called unsaved is saved.
struct chat_saved {
  std::string session_id;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &chat_saved::session_id));
  }
};

/// A session tells its hub that it cannot end yet: something is unsaved.
struct expire_refused {
  std::string session_id;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &expire_refused::session_id));
  }
};

/// Numbers of a session_hub.
struct session_counts {
  uint64_t sessions = 0;
  uint64_t running_turns = 0;
  uint64_t turns = 0;    ///< accepted since the start
  bool draining = false; ///< no new turns
  bool cut_off = false;  ///< no new turns: the node of a cluster has lost its database
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("sessions", &session_counts::sessions),
                           field("runningTurns", &session_counts::running_turns),
                           field("turns", &session_counts::turns),
                           field("draining", &session_counts::draining),
                           field_when_given("cutOff", &session_counts::cut_off));
  }
};

} // namespace troupe

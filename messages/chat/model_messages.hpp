// Messages between the readers of a model's answer, the model streams, and the model limiter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/chat/turn_report.hpp"
#include "messages/chat/usage.hpp"
#include "messages/fields.hpp"
#include "messages/http.hpp"

namespace troupe {

/// The events that one network read brought of a model's answer.
struct model_output {
  uint32_t request = 0; ///< the reader's number of the request
  std::vector<event> events;
  bool over = false;
  finish_reason reason = finish_reason::other; ///< only with over
  bool goes_on = false;                        ///< only with over: model_end::goes_on
  usage used;                                  ///< only with over
  errc error = errc::none;                     ///< only with over
  std::string error_text;                      ///< only with error
  std::string provider_metadata = {};          ///< only with over: chat_message::provider_metadata
  model_report report = {};                    ///< only with over
  bool refused = false;                        ///< only with over: chat_message::refused

  static constexpr auto fields(auto...) {
    using self = model_output;
    return std::make_tuple(field("request", &self::request), field("events", &self::events),
                           field("over", &self::over), field("reason", &self::reason),
                           field("goes_on", &self::goes_on), field("used", &self::used),
                           field("error", &self::error), field("error_text", &self::error_text),
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
  bool without_seals = false; ///< model_request::without_seals
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

} // namespace troupe

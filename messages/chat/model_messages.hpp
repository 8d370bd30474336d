// What the readers of a model's answer, the streams that bring it, and the places of a model say to
// each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/turn_report.hpp"
#include "messages/chat/usage.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// What one network read brought of the model's answer.
struct model_output {
  uint32_t request = 0; ///< the reader's number for what this answers
  std::vector<event> events;
  bool over = false;
  finish_reason reason = finish_reason::other; ///< only with over
  usage used;                                  ///< only with over
  errc error = errc::none;                     ///< only with over
  std::string error_text;                      ///< only with error
  std::string provider_metadata = {};          ///< only with over: chat_message::provider_metadata
  model_report report = {};                    ///< only with over

  static constexpr auto fields() {
    using self = model_output;
    return std::make_tuple(
        field("request", &self::request), field("events", &self::events),
        field("over", &self::over), field("reason", &self::reason), field("used", &self::used),
        field("error", &self::error), field("error_text", &self::error_text),
        field("provider_metadata", &self::provider_metadata), field("report", &self::report));
  }
};

/// Stops or restarts the reading of a model's answer.
struct flow_control {
  bool paused = false;
  static constexpr auto fields() { return std::make_tuple(field("paused", &flow_control::paused)); }
};

/// Asks for one of a model's places; it is held until release_slot or the sender's end.
struct acquire_slot {
  std::string model;    ///< key of the configuration
  uint32_t places = 0;  ///< model_config::max_concurrent
  uint32_t waiting = 0; ///< model_config::max_queued: with so many in front it is refused
  static constexpr auto fields() {
    return std::make_tuple(field("model", &acquire_slot::model),
                           field("places", &acquire_slot::places),
                           field("waiting", &acquire_slot::waiting));
  }
};

/// Answers acquire_slot, at once or when a place is free.
struct place_answer {
  std::string model;
  bool granted = false; ///< else the queue is full
  static constexpr auto fields() {
    return std::make_tuple(field("model", &place_answer::model),
                           field("granted", &place_answer::granted));
  }
};

/// Gives a place back, or takes the wish for one back.
struct release_slot {
  std::string model;
  static constexpr auto fields() { return std::make_tuple(field("model", &release_slot::model)); }
};

} // namespace troupe

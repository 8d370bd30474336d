// The result of a turn for logs, metrics and the usage table: one report per turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// One model request. Times are microseconds from its start; 0 = did not happen.
struct model_report {
  std::string model;     ///< key of the model that answered, or that failed last
  uint32_t attempts = 0; ///< HTTP requests made for it, retries and fallbacks included
  int64_t queued_us = 0; ///< the wait for one of the model's slots
  int64_t first_token_us = 0;
  int64_t total_us = 0;
  errc error = errc::none;
  finish_reason reason = finish_reason::other;
  std::string raw_reason; ///< finish_reason as the provider spelled it
  usage used;
  /// Tokens of a context that the prompt nearly filled, so that the server may have left out the
  /// oldest messages in silence; 0: there is room.
  uint64_t full_context = 0;

  static constexpr auto fields(auto...) {
    using self = model_report;
    return std::make_tuple(
        field("model", &self::model), field("attempts", &self::attempts),
        field("queuedUs", &self::queued_us), field("firstTokenUs", &self::first_token_us),
        field("totalUs", &self::total_us), field("error", &self::error),
        field("finishReason", &self::reason), field("rawFinishReason", &self::raw_reason),
        field("usage", &self::used), field("fullContext", &self::full_context));
  }
};

/// One model request that an MCP server has caused (sampling); sent to the telemetry actor when it
/// is over.
struct sampling_report {
  std::string server;
  std::string session_id; ///< the chat whose call it belongs to; empty if unknown
  model_report request;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &sampling_report::server),
                           field("sessionId", &sampling_report::session_id),
                           field("request", &sampling_report::request));
  }
};

/// One tool call that was run here.
struct tool_report {
  std::string server;
  std::string tool; ///< its name on the server
  int64_t total_us = 0;
  errc error = errc::none;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &tool_report::server), field("tool", &tool_report::tool),
                           field("totalUs", &tool_report::total_us),
                           field("error", &tool_report::error));
  }
};

/// One call that the model had written sloppily, and that was read as it was meant.
struct repaired_call {
  std::string tool; ///< its name, as the model is told it
  std::string what; ///< what was repaired: call_repairs::text()

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("tool", &repaired_call::tool),
                           field("what", &repaired_call::what));
  }
};

/// One turn; sent to the telemetry actor when it is over. Holds no text of any message.
struct turn_report {
  std::string session_id;
  std::string turn_id;
  std::string request_id;
  std::string model;
  errc error = errc::none;  ///< of SESSION_ERROR; aborted for an aborted one
  std::string abort_reason; ///< of ABORT
  finish_reason reason = finish_reason::other;
  uint32_t roundtrips = 0;
  usage used; ///< of the whole turn
  int64_t total_us = 0;
  std::vector<model_report> requests;
  std::vector<tool_report> tools;
  std::vector<repaired_call> repaired;

  static constexpr auto fields(auto...) {
    using self = turn_report;
    return std::make_tuple(field("sessionId", &self::session_id), field("turnId", &self::turn_id),
                           field("requestId", &self::request_id), field("model", &self::model),
                           field("error", &self::error), field("abortReason", &self::abort_reason),
                           field("finishReason", &self::reason),
                           field("roundtrips", &self::roundtrips), field("usage", &self::used),
                           field("totalUs", &self::total_us), field("requests", &self::requests),
                           field("tools", &self::tools), field("mended", &self::repaired));
  }
};

} // namespace troupe

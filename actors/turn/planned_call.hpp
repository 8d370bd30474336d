// One call that a model asked for, on its way to its result.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Where a call stands.
enum class call_stage : uint8_t {
  planned, ///< nothing was done about it yet
  asking,  ///< it waits for the client's approval
  running, ///< an MCP server has it
  offered, ///< the client is to run it
  ended,   ///< `error` and `result` say how
};

/// One call that a model asked for. Plain data.
struct planned_call {
  using time_point = std::chrono::steady_clock::time_point;

  tool_call call;
  std::string server;      ///< that runs it; empty: the client runs it, or the tool is unknown
  std::string server_tool; ///< the tool's name on that server
  bool approved = false;   ///< it waits for no approval that is configured
  bool read_only = false;  ///< its tool changes nothing, as its server says
  call_stage stage = call_stage::planned;
  errc error = errc::none;
  std::string result;              ///< what the model is told
  std::vector<message_file> files; ///< images of the result
  std::vector<shown_part> shown;   ///< of the result
  std::string approval_id;         ///< while it asks
  time_point started{};
  time_point due = time_point::max(); ///< when it counts as timed out, or as denied

  /// Returns whether the model's answer was cut before the first byte of the arguments. Such a call
  /// is shown, but does not go into the history; clients do not send it back either.
  bool is_none() const noexcept { return call.arguments.empty(); }
};

} // namespace troupe

// Messages between sessions and the MCP hub about tool calls.
#pragma once

#include <memory>
#include <string>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/mcp/tool_list.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

struct tool_outcome;
struct tool_progress;

/// Gets progress and outcome of one call in place of its sender, on the hub's thread.
class tool_sink {
public:
  virtual ~tool_sink() = default;
  virtual void progress(const tool_progress& report) = 0;
  virtual void outcome(tool_outcome& how) = 0; ///< the last call; none after a cancel_call
};

/// Asks a hub to run a tool; holds a lease on the server until the outcome, a cancel_call or the
/// sender's end.
struct call_tool {
  std::string tool_call_id; ///< the sender's; unique among its running calls
  std::string server;
  std::string tool;             ///< the name on the server
  std::string arguments;        ///< JSON text of an object
  std::string session_id = {};  ///< whose call it is; empty: of no chat
  bool answers = false;         ///< the sender's client answers requests of the server (client_ask)
  bool as_task = false;         ///< as an MCP task also if the tool makes that optional
  std::string traceparent = {}; ///< goes to the server as _meta.traceparent; empty: nothing
  bool from_node = false;       ///< see server_call
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("tool_call_id", &call_tool::tool_call_id), field("server", &call_tool::server),
        field("tool", &call_tool::tool), field("arguments", &call_tool::arguments),
        field("session_id", &call_tool::session_id), field("answers", &call_tool::answers),
        field("as_task", &call_tool::as_task), field("traceparent", &call_tool::traceparent),
        field("foreign", &call_tool::from_node));
  }
};

/// A call whose outcome goes to `sink` and not to the sender. Stays within the process: a caller
/// that waits on a thread of its own is spared two messages.
struct local_tool_call {
  call_tool call;
  std::shared_ptr<tool_sink> sink;
};

/// Takes a call back; its outcome, if any, is dropped.
struct cancel_call {
  std::string tool_call_id;
  std::string reason;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("tool_call_id", &cancel_call::tool_call_id),
                           field("reason", &cancel_call::reason));
  }
};

/// How a call went; exactly one for each call that was not cancelled.
struct tool_outcome {
  std::string tool_call_id;
  errc error = errc::none; ///< tool_failed: the tool said so itself
  std::string text;        ///< what the model is told, also for errors
  raw_json result;         ///< the MCP result object; empty when there is none
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("tool_call_id", &tool_outcome::tool_call_id),
                           field("error", &tool_outcome::error), field("text", &tool_outcome::text),
                           field("result", &tool_outcome::result));
  }
};

/// A running call reports how far it is.
struct tool_progress {
  std::string tool_call_id;
  double progress = 0;
  double total = 0;
  std::string message;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("tool_call_id", &tool_progress::tool_call_id),
                           field("progress", &tool_progress::progress),
                           field("total", &tool_progress::total),
                           field("message", &tool_progress::message));
  }
};

} // namespace troupe

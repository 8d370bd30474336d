// Events of tool calls: what the model asks for, and how its run goes; the list is in events.hpp.
#pragma once

#include <string>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// The model began to call a tool.
struct tool_args_start {
  std::string tool_call_id; ///< unique within the session
  std::string tool_name;
  bool client_side = false; ///< the client is to run it
  std::string title = {};   ///< shown_title of the tool; may be empty
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("toolCallId", &tool_args_start::tool_call_id),
                           field("toolName", &tool_args_start::tool_name),
                           field("clientSide", &tool_args_start::client_side),
                           field_when_given("title", &tool_args_start::title));
  }
};

/// A piece of the call's arguments as JSON text; never empty.
struct tool_args_delta {
  std::string tool_call_id;
  std::string delta;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("toolCallId", &tool_args_delta::tool_call_id),
                           field("delta", &tool_args_delta::delta));
  }
};

/// The call's arguments are complete.
struct tool_args_complete {
  std::string tool_call_id;
  std::string tool_name;
  raw_json
      arguments; ///< a JSON object; a JSON string with the model's own text when `error` is set
  bool client_side = false; ///< the client is to run it
  errc error = errc::none;  ///< tool_unknown or tool_arguments_invalid: the call will not be run
  std::string error_text;   ///< with error: what the model is told
  raw_json provider_metadata = {}; ///< tool_call::provider_metadata
  std::string title = {};          ///< as in tool_args_start
  static constexpr auto fields(auto...) {
    using self = tool_args_complete;
    return std::make_tuple(
        field("toolCallId", &self::tool_call_id), field("toolName", &self::tool_name),
        field("arguments", &self::arguments), field("clientSide", &self::client_side),
        field("error", &self::error), field("errorText", &self::error_text),
        field("providerMetadata", &self::provider_metadata),
        field_when_given("title", &self::title));
  }
};

/// The server-side run of a call began.
struct mcp_tool_start {
  std::string tool_call_id;
  std::string tool_name;
  std::string server; ///< empty when no server has the tool
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("toolCallId", &mcp_tool_start::tool_call_id),
                           field("toolName", &mcp_tool_start::tool_name),
                           field("server", &mcp_tool_start::server));
  }
};

/// The tool reported how far it is.
struct mcp_tool_progress {
  std::string tool_call_id;
  double progress = 0;
  double total = 0; ///< 0 when unknown
  std::string message;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("toolCallId", &mcp_tool_progress::tool_call_id),
                           field("progress", &mcp_tool_progress::progress),
                           field("total", &mcp_tool_progress::total),
                           field("message", &mcp_tool_progress::message));
  }
};

/// The tool answered.
struct mcp_tool_success {
  std::string tool_call_id;
  std::string tool_name;
  std::string server;
  raw_json result;  ///< the MCP result object
  std::string text; ///< what the model is told
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("toolCallId", &mcp_tool_success::tool_call_id),
        field("toolName", &mcp_tool_success::tool_name), field("server", &mcp_tool_success::server),
        field("result", &mcp_tool_success::result), field("text", &mcp_tool_success::text));
  }
};

/// The tool failed, or could not be run; the model is told and the turn continues.
struct mcp_tool_error {
  std::string tool_call_id;
  std::string tool_name;
  std::string server;
  errc error = errc::tool_failed;
  std::string error_text; ///< what the model is told
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("toolCallId", &mcp_tool_error::tool_call_id),
        field("toolName", &mcp_tool_error::tool_name), field("server", &mcp_tool_error::server),
        field("error", &mcp_tool_error::error), field("errorText", &mcp_tool_error::error_text));
  }
};

} // namespace troupe

// The items of a response's output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/json.hpp"

namespace troupe {

/// The kinds of output items.
enum class response_kind : uint8_t {
  message,       ///< text
  reasoning,     ///< what the model thinks aloud
  function_call, ///< the client runs it
  custom_call,   ///< the client runs it; its input is a text
  mcp_call       ///< it was run here
};

/// One item of a response's output.
struct response_item {
  response_kind kind = response_kind::message;
  std::string id;
  std::string text; ///< of a message or of reasoning; arguments or input of a call
  std::string call_id;
  std::string name;
  std::string name_space; ///< of a call for the client: response_tool::name_space
  std::string server;     ///< mcp_call: the MCP server
  std::string output;     ///< mcp_call: what the model is told
  std::string extra;      ///< function_call: tool_call::provider_metadata
  bool failed = false;
  bool done = false;
};

/// Appends an item. One that is not done has no text yet.
void append_response_item(json_buffer& out, const response_item& item);

/// Returns the name of the stream's events about the item's text: "output_text".
std::string_view text_events_of(response_kind kind);

/// Returns the text of a custom call, whose arguments are {"input": "..."}; other arguments stay.
std::string custom_input(std::string_view arguments);

} // namespace troupe

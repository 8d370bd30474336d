// The parts of the AI SDK's UI messages, and what a model is told of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// The members of one part, as slices of a json_source.
struct ui_part {
  std::string_view type;
  std::string_view text;
  std::string_view state;
  std::string_view tool_call_id;
  std::string_view tool_name;
  std::string_view input;
  std::string_view raw_input;
  std::string_view output;
  std::string_view error_text;
  std::string_view media_type;
  std::string_view filename;
  std::string_view url;
  std::string_view approval;
  std::string_view call_metadata; ///< callProviderMetadata
  std::string_view metadata;      ///< providerMetadata
};

/// A call of an assistant's last step whose approval the user gave or refused.
struct answered_call {
  tool_approval approval;
  size_t result = 0; ///< index of the tool message that says that it was not run
};

/// Refuses one part of a message: ".parts[index].what".
failure invalid_part(size_t index, std::string_view what);

/// Returns what a model is told of a tool's output: the text of an MCP result, a string as it is,
/// any other JSON as it stands. @param output a slice of a json_source
std::string tool_output_text(std::string_view output);

/// Appends what the parts of one message come to. For an assistant: per step one message with text,
/// reasoning and calls, then exactly one tool message for each call. Parts that are nothing for a
/// model are left out; a message may come to nothing. The failure's text names the place from the
/// message on: ".parts[0].text must be a string".
/// @param answered is set to the answered calls of an assistant's last step, in their order
failure append_ui_parts(role who, const std::vector<ui_part>& parts, std::vector<chat_message>& out,
                        std::vector<answered_call>& answered);

} // namespace troupe

// The parts of the AI SDK's UI messages as content for a model.
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

/// A call of an assistant's last step that the user approved or refused.
struct answered_call {
  tool_approval approval;
  size_t result = 0; ///< index of the tool message that says that it was not run
};

/// Refuses one part of a message: ".parts[index].what".
failure invalid_part(size_t index, std::string_view what);

/// Returns a tool's output as text for the model: the text of an MCP result, a string as it is, any
/// other JSON unchanged. @param output a slice of a json_source
std::string tool_output_text(std::string_view output);

/// Appends the parts of one message as messages for a model. An assistant's step gives one message
/// with text, reasoning and calls, then exactly one tool message for each call. Parts that a model
/// cannot use are left out; a message may give nothing. The failure's text names the place within
/// the message: ".parts[0].text must be a string".
/// @param answered is set to the answered calls of an assistant's last step, in their order
failure append_ui_parts(role who, const std::vector<ui_part>& parts, std::vector<chat_message>& out,
                        std::vector<answered_call>& answered);

} // namespace troupe

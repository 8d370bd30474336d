// The parts of the AI SDK's UI messages, and what a model is told of them.
#pragma once

#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/types.hpp"

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
  std::string_view approval;
};

/// Appends what the parts of one message come to. For an assistant: per step one message with text,
/// reasoning and calls, then exactly one tool message for each call. Parts that are nothing for a
/// model are left out; a message may come to nothing. The failure's text names the place from the
/// message on: ".parts[0].text must be a string".
failure append_ui_parts(role who, const std::vector<ui_part>& parts,
                        std::vector<chat_message>& out);

} // namespace troupe

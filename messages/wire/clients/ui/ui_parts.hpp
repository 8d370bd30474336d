// The parts of the AI SDK's UI messages as content for a model.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

/// The members of one part, as slices of a json_source.
struct ui_part {
  std::string_view type;
  std::string_view id;
  std::string_view text;
  std::string_view state;
  std::string_view tool_call_id;
  std::string_view tool_name;
  std::string_view input;
  std::string_view raw_input;
  std::string_view output;
  std::string_view error_text;
  std::string_view title;
  std::string_view media_type;
  std::string_view filename;
  std::string_view url;
  std::string_view approval;
  std::string_view call_metadata; ///< callProviderMetadata
  std::string_view metadata;      ///< providerMetadata
  std::string more = {};          ///< all other members, as `,"name":value`

  /// Takes a member; of a repeated key the last value counts.
  void take(std::string_view key, json_value value);

  /// Returns whether it has no members but these.
  bool has_only(std::initializer_list<std::string_view> names) const;

  /// Returns the members but these as an object; "" if there are none.
  std::string others(std::initializer_list<std::string_view> names) const;

  /// Returns the whole part, an object whose first member is `type`.
  std::string whole() const { return others({}); }
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

/// Returns the file of a part that was checked.
message_file file_of(const ui_part& part);

/// Returns the members of a file's part that do not follow from the file, an object; "" for none.
std::string other_file_members(const ui_part& part, const message_file& file);

/// The rest of one UI message, beside messages for a model.
struct ui_rest {
  std::vector<answered_call> answered; ///< of an assistant's last step, in their order
  std::vector<shown_part> silent;      ///< its parts, if it brings no message for a model
};

/// Appends the parts of one message as messages for a model. An assistant's step gives one message
/// with text, reasoning, files and calls, then exactly one tool message for each call. Parts that a
/// model cannot use stand in chat_message::shown, or in `rest.silent`; resources of MCP servers,
/// which the chat has itself, are left out. The failure's text names the place within the message:
/// ".parts[0].text must be a string".
failure append_ui_parts(role who, const std::vector<ui_part>& parts, std::vector<chat_message>& out,
                        ui_rest& rest);

} // namespace troupe

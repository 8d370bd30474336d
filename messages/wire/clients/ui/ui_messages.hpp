// UI messages of the AI SDK as messages for a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Most messages that one request may hold.
inline constexpr size_t max_request_messages = 10'000;

/// Most parts that one message may hold.
inline constexpr size_t max_message_parts = 2048;

/// The UI messages of a request as messages for a model.
struct ui_history {
  std::vector<chat_message> messages;
  std::string continued_id; ///< id of the last message if that is an assistant's, else ""

  /// For calls without a result in the last step, if the last message is an assistant's.
  std::vector<tool_approval> approvals;
};

/// Returns what would be refused in the parts of a UI message, whatever their number. The text
/// names no part: "text must be a string". @param message a slice of a json_source
failure check_ui_parts(std::string_view message);

/// Reads an array of UI messages. @param array a slice of a json_source
failure read_ui_messages(std::string_view array, ui_history& out);

/// Reads the one new message of a chat whose history the server has: a UI message, or a user's text
/// as a string. Of an assistant's message only the results of its last step are new.
failure read_ui_message(std::string_view message, ui_history& out);

} // namespace troupe

// Commands that a person types at the prompt beside messages: /help and the like.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "apps/troupe/chat/chat_state.hpp"

namespace troupe {

/// The kind of a typed line.
enum class line_kind : uint8_t {
  message, ///< it is for the model
  done,    ///< it was a command
  quit,    ///< it ends the chat
};

/// A command: its name stands after a slash.
struct chat_command {
  std::string_view name;
  std::string_view arguments; ///< for /help
  std::string_view about;
  line_kind (*run)(chat_state& chat, const std::string& argument);
};

/// The commands about the chat itself: new, continue, stop, export.
std::span<const chat_command> kept_chat_commands();

/// The commands about the next messages: model, system, file, tools, usage.
std::span<const chat_command> message_commands();

/// Runs a line that is a command. One is "/" and letters, alone or with a blank after them: a path
/// is none, and a line with a blank in front is for the model.
line_kind take_line(chat_state& chat, const std::string& line);

/// Goes on with a kept chat. @param id "": the one that was changed last
/// @param shows whether its end is shown @return false: there is none, as stderr says
bool continue_chat(chat_state& chat, const std::string& id, bool shows);

/// Shows the end of the chat that continues, if there is one.
void show_end_of(chat_state& chat);

} // namespace troupe

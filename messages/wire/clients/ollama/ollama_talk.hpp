// The messages of a chat of Ollama's clients as messages for a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads the `messages` of a chat: `content` is a string, `images` are base64, `arguments` of calls
/// an object. Calls without an id get one; a result without an id belongs to the first call of its
/// `tool_name` that has none, else to the first one. @param array a slice of a json_source
failure read_ollama_talk(std::string_view array, std::vector<chat_message>& out);

/// Adds images to `out`: an array of base64, as PNG, JPEG, GIF or WebP. Null and absent are none.
/// @param place where the array is, for errors
failure add_ollama_images(std::string_view images, const std::string& place, chat_message& out);

} // namespace troupe

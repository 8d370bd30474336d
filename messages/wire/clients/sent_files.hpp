// Files among the parts of a message that a client of OpenAI's APIs sends.
#pragma once

#include <string>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Returns whether it is an http: or https: URL, which a provider can fetch.
bool is_web_address(std::string_view url) noexcept;

// Each adds a file to `out`, or returns request_invalid that begins with `place`.

/// Adds an image. @param url data:, http: or https:, or of a stored file @param detail "low",
/// "high"; "" = auto
failure add_image(std::string url, std::string detail, const std::string& place, chat_message& out);

/// Adds a file with its data, a data: URL. @param name may be empty
failure add_file(std::string url, std::string name, const std::string& place, chat_message& out);

/// Adds a file that was uploaded here. @param id "file-...", or its address @param name may be
/// empty
failure add_stored_file(std::string id, std::string name, const std::string& place,
                        chat_message& out);

/// Adds a PDF that the provider fetches. @param url http: or https: @param name may be empty
failure add_linked_file(std::string url, std::string name, const std::string& place,
                        chat_message& out);

/// Adds a sound. @param audio JSON object with `data`, base64, and `format`, "wav" or "mp3"
failure add_audio(std::string_view audio, const std::string& place, chat_message& out);

} // namespace troupe

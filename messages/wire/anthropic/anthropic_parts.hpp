// Parts of a request's content: texts, images, documents.
#pragma once

#include <string_view>

#include "messages/json.hpp"
#include "messages/wire/history/model_file.hpp"

namespace troupe {

/// Appends {"type":"text","text":...}.
void append_anthropic_text(json_buffer& out, std::string_view text);

/// Returns whether the file can go as it is: Anthropic fetches from https: only.
bool takes_anthropic_file(const model_file& file) noexcept;

/// Appends an image or a document that takes_anthropic_file().
void append_anthropic_file(json_buffer& out, const model_file& file, const message_file& from);

/// Appends such a file, or for any other a text that names it.
void append_anthropic_file_or_note(json_buffer& out, const model_file& file,
                                   const message_file& from);

} // namespace troupe

// Files as parts of Gemini's contents.
#pragma once

#include "messages/json.hpp"
#include "messages/wire/history/model_file.hpp"

namespace troupe {

/// Appends a part with the file: inlineData with its bytes, or fileData with its address.
/// @param from the message's own
/// @return false, and appends nothing, for a file that Gemini does not read: a GIF
bool append_gemini_file(json_buffer& out, const model_file& file, const message_file& from);

} // namespace troupe

// Content parts of MCP (specification 2025-11-25, server/tools, "Tool Result") as text for a model:
// text, images, audio, embedded resources and links.
#pragma once

#include <string>
#include <string_view>

#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

/// One part as text.
struct content_text {
  std::string text;
  bool is_text = false; ///< text of a part or an embedded resource; else `text` is a short note
};

/// Reads one part. Its text is: of a text or an embedded text resource that text; of a blob, an
/// image or audio a note with type and size; of a link its name and URI; of other parts their type.
/// @param part a slice of a json_source, or the current value of a walk
/// @return the member that is missing, "type" or "text"; else ""
std::string_view read_content(std::string_view part, content_text& out);
std::string_view read_content(json_value part, content_text& out);

} // namespace troupe::mcp

// Content parts of MCP (specification 2025-11-25, server/tools, "Tool Result"): what a model is
// told of text, images, audio, embedded resources and links.
#pragma once

#include <string>
#include <string_view>

#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

/// One part as text.
struct content_text {
  std::string text;
  bool is_text = false; ///< a text, or an embedded resource's; else a short note stands for it
};

/// Reads one part. Text as it is; an embedded resource's text, or a note for its blob; of images
/// and audio the type and the size; of links name and URI; of others their type.
/// @param part a slice of a json_source, or a value that a walk has come to
/// @return the member that is missing, "type" or "text"; "" if none is
std::string_view read_content(std::string_view part, content_text& out);
std::string_view read_content(json_value part, content_text& out);

} // namespace troupe::mcp

// Content parts of MCP (specification 2025-11-25, server/tools, "Tool Result"): what a model is
// told of text, images, audio, embedded resources and links.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe::mcp {

/// One part as text.
struct content_text {
  std::string text;
  bool is_text = false; ///< a text or an embedded resource; else a short note stands for it
};

/// Reads one part. Text as it is; an embedded resource's text, or a note for its blob; of images
/// and audio the type and the size; of links name and URI; of others their type.
/// @param part a slice of a json_source
/// @param method, place for the failure: errc::server_protocol, "tools/call: content[2] has no
/// type"
failure read_content(std::string_view part, std::string_view method, std::string_view place,
                     content_text& out);

} // namespace troupe::mcp

// Images in the content of MCP results (specification 2025-11-25, server/tools, "Image Content").
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe::mcp {

/// Most bytes of images, as data URLs, that are taken from one result; the text has a note for each
/// image.
inline constexpr size_t max_image_bytes = size_t{8} * 1024 * 1024;

/// Appends the image that a content part holds, as a data: URL. Returns false for other parts, for
/// types that are no image's, for data that is no base64, and for more than max_image_bytes.
/// @param part a slice of a json_source
bool append_image(std::string_view part, std::vector<message_file>& out);

/// Returns the images in the `content` of a result, in their order, without images beyond
/// max_image_bytes. Without images it costs one search through the text.
/// @param result JSON text of a CallToolResult; any other text has no images
std::vector<message_file> images_of(std::string_view result);

} // namespace troupe::mcp

// Files in the content of MCP results (specification 2025-11-25, server/tools: "Image Content",
// "Audio Content", "Embedded Resources").
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe::mcp {

/// Most bytes of files, as data URLs, that are taken from one result; the text has a note for each
/// file.
inline constexpr size_t max_file_bytes = size_t{8} * 1024 * 1024;

/// Appends the file that a content part holds, as a data: URL: an image, audio, or the blob of an
/// embedded resource that is an image, a PDF, a sound or a text. The data may have line ends, and
/// may be a data: URL itself; without a type its first bytes tell it. Returns false for other parts
/// and types, for data that is no base64, and for more than max_file_bytes.
/// @param part a slice of a json_source
bool append_file(std::string_view part, std::vector<message_file>& out);

/// Returns the files in the `content` of a result, in their order, without those beyond
/// max_file_bytes. Without files it costs three searches through the text.
/// @param result JSON text of a CallToolResult; any other text has no files
std::vector<message_file> files_of_result(std::string_view result);

} // namespace troupe::mcp

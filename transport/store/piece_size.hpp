// How large the pieces of long changes and readings are.
#pragma once

#include <cstddef>
#include <vector>

#include "messages/store/conversation.hpp"

namespace troupe {

/// Most rows, and most bytes of texts and bodies, that one piece of a long change writes. A longer
/// message is a piece of its own. A piece takes one or two milliseconds, so that turns hardly wait
/// for it.
inline constexpr size_t piece_rows = 256;
inline constexpr size_t piece_bytes = size_t{256} * 1024;

/// Returns the end of the piece of messages that begins at a place; it has at least one message.
size_t end_of_piece(const std::vector<stored_message>& all, size_t from);

/// Returns whether a conversation takes more than one piece.
bool is_long(const conversation& content);

} // namespace troupe

// Shortens tool results that are too long for the model. Text only, no I/O.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Start of the note that follows a shortened text.
inline constexpr std::string_view cut_note_head = "\n[cut: the first ";

/// Returns `text`, or its first `limit` bytes (fewer, where a character would be cut) and a note
/// that says so: the model must not take a part for the whole.
std::string bounded_output(std::string text, size_t limit);

/// Returns the start of a longer text, and a note with its size and the path of the whole text:
/// `limit` bytes in all. A note that has no room is left out.
/// @param head the start of the text, at least `limit` bytes of it
/// @param size bytes of the whole text
/// @param path the file that holds it; "" = none does
std::string spilled_output(std::string_view head, size_t size, std::string_view path, size_t limit);

} // namespace troupe

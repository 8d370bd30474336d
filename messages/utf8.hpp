// UTF-8 as it really comes in: checked, repaired, and never cut inside a character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// One character, or one broken piece, of a text that claims to be UTF-8.
struct utf8_unit {
  size_t bytes = 0; ///< length of the character, or of the broken piece to replace; at least 1
  bool valid = false;
};

/// U+FFFD, which stands in for a broken piece.
inline constexpr std::string_view utf8_replacement = "\xEF\xBF\xBD";

/// Reads the character at `at`. A broken piece ends before the first byte that cannot belong to it,
/// so every decoder that follows the WHATWG rules finds the same pieces.
/// @param at below text.size()
utf8_unit utf8_at(std::string_view text, size_t at) noexcept;

/// U+FEFF, the byte order mark that some programs write in front of a text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Returns `text` without a byte order mark at its beginning; inside of a text it stays.
std::string_view without_byte_order_mark(std::string_view text) noexcept;

/// Takes a byte order mark off the beginning of `text`.
void remove_byte_order_mark(std::string& text);

/// Returns whether `text` begins with an ASCII character in UTF-16: any one after a byte order
/// mark, a bracket of JSON without. UTF-8 without control characters does not.
bool begins_like_utf16(std::string_view text) noexcept;

/// Appends `text`, with U+FFFD for each broken piece.
void append_utf8(std::string& out, std::string_view text);

/// Appends one code point; surrogates and values above U+10FFFF become U+FFFD.
void append_code_point(std::string& out, char32_t code);

/// Returns the longest start of `text` that has at most `max_bytes` and ends with a whole
/// character.
std::string_view utf8_prefix(std::string_view text, size_t max_bytes) noexcept;

} // namespace troupe

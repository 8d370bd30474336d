// Markdown for scripts that are written without spaces, by which md4c finds marks and the ends of
// addresses.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns Markdown with stand-ins for md4c: beside `*` in Chinese, Japanese or Korean text a
/// letter counts as punctuation, so that the mark can begin and end there; a single tilde is a
/// letter; a bare address ends before CJK punctuation. Stand-ins that the text has itself are left
/// out.
/// @param text terminal_text(), valid UTF-8
std::string with_stand_ins(std::string_view text);

/// Returns a piece of text that md4c found, as it was written.
std::string without_stand_ins(std::string_view text);

} // namespace troupe

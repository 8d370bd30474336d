// Text with styles, as a terminal shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Bits of a style.
enum text_style : uint8_t {
  style_plain = 0,
  style_bold = 1,
  style_italic = 2,
  style_dim = 4,
  style_code = 8,
  style_struck = 16,
  style_underlined = 32,
};

/// A piece of text in one style. A line end in it is a break that stays.
struct styled_run {
  std::string text; ///< terminal_text()
  uint8_t style = style_plain;
};

using styled_text = std::vector<styled_run>;

/// Returns the text with sequences for its style, which ends with it.
std::string painted(std::string_view text, uint8_t style);

/// Returns the painted text in lines of at most this many columns, cut between words. A word that
/// is wider has a line to itself. At least one line. @param columns at least 1
std::vector<std::string> wrapped(const styled_text& text, size_t columns);

/// Returns how many columns the text takes in one line.
size_t width_of(const styled_text& text);

} // namespace troupe

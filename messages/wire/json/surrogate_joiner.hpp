// Joins characters that were cut in two: gateways that slice by UTF-16 units end one JSON string
// with \ud83d and begin the next one with \ude00.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Returns whether `code` is the first half of a surrogate pair.
constexpr bool is_high_half(uint16_t code) noexcept {
  return code >= 0xD800 && code < 0xDC00;
}

/// Returns whether `code` is the second half of a surrogate pair.
constexpr bool is_low_half(uint16_t code) noexcept {
  return code >= 0xDC00 && code < 0xE000;
}

/// Returns the character of a pair.
constexpr char32_t pair_of(uint16_t high, uint16_t low) noexcept {
  return 0x10000 + ((char32_t{high} - 0xD800) << 10) + (char32_t{low} - 0xDC00);
}

/// Appends a lone half as WTF-8 does: three bytes that UTF-8 never has.
void append_half(std::string& out, uint16_t half);

/// Like json_string, for a string that is a piece of a text: a low half at its beginning and a high
/// half at its end stay, in the form of append_half, until a surrogate_joiner reads them.
std::string json_string_piece(std::string_view value);

/// Puts U+FFFD in the place of each escape of a lone half in a JSON text, whose strings may hold
/// pairs: \ud83d alone is no character, and strict parsers refuse the whole text.
/// @param json a text without a fault (json_fault)
/// @return whether there were any
bool replace_lone_halves(std::string& json);

/// Joins the pieces of one text. A high half at the end of a piece waits for the next piece: with a
/// low half at its beginning it becomes one character, else U+FFFD. Not thread safe.
class surrogate_joiner {
public:
  /// Returns the text that the next piece adds.
  /// @param value a JSON string (see json_slice.hpp)
  std::string read(std::string_view value);

  /// Appends the text that the next piece adds.
  /// @param piece from json_string_piece
  void append(std::string& out, std::string_view piece);

  /// Appends U+FFFD for a half that waits, because the text is over.
  void flush(std::string& out);

  /// Returns whether a half waits.
  bool waits() const noexcept { return high_ != 0; }

private:
  uint16_t high_ = 0; ///< the half that waits, or 0
};

} // namespace troupe

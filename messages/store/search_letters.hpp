// Characters as a search sees them: their kind, and the form in which they are compared.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// The kinds of characters, as a search sees them.
enum class letter_kind : uint8_t {
  gap,      ///< ends a word
  unseen,   ///< an accent and the like: the word is the same without it
  letter,   ///< of a script that writes spaces between words; digits, too
  letters,  ///< one that is written as several: letters_of()
  unspaced, ///< of a script without spaces: Han, Kana, Hangul, Thai, Khmer, ...
  sign      ///< an emoji, an arrow, a sign of money or mathematics: a word of its own
};

/// A character in the form in which it is compared.
struct search_letter {
  char32_t code = 0;
  letter_kind kind = letter_kind::gap;
};

/// Returns the character without case, accent and width (NFKC for those of East Asia); Katakana
/// for Hiragana. Any thread.
/// A change here, or of what is built on it, makes other words: it needs a new index in each store.
search_letter fold_letter(char32_t code);

/// Returns the folded letters of a character of the kind `letters`: "ss" of a sharp s. Else "".
std::u32string_view letters_of(char32_t code);

/// Returns the one character that two make: Kana with a mark of voice, the parts of a syllable of
/// Hangul, letters of Cyrillic that are no accented ones. 0: they make none.
/// @param code as folded @param next not folded
char32_t composed(char32_t code, char32_t next);

} // namespace troupe

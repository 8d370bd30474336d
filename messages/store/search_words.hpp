// The words of a text, as all stores index and find them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace troupe {

/// The kinds of words. A run is a row of characters that are written without spaces.
enum class word_kind : uint8_t {
  spaced, ///< a word between spaces or punctuation, or a sign
  pair,   ///< two neighbours of a run; each character but the last one begins one
  last,   ///< the last character of a run of two and more
  only    ///< the only character of a run
};

/// A word of a text.
struct search_word {
  std::string_view word; ///< folded, UTF-8, without spaces; valid during the visit
  word_kind kind = word_kind::spaced;
  size_t begin = 0;     ///< where it begins in the text, in bytes
  size_t end = 0;       ///< after its last byte
  size_t first_end = 0; ///< after its first character, of a run; else as `end`
};

/// Is shown each word, in order.
using word_visitor = std::function<void(const search_word&)>;

/// Shows the words of a text. Each character of a run begins one word, so that a part of a run is a
/// row of words: a search for it is a search for that row. Emojis that are joined are a row, too.
/// Broken UTF-8 separates words. Any thread.
void for_each_word(std::string_view text, const word_visitor& visit);

/// The most bytes that searched_part() returns of valid UTF-8.
inline constexpr size_t searched_bytes = size_t{4} * 65'536;

/// Returns the part of a text that is searched: 65,536 characters.
std::string_view searched_part(std::string_view text);

/// Returns all words of a text, separated by spaces: what an index gets.
std::string words_of(std::string_view text);

} // namespace troupe

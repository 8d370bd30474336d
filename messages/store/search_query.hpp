// The query of a person, as all stores read it, and the piece of a text that shows a hit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// Words that stand in a row.
struct search_phrase {
  std::vector<std::string> words; ///< as in search_words.hpp; at least one
  bool begins = false;            ///< the last one is the beginning of a word
};

/// The phrases that must all occur in a text. None: nothing is found.
struct search_query {
  std::vector<search_phrase> phrases;
};

/// Reads search_conversations::query: words, texts "in quotes", and beginnings*. There is no other
/// syntax. A part of a run without spaces is a phrase of pairs. What has no letter, digit or sign
/// drops out. Any thread.
/// @param why request_invalid: nothing is looked for, or too much
search_query read_search_query(std::string_view query, failure& why);

/// Returns the piece of a text that has the most of the phrases, of some 24 words or 48 characters
/// without spaces; what was found stands between U+0002 and U+0003. "..." stands for what is left
/// out. Any thread.
std::string search_snippet(std::string_view text, const search_query& query);

} // namespace troupe

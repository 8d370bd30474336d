// What a person looks for, as an expression of FTS5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// Returns the words of the index that begin with a text of small ASCII letters and digits; at most
/// `most` + 1 of them.
using words_beginning = std::function<std::vector<std::string>(std::string_view text, size_t most)>;

/// Returns the expression that finds an owner's texts with all words of `query` (see
/// search_conversations::query). Nothing in it is syntax but quotes around words, and a star that
/// ends one.
/// @param owner number of the owner; 0: there is only one, and his name need not be in it
/// @param find is asked for the words of beginnings: a few words are found sooner than a beginning,
/// for which FTS5 first collects all its texts
/// @param why request_invalid: no words, or too many
std::string search_expression(int64_t owner, std::string_view query, const words_beginning& find,
                              failure& why);

} // namespace troupe

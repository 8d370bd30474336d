// A person's search words as an expression of FTS5.
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
/// search_conversations::query). Its only syntax is quotes around words, and a star at the end of a
/// beginning.
/// @param owner number of the owner; 0: the only one, who need not be in the expression
/// @param find returns the words of a beginning: a few words are found faster than a beginning, for
/// which FTS5 first collects all texts
/// @param why request_invalid: no words, or too many
std::string search_expression(int64_t owner, std::string_view query, const words_beginning& find,
                              failure& why);

} // namespace troupe

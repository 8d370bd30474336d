// The query of a search, as an expression of FTS5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/store/search_query.hpp"

namespace troupe {

/// Returns the words of the index that begin with a folded text; at most `most` + 1 of them.
using words_beginning = std::function<std::vector<std::string>(std::string_view text, size_t most)>;

/// Returns the expression that finds an owner's texts with all phrases of `query`.
/// @param owner number of the owner; 0: the only one, who need not be in the expression
/// @param query has a phrase at least
/// @param find returns the words of a beginning: a few words are found faster than a beginning, for
/// which FTS5 first collects all texts
std::string search_expression(int64_t owner, const search_query& query,
                              const words_beginning& find);

} // namespace troupe

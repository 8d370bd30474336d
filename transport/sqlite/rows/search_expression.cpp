#include "transport/sqlite/rows/search_expression.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr size_t most_found = 256; ///< words of all beginnings together; they take 20 ms

/// The index of beginnings, which FTS5 has, is of this many characters.
constexpr auto indexed_characters = 3;

auto characters_of(std::string_view word) {
  return std::count_if(word.begin(), word.end(), [](char c) { return (c & '\xC0') != '\x80'; });
}

/// Returns the words of a beginning, joined by OR. "" if FTS5 does better: it has an index of
/// beginnings of three letters, and for many words, or none, one list is faster to read.
std::string words_beginning_with(const search_phrase& phrase, const words_beginning& find,
                                 size_t& room) {
  if (!phrase.begins || phrase.words.size() > 1 || room == 0 ||
      characters_of(phrase.words[0]) == indexed_characters)
    return {};
  const auto words = find(phrase.words[0], room);
  if (words.size() > room)
    return {};
  room -= words.size();
  return words.empty() ? std::string{} : fmt::format("\"{}\"", fmt::join(words, "\" OR \""));
}

} // namespace

std::string search_expression(int64_t owner, const search_query& query,
                              const words_beginning& find) {
  size_t room = most_found;
  std::string row;
  std::string lists;
  for (const auto& phrase : query.phrases) {
    const auto words = words_beginning_with(phrase, find, room);
    if (!words.empty())
      lists += fmt::format(" AND text : ({})", words);
    else
      row += fmt::format("{}\"{}\"{}", row.empty() ? "" : " ", fmt::join(phrase.words, " "),
                         phrase.begins ? " *" : "");
  }
  constexpr size_t first_and = 5;
  const auto all = row.empty() ? lists.substr(first_and) : fmt::format("text : ({}){}", row, lists);
  return owner == 0 ? all : fmt::format("owner : \"o{}\" AND {}", owner, all);
}

} // namespace troupe

#include "transport/sqlite/search_words.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr size_t most_words = 32;
constexpr size_t max_query_bytes = 1024;
constexpr size_t most_found = 256;    ///< words of all beginnings together; they take 20 ms
constexpr size_t least_beginning = 3; ///< bytes; shorter ones would match half of all words

bool is_space(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

/// The text between two spaces, or between quotes.
struct search_word {
  std::string text; ///< without quotes
  bool begins = false;
};

bool is_ascii_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Takes one word, or one text in quotes, from the front of `rest`.
bool take_one(std::string_view& rest, search_word& out, failure& why) {
  while (!rest.empty() && is_space(rest.front()))
    rest.remove_prefix(1);
  if (rest.empty())
    return false;
  const bool quoted = rest.front() == '"';
  if (quoted)
    rest.remove_prefix(1);
  const auto ends = [quoted](char c) { return c == '"' || (!quoted && is_space(c)); };
  const auto end = std::find_if(rest.begin(), rest.end(), ends);
  const auto size = static_cast<size_t>(end - rest.begin());
  auto word = rest.substr(0, size);
  rest.remove_prefix(quoted && size < rest.size() ? size + 1 : size);
  out.begins = !quoted && word.size() > 1 && word.ends_with('*');
  if (out.begins)
    word.remove_suffix(1);
  if (out.begins && word.size() < least_beginning)
    why = {errc::request_invalid,
           fmt::format("before a * there are at least {} letters", least_beginning)};
  out.text = word;
  std::replace_if(out.text.begin(), out.text.end(), is_space, ' ');
  return true;
}

std::vector<search_word> take_all(std::string_view query, failure& why) {
  std::vector<search_word> out;
  for (search_word word; out.size() <= most_words && take_one(query, word, why);)
    out.push_back(word);
  if (out.empty())
    why = {errc::request_invalid, "there is no word to search for"};
  else if (out.size() > most_words)
    why = {errc::request_invalid, fmt::format("a search can have {} words", most_words)};
  return out;
}

/// Returns the words of a beginning, joined by OR. "" if FTS5 does better: it has an index of
/// beginnings of three letters, and for many words, or none, one list is faster to read.
std::string words_of(const search_word& word, const words_beginning& find, size_t& room) {
  if (!word.begins || word.text.size() <= least_beginning ||
      !std::all_of(word.text.begin(), word.text.end(), is_ascii_word))
    return {};
  std::string text = word.text;
  for (char& c : text)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  const auto words = find(text, room);
  if (words.size() > room)
    return {};
  room -= words.size();
  return words.empty() ? std::string{} : fmt::format("\"{}\"", fmt::join(words, "\" OR \""));
}

/// Words in a row must all occur. Words without a letter or digit drop out of a row; a row without
/// words finds nothing. Joined by AND they would not drop out.
std::string joined(const std::vector<search_word>& all, const words_beginning& find) {
  const bool none_drops = std::all_of(all.begin(), all.end(), [](const auto& word) {
    return std::any_of(word.text.begin(), word.text.end(), is_ascii_word);
  });
  size_t room = none_drops ? most_found : 0;
  std::string row;
  std::string lists;
  for (const auto& word : all) {
    const auto words = room > 0 ? words_of(word, find, room) : std::string{};
    if (!words.empty())
      lists += fmt::format(" AND text : ({})", words);
    else
      row += fmt::format("{}\"{}\"{}", row.empty() ? "" : " ", word.text, word.begins ? " *" : "");
  }
  if (!row.empty())
    return fmt::format("text : ({}){}", row, lists);
  constexpr size_t first_and = 5;
  return lists.substr(first_and);
}

} // namespace

std::string search_expression(int64_t owner, std::string_view query, const words_beginning& find,
                              failure& why) {
  if (query.size() > max_query_bytes) {
    why = {errc::request_invalid, fmt::format("a search can have {} bytes", max_query_bytes)};
    return {};
  }
  const auto all = take_all(query, why);
  if (why)
    return {};
  const auto words = joined(all, find);
  return owner == 0 ? words : fmt::format("owner : \"o{}\" AND {}", owner, words);
}

} // namespace troupe

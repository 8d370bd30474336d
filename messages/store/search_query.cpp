#include "messages/store/search_query.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/store/search_words.hpp"

namespace troupe {

namespace {

constexpr size_t most_words = 32;
constexpr size_t max_query_bytes = 1024;
constexpr size_t least_beginning = 3; ///< bytes; shorter ones would match half of all words

bool is_space(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

/// The text between two spaces, or between quotes.
struct query_part {
  std::string_view text; ///< without quotes and star
  bool begins = false;
};

/// Takes one word, or one text in quotes, from the front of `rest`.
bool take_one(std::string_view& rest, query_part& out, failure& why) {
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
  out.text = rest.substr(0, size);
  rest.remove_prefix(quoted && size < rest.size() ? size + 1 : size);
  out.begins = !quoted && out.text.size() > 1 && out.text.ends_with('*');
  if (out.begins)
    out.text.remove_suffix(1);
  if (out.begins && out.text.size() < least_beginning)
    why = {errc::request_invalid,
           fmt::format("before a * there are at least {} letters", least_beginning)};
  return true;
}

std::vector<query_part> take_all(std::string_view query, failure& why) {
  std::vector<query_part> out;
  for (query_part part; out.size() <= most_words && take_one(query, part, why);)
    out.push_back(part);
  if (out.empty())
    why = {errc::request_invalid, "there is no word to search for"};
  else if (out.size() > most_words)
    why = {errc::request_invalid, fmt::format("a search can have {} words", most_words)};
  return out;
}

/// A run that ends a phrase may go on in a text: its pairs are enough, and a single character is
/// the beginning of a pair.
search_phrase phrase_of(const query_part& part) {
  search_phrase out;
  auto kind = word_kind::spaced;
  for_each_word(part.text, [&](const search_word& each) {
    out.words.emplace_back(each.word);
    kind = each.kind;
  });
  if (kind == word_kind::last)
    out.words.pop_back();
  out.begins = kind == word_kind::only || (kind == word_kind::spaced && part.begins);
  return out;
}

} // namespace

search_query read_search_query(std::string_view query, failure& why) {
  search_query out;
  if (query.size() > max_query_bytes) {
    why = {errc::request_invalid, fmt::format("a search can have {} bytes", max_query_bytes)};
    return out;
  }
  for (const auto& part : take_all(query, why))
    if (auto phrase = phrase_of(part); !phrase.words.empty())
      out.phrases.push_back(std::move(phrase));
  return out;
}

} // namespace troupe

#include "transport/postgres/postgres_search.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "messages/store/search_query.hpp"
#include "messages/store/search_words.hpp"
#include "transport/postgres/connection/postgres_words.hpp"
#include "transport/postgres/postgres_index.hpp"

namespace troupe {

namespace {

constexpr uint32_t longest_search_page = 100;
/// Candidates that are read at once: first as many as a page has, then more.
constexpr size_t least_candidates = 32;
constexpr size_t most_candidates = 256;

/// Where a page begins: behind the message of this place. Messages are ordered by these numbers,
/// the highest first.
struct search_place {
  int64_t ahead = 1; ///< 1: not ahead of the clock; 0: ahead, these come last
  int64_t created = INT64_MAX;
  int64_t conversation = INT64_MAX;
  int64_t place = INT64_MAX;
};

std::string text_of(const search_place& at) {
  return fmt::format("{}-{}-{}-{}", at.ahead, at.created, at.conversation, at.place);
}

bool read_search_place(std::string_view text, search_place& out) {
  const char* at = text.data();
  const auto* end = at + text.size();
  for (auto* number : {&out.ahead, &out.created, &out.conversation, &out.place}) {
    if (number != &out.ahead && (at == end || *at++ != '-'))
      return false;
    const auto read = std::from_chars(at, end, *number);
    if (read.ec != std::errc{})
      return false;
    at = read.ptr;
  }
  return at == end;
}

/// 'word' as a tsquery has it.
void append_operand(std::string& out, std::string_view word, bool begins) {
  if (!out.empty())
    out += " & ";
  out += '\'';
  for (const char c : clipped_word(word)) {
    if (c == '\'' || c == '\\')
      out += c;
    out += c;
  }
  out += begins ? "':*" : "'";
}

/// Returns the expression that finds the owner's texts with all words of a query.
std::string expression_of(int64_t owner, const search_query& query) {
  std::string out;
  append_operand(out, owner_word(owner), false);
  for (const auto& phrase : query.phrases)
    for (size_t i = 0; i < phrase.words.size(); ++i)
      append_operand(out, phrase.words[i], phrase.begins && i + 1 == phrase.words.size());
  return out;
}

bool stands_at(const std::vector<std::string>& words, size_t at, const search_phrase& phrase) {
  const auto size = phrase.words.size();
  if (size > words.size() - at || !std::equal(phrase.words.begin(), phrase.words.end() - 1,
                                              words.begin() + static_cast<int64_t>(at)))
    return false;
  const auto& last = words[at + size - 1];
  return phrase.begins ? last.starts_with(phrase.words.back()) : last == phrase.words.back();
}

/// Returns whether a text has all phrases of a query.
bool has_phrases(std::string_view text, const search_query& query) {
  std::vector<std::string> words;
  for_each_word(text, [&words](const search_word& each) { words.emplace_back(each.word); });
  return std::ranges::all_of(query.phrases, [&](const search_phrase& phrase) {
    for (size_t at = 0; at < words.size(); ++at)
      if (stands_at(words, at, phrase))
        return true;
    return false;
  });
}

/// What a search looks for, and the candidate that it looked at last.
struct postgres_search_run {
  int64_t owner;
  size_t limit;
  int64_t ahead_from; ///< times from here on lie ahead
  search_query query;
  std::string expression;
  search_place at;
};

/// The candidates are chosen by the index alone, and only these are joined with their texts: a word
/// that stands in each text has as many as there are messages. A candidate whose chat or message is
/// gone has no name. The owner is no key here (`+ 0`): a plan that was made while the tables were
/// empty would go through all texts of the owner, in place of those with the words.
failure read_candidates(postgres_connection& db, const postgres_search_run& in, size_t limit,
                        postgres_rows& out) {
  return db.ask(
      "SELECT s.ahead, s.created, s.conversation, s.place, c.name, c.title, m.message_id, m.role, "
      "substring(m.text FROM 1 FOR 262144), (m.place IS NOT NULL)::int FROM "
      "(SELECT (created < $6)::int AS ahead, created, conversation, place FROM search_rows "
      "WHERE words @@ convert_from($1, 'UTF8')::tsquery AND ((created < $6)::int, created, "
      "conversation, place) < ($3, $4, $5, $7) ORDER BY 1 DESC, 2 DESC, 3 DESC, 4 DESC LIMIT $8) s "
      "LEFT JOIN conversations c ON c.id = s.conversation AND c.owner + 0 = $2 "
      "AND s.place < c.messages "
      "LEFT JOIN messages m ON m.conversation = c.id AND m.place = s.place "
      "ORDER BY 1 DESC, 2 DESC, 3 DESC, 4 DESC",
      postgres_values{in.expression, in.owner, in.at.ahead, in.at.created, in.at.conversation,
                      in.ahead_from, in.at.place, limit},
      out);
}

/// Looks at candidates until the page is full. @param more set to whether there may be more of them
failure find_hits(postgres_connection& db, postgres_search_run& in, size_t candidates, bool& more,
                  search_page& out) {
  postgres_rows rows;
  if (auto error = read_candidates(db, in, candidates, rows))
    return error;
  more = rows.size() == static_cast<int>(candidates);
  while (rows.next()) {
    const auto text = searched_part(rows.view(8));
    const bool found = rows.integer(9) == 1 && has_phrases(text, in.query);
    if (found && out.hits.size() == in.limit) {
      out.next = text_of(in.at);
      more = false;
      return {};
    }
    in.at = {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3)};
    if (found)
      out.hits.push_back({rows.text(4), rows.text(5), rows.text(6),
                          static_cast<role>(rows.integer(7)), search_snippet(text, in.query),
                          rows.integer(1)});
  }
  return {};
}

failure find_number(postgres_connection& db, std::string_view owner, int64_t& out) {
  postgres_rows rows;
  auto error = db.ask("SELECT id FROM owners WHERE name = $1", postgres_values{owner}, rows);
  out = !error && rows.next() ? rows.integer(0) : 0;
  return error;
}

} // namespace

search_page search_postgres(postgres_connection& db, const search_conversations& ask,
                            int64_t now_ms) {
  constexpr int64_t day_ms = 86'400'000;
  search_page out;
  postgres_search_run run{0,
                          std::clamp<size_t>(ask.limit, 1, longest_search_page),
                          now_ms + day_ms,
                          read_search_query(ask.query, out.error),
                          {},
                          {}};
  if (!out.error && !ask.cursor.empty() && !read_search_place(ask.cursor, run.at))
    out.error = {errc::request_invalid, "the cursor is not one that a page came with"};
  if (!out.error)
    out.error = find_number(db, ask.owner, run.owner);
  if (out.error || run.owner == 0 || run.query.phrases.empty())
    return out;
  run.expression = expression_of(run.owner, run.query);
  auto candidates = std::max(run.limit + 1, least_candidates);
  for (bool more = true; more && !out.error; candidates = std::min(candidates * 4, most_candidates))
    out.error = find_hits(db, run, candidates, more, out);
  return out;
}

} // namespace troupe

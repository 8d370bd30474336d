#include "transport/postgres/postgres_search.hpp"

#include <algorithm>
#include <charconv>
#include <span>
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
/// Candidates of one answer. Words of a phrase may stand in very many texts and nowhere beside each
/// other: who asks goes on with `next` then.
constexpr size_t most_candidates = 8192;
/// The number of candidates that are chosen first, also for a phrase; each choice sorts all there
/// are.
constexpr size_t least_candidates = 32;
constexpr size_t least_of_phrases = 1024;
constexpr size_t most_texts = 256; ///< that are read at once

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

/// Returns whether words have to stand beside each other, which the index does not know.
bool has_neighbours(const search_query& query) {
  return std::ranges::any_of(query.phrases,
                             [](const search_phrase& each) { return each.words.size() > 1; });
}

/// The terms of a search, and the candidate that it looked at last.
struct postgres_search_run {
  int64_t owner;
  size_t limit;
  int64_t ahead_from; ///< times from here on lie ahead
  search_query query;
  std::string expression;
  search_place at;
  size_t left = most_candidates; ///< to look at
};

/// Chooses the next candidates by the index alone: a word that stands in each text has as many as
/// there are messages.
failure choose(postgres_connection& db, const postgres_search_run& in, size_t limit,
               std::vector<search_place>& out) {
  postgres_rows rows;
  auto error = db.ask(
      "SELECT (created < $2)::int, created, conversation, place FROM search_rows "
      "WHERE words @@ convert_from($1, 'UTF8')::tsquery AND ((created < $2)::int, created, "
      "conversation, place) < ($3, $4, $5, $6) ORDER BY 1 DESC, 2 DESC, 3 DESC, 4 DESC LIMIT $7",
      postgres_values{in.expression, in.ahead_from, in.at.ahead, in.at.created, in.at.conversation,
                      in.at.place, limit},
      rows);
  while (!error && rows.next())
    out.push_back({rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3)});
  return error;
}

/// Reads the texts of candidates, in their order. One whose chat or message is gone has no name.
/// The owner is no key here (`+ 0`): a plan that was made while the tables were empty would go
/// through all texts of the owner. `OFFSET 0` has each message found by both of its keys:
/// PostgreSQL would keep all of a chat (Memoize) and go through them for each candidate.
failure read_texts(postgres_connection& db, int64_t owner, std::span<const search_place> of,
                   postgres_rows& out) {
  number_list conversations, places;
  for (const auto& each : of) {
    conversations.add(each.conversation);
    places.add(each.place);
  }
  return db.ask(
      "SELECT c.name, c.title, m.message_id, m.role, substring(m.text FROM 1 FOR $4::int), "
      "(m.place IS NOT NULL)::int FROM unnest($1::bigint[], $2::bigint[]) "
      "WITH ORDINALITY AS s(conversation, place, at) "
      "LEFT JOIN conversations c ON c.id = s.conversation AND c.owner + 0 = $3 "
      "AND s.place < c.messages LEFT JOIN LATERAL (SELECT * FROM messages "
      "WHERE conversation = s.conversation AND messages.place = s.place OFFSET 0) m "
      "ON c.id IS NOT NULL ORDER BY s.at",
      postgres_values{conversations, places, owner, searched_bytes}, out);
}

/// Looks at candidates until the page is full, and has `next` then.
failure look_at(postgres_connection& db, postgres_search_run& in, std::span<const search_place> all,
                search_page& out) {
  postgres_rows rows;
  if (auto error = read_texts(db, in.owner, all, rows))
    return error;
  for (const auto& each : all) {
    rows.next(); // there is one for each
    const auto text = searched_part(rows.view(4));
    const bool found = rows.integer(5) == 1 && has_phrases(text, in.query);
    if (found && out.hits.size() == in.limit) {
      out.next = text_of(in.at);
      return {};
    }
    in.at = each;
    --in.left;
    if (found)
      out.hits.push_back({rows.text(0), rows.text(1), rows.text(2),
                          static_cast<role>(rows.integer(3)), search_snippet(text, in.query),
                          each.created});
  }
  return {};
}

/// Looks at candidates while there are any, time, and room in the page.
/// @param more set to whether there may be further ones
failure find_hits(postgres_connection& db, postgres_search_run& in, size_t candidates, bool& more,
                  search_page& out) {
  std::vector<search_place> chosen;
  if (auto error = choose(db, in, candidates, chosen))
    return error;
  more = chosen.size() == candidates;
  auto piece = std::max(in.limit + 1, least_candidates);
  for (std::span<const search_place> rest{chosen}; !rest.empty(); piece = most_texts) {
    const auto texts = rest.first(std::min(rest.size(), piece));
    if (auto error = look_at(db, in, texts, out); error || !out.next.empty())
      return error;
    rest = rest.subspan(texts.size());
    if (!rest.empty() && db.deadline().has_used(75)) {
      more = true;
      break;
    }
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
  auto candidates =
      std::max(run.limit + 1, has_neighbours(run.query) ? least_of_phrases : least_candidates);
  bool more = true;
  do {
    out.error = find_hits(db, run, std::min(candidates, run.left), more, out);
    candidates = most_candidates;
  } while (more && out.next.empty() && !out.error && run.left > 0 && !db.deadline().has_used(50));
  if (out.error.code == errc::store_timeout && run.left < most_candidates) {
    out.error = {}; // what was looked at before that counts
    more = true;
  }
  if (more && out.next.empty() && !out.error)
    out.next = text_of(run.at);
  return out;
}

} // namespace troupe

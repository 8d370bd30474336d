#include "transport/sqlite/sqlite_search.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/store/search_query.hpp"
#include "messages/store/search_words.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/search_expression.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"

namespace troupe {

namespace {

constexpr uint32_t longest_search_page = 100;

/// The cursor is the time-ordered id of the last hit, without its owner.
bool read_cursor(std::string_view text, int64_t owner, int64_t& last) {
  int64_t place = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, place);
  if (read.ec != std::errc{} || read.ptr != end || place < 0 || place >= search_places)
    return false;
  last = (owner << search_bits) + place - 1;
  return true;
}

/// Fills in the members of a hit, none of which the index has; `hit.id` stays empty if the owner
/// has no such message.
failure complete(sqlite_connection& db, int64_t owner, int64_t id, const search_query& query,
                 search_hit& hit) {
  sqlite_query row{db,
                   "SELECT c.name, c.title, m.message_id, m.role, m.created, "
                   "substr(CAST(m.text AS BLOB), 1, ?3) FROM search_rows s "
                   "JOIN messages m ON m.id = s.message JOIN conversations c "
                   "ON c.id = s.message >> 20 WHERE s.id = ?1 AND c.owner = ?2 "
                   "AND s.message & 1048575 < c.messages",
                   id, owner, searched_bytes};
  if (row.next()) {
    hit.id = row.view(0);
    hit.title = row.view(1);
    hit.message_id = row.view(2);
    hit.who = static_cast<role>(row.integer(3));
    hit.created_ms = row.integer(4);
    hit.snippet = search_snippet(searched_part(row.view(5)), query);
  }
  return row.error();
}

std::vector<std::string> find_words(sqlite_connection& db, std::string_view beginning,
                                    size_t most) {
  std::vector<std::string> out;
  std::string from{beginning};
  while (out.size() <= most) {
    // One row at a time: without LIMIT the next row may be the same word in the next of a million
    // texts.
    sqlite_query next{db, "SELECT term FROM temp.search_terms WHERE term >= ?1 LIMIT 1", from};
    if (!next.next() || !next.view(0).starts_with(beginning))
      break; // after an error FTS5 searches the beginning itself, and fails too
    out.push_back(next.text(0));
    from = out.back() + '\x01'; // sorts before all longer words with this beginning
  }
  return out;
}

/// Returns whether the store has no data of other owners.
bool is_alone(sqlite_connection& db, int64_t owner) {
  sqlite_query other{db, "SELECT 1 FROM owners WHERE id > 0 AND id <> ?1 LIMIT 1", owner};
  return !other.next() && !other.error();
}

/// The terms of a search, and its last hit.
struct running_search {
  int64_t owner = 0;
  size_t limit = 0;
  const search_query& query;
  const std::string expression;
  int64_t id = 0;
};

/// @param range the ids of the oldest and of the newest row to look at; all of them are the owner's
failure find_hits(sqlite_connection& db, running_search& in, std::pair<int64_t, int64_t> range,
                  search_page& out) {
  sqlite_query found{db,
                     "SELECT rowid FROM search WHERE search MATCH ?1 AND rowid >= ?2 "
                     "AND rowid <= ?3 ORDER BY rowid DESC",
                     in.expression, range.first, range.second};
  while (found.next()) {
    if (out.hits.size() == in.limit) {
      out.next = fmt::format("{}", in.id & (search_places - 1));
      break;
    }
    in.id = found.integer(0);
    search_hit hit;
    if (auto error = complete(db, in.owner, in.id, in.query, hit))
      return error;
    if (!hit.id.empty())
      out.hits.push_back(std::move(hit));
  }
  return found.error();
}

} // namespace

search_page search_texts(sqlite_connection& db, const search_conversations& ask, int64_t now_ms) {
  constexpr int64_t day_ms = 86'400'000;
  search_page out;
  int64_t owner = 0;
  out.error = find_owner(db, ask.owner, owner);
  if (out.error)
    return out;
  const auto query = read_search_query(ask.query, out.error);
  const auto ahead = search_key(owner, now_ms + day_ms); // the first id that lies ahead
  auto last = ahead - 1;
  if (!out.error && !ask.cursor.empty() && !read_cursor(ask.cursor, owner, last))
    out.error = {errc::request_invalid, "the cursor is not one that a page came with"};
  if (out.error || owner == 0 || query.phrases.empty())
    return out;
  const auto find = [&db](std::string_view text, size_t most) {
    return find_words(db, text, most);
  };
  // With a single owner all rows are the owner's, and the owner's word would double the work.
  running_search search{owner, std::clamp<size_t>(ask.limit, 1, longest_search_page), query,
                        search_expression(is_alone(db, owner) ? 0 : owner, query, find)};
  if (last < ahead)
    out.error = find_hits(db, search, {search_key(owner, 0), last}, out);
  const auto newest = last < ahead ? owner_end(ahead) - 1 : last;
  if (!out.error && out.next.empty())
    out.error = find_hits(db, search, {ahead, newest}, out);
  return out;
}

} // namespace troupe

#include "transport/postgres/postgres_index.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/store/search_words.hpp"
#include "transport/postgres/connection/postgres_values.hpp"

namespace troupe {

namespace {

constexpr int64_t piece_texts = 64; ///< of up to 256 KiB each, in one piece of work

/// A piece of work: messages of a conversation from a place on.
struct index_place {
  int64_t conversation = 0;
  int64_t owner = 0; ///< 0: no conversation is left
  int64_t first = 0;
  int64_t end = 0; ///< after the last one
};

/// Finds the conversation that is next. What was removed is passed over.
failure find_next(postgres_connection& db, index_place& at) {
  postgres_rows rows;
  auto error = db.ask("SELECT id, owner, messages FROM conversations "
                      "WHERE id >= $1 AND owner <> 0 ORDER BY id LIMIT 1",
                      postgres_values{at.conversation}, rows);
  if (error || !rows.next())
    return error;
  const auto id = rows.integer(0);
  at = {id, rows.integer(1), id == at.conversation ? at.first : 0, 0};
  at.end = std::min(rows.integer(2), at.first + piece_texts);
  return {};
}

/// Writes the words of the texts. The rows are locked in the order in which a save that cuts them
/// off deletes them, so that neither waits for the other.
failure write_words(postgres_connection& db, const index_place& at) {
  const postgres_values piece{at.conversation, at.first, at.end, searched_bytes};
  db.add("SELECT 1 FROM search_rows WHERE conversation = $1 AND place >= $2 AND place < $3 "
         "ORDER BY place FOR UPDATE",
         postgres_values{at.conversation, at.first, at.end});
  postgres_rows rows;
  if (auto error = db.ask("SELECT place, role, created, substring(text FROM 1 FOR $4::int) "
                          "FROM messages WHERE conversation = $1 AND place >= $2 AND place < $3 "
                          "ORDER BY place FOR KEY SHARE",
                          piece, rows))
    return error;
  number_list places, created;
  words_list words;
  while (rows.next()) {
    chat_message message;
    message.who = static_cast<role>(rows.integer(1));
    message.text = rows.text(3);
    const auto entry = index_entry(at.owner, message);
    if (entry.empty())
      continue;
    places.add(rows.integer(0));
    created.add(rows.integer(2));
    words.add(entry);
  }
  if (places.size() > 0)
    db.add("INSERT INTO search_rows(conversation, place, created, words) SELECT $1, u.* FROM "
           "unnest($2::bigint[], $3::bigint[], $4::tsvector[]) AS u(place, created, words) "
           "ON CONFLICT(conversation, place) DO UPDATE SET words = EXCLUDED.words",
           postgres_values{at.conversation, places, created, words});
  return {};
}

} // namespace

failure texts_wait(postgres_connection& db, bool& waits) {
  postgres_rows rows;
  auto error = db.ask("SELECT count(*) FROM search_upkeep", {}, rows);
  waits = !error && rows.next() && rows.integer(0) > 0;
  return error;
}

failure index_again(postgres_connection& db, bool& more) {
  postgres_rows rows;
  more = false;
  if (auto error =
          db.ask("SELECT conversation, place FROM search_upkeep FOR UPDATE SKIP LOCKED", {}, rows);
      error || !rows.next())
    return error;
  index_place at{rows.integer(0), 0, rows.integer(1), 0};
  if (auto error = find_next(db, at))
    return error;
  if (at.owner == 0) {
    db.add("DELETE FROM search_upkeep");
    return db.run();
  }
  more = true;
  if (auto error = write_words(db, at))
    return error;
  const bool whole = at.end < at.first + piece_texts;
  db.add("UPDATE search_upkeep SET conversation = $1, place = $2",
         postgres_values{whole ? at.conversation + 1 : at.conversation, whole ? 0 : at.end});
  return db.run();
}

std::string owner_word(int64_t owner) {
  return fmt::format("#{}", owner);
}

std::string index_entry(int64_t owner, const chat_message& message) {
  const bool searched = message.who == role::user || message.who == role::assistant;
  if (!searched || message.text.empty())
    return {};
  std::vector<std::string> words{owner_word(owner)};
  for_each_word(searched_part(message.text),
                [&words](const search_word& each) { words.emplace_back(each.word); });
  return words.size() > 1 ? tsvector_of(std::move(words)) : std::string{};
}

} // namespace troupe

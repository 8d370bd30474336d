#include "transport/sqlite/rows/sqlite_index.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/role.hpp"
#include "messages/store/search_words.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"

namespace troupe {

namespace {

constexpr size_t most_bytes = size_t{128} * 1024; ///< of texts, in one piece of work
constexpr size_t most_conversations = 512;        ///< in one piece of work

/// A message on its way into the index.
struct waiting_text {
  int64_t id = 0; ///< of its row: search_key, plus one for each earlier text of the same time
  int64_t owner = 0;
  int64_t message = 0;
  std::string words; ///< words_of() its first characters
};

struct waiting_conversation {
  int64_t key = 0;
  int64_t owner = 0;
  int64_t indexed = 0;
  int64_t messages = 0;
};

/// Returns in `out` whether messages wait to be indexed. @param owner 0: of any owner
failure texts_wait(sqlite_connection& db, int64_t owner, bool& out) {
  sqlite_query found{db,
                     owner == 0 ? "SELECT 1 FROM conversations WHERE indexed < messages AND ?1 = 0"
                                : "SELECT 1 FROM conversations WHERE indexed < messages "
                                  "AND owner = ?1",
                     owner};
  out = found.next();
  return found.error();
}

failure read_waiting(sqlite_connection& db, int64_t owner, std::vector<waiting_conversation>& out) {
  // Two statements, so that each uses an index: `owner` alone is its first column.
  sqlite_query found{db,
                     owner == 0 ? "SELECT id, owner, indexed, messages FROM conversations "
                                  "WHERE indexed < messages AND ?1 = 0 LIMIT ?2"
                                : "SELECT id, owner, indexed, messages FROM conversations "
                                  "WHERE indexed < messages AND owner = ?1 LIMIT ?2",
                     owner, most_conversations};
  while (found.next())
    out.push_back({found.integer(0), found.integer(1), found.integer(2), found.integer(3)});
  return found.error();
}

/// Collects texts until there are enough of them; moves `indexed` on.
class text_collector {
public:
  text_collector(sqlite_connection& db, size_t messages) : db_{db}, places_{messages} {}

  bool full() const { return places_ == 0 || bytes_ >= most_bytes; }

  failure take(waiting_conversation& of) {
    sqlite_query found{db_,
                       "SELECT id, role, created, substr(CAST(text AS BLOB), 1, ?3) FROM messages "
                       "WHERE id >= ?1 AND id < ?2 ORDER BY id",
                       message_key(of.key, of.indexed), message_key(of.key, of.messages),
                       searched_bytes};
    while (!full() && found.next()) {
      const auto who = static_cast<role>(found.integer(1));
      const auto text = searched_part(found.view(3)); // the only use: each reads the column anew
      if ((who == role::user || who == role::assistant) && !text.empty())
        texts_.push_back(
            {search_key(of.owner, found.integer(2)), of.owner, found.integer(0), words_of(text)});
      bytes_ += text.size();
      --places_;
      ++of.indexed;
    }
    if (!full())
      of.indexed = of.messages; // missing rows must not wait for ever
    return found.error();
  }

  /// Returns the collected texts, oldest first.
  std::vector<waiting_text>& sorted() {
    std::sort(texts_.begin(), texts_.end(), [](const auto& a, const auto& b) {
      return std::pair{a.id, a.message} < std::pair{b.id, b.message};
    });
    return texts_;
  }

private:
  sqlite_connection& db_;
  size_t places_;
  size_t bytes_ = 0;
  std::vector<waiting_text> texts_;
};

/// Moves `id` on to a free one below `end`, in growing steps: if very many messages have the same
/// time, their order matters less than the time to walk past them.
failure find_free(sqlite_connection& db, int64_t& id, int64_t end) {
  for (int64_t step = 1; id < end; step *= 2) {
    sqlite_query taken{db, "SELECT 1 FROM search_rows WHERE id = ?1", id};
    if (!taken.next())
      return taken.error();
    id += step;
  }
  return {errc::store_failed, "the search index has no place left; see whether the clock is right"};
}

/// Returns in `out` the newest id below `end`.
failure find_newest(sqlite_connection& db, int64_t end, int64_t& out) {
  sqlite_query found{db, "SELECT id FROM search_rows WHERE id < ?1 ORDER BY id DESC LIMIT 1", end};
  out = found.next() ? found.integer(0) : 0;
  return found.error();
}

/// Inserts one row with VALUES. For an INSERT that could add several rows SQLite keeps a savepoint,
/// at which FTS5 writes its gathered data and merges it with the index.
failure add_text(sqlite_connection& db, const waiting_text& text) {
  sqlite_query row{db, "INSERT INTO search_rows(id, message) VALUES(?1, ?2)", text.id,
                   text.message};
  if (auto error = row.run())
    return error;
  const auto owner = fmt::format("o{}", text.owner);
  return sqlite_query{db, "INSERT INTO search(rowid, owner, text) VALUES(?1, ?2, ?3)", text.id,
                      owner, text.words}
      .run();
}

failure add_texts(sqlite_connection& db, std::vector<waiting_text>& texts) {
  int64_t last = 0;   // the id that was added last
  int64_t newest = 0; // the owner's newest id before that
  int64_t end = 0;    // the first id of the next owner
  for (auto& text : texts) {
    if (std::exchange(end, owner_end(text.id)) != owner_end(text.id))
      if (auto error = find_newest(db, end, newest))
        return error;
    text.id = std::max(text.id, last + 1);
    if (text.id <= newest || text.id >= end)
      if (auto error = find_free(db, text.id, end))
        return error;
    last = text.id;
    if (auto error = add_text(db, text))
      return error;
  }
  return {};
}

failure index_within(sqlite_connection& db, const index_piece& piece, bool& more) {
  std::vector<waiting_conversation> waiting;
  if (auto error = read_waiting(db, piece.owner, waiting))
    return error;
  text_collector texts{db, piece.messages};
  for (auto& each : waiting) {
    if (texts.full())
      break;
    if (auto error = texts.take(each))
      return error;
    sqlite_query mark{db, "UPDATE conversations SET indexed = ?2 WHERE id = ?1", each.key,
                      each.indexed};
    if (auto error = mark.run())
      return error;
  }
  more = texts.full() || waiting.size() == most_conversations;
  return add_texts(db, texts.sorted());
}

} // namespace

failure index_texts(sqlite_connection& db, const index_piece& piece, bool& more) {
  if (auto error = texts_wait(db, piece.owner, more); error || !more)
    return error;
  if (auto error = db.begin())
    return error;
  if (auto error = index_within(db, piece, more)) {
    db.roll_back();
    return error;
  }
  return db.commit();
}

failure index_owner(sqlite_connection& db, std::string_view owner) {
  index_piece piece{0, 256}; // small, because a search waits for it
  if (auto error = find_owner(db, owner, piece.owner); error || piece.owner == 0)
    return error;
  bool more = false;
  return index_texts(db, piece, more);
}

/// The index holds no texts: to forget one, it must be told its words again.
failure forget_texts(sqlite_connection& db, int64_t first, int64_t end) {
  sqlite_query rows{db,
                    "SELECT s.id, substr(CAST(m.text AS BLOB), 1, ?3) FROM search_rows s "
                    "JOIN messages m ON m.id = s.message WHERE s.message >= ?1 AND s.message < ?2",
                    first, end, searched_bytes};
  while (rows.next()) {
    const auto id = rows.integer(0);
    const auto owner = fmt::format("o{}", id >> search_bits);
    const auto words = words_of(searched_part(rows.view(1)));
    sqlite_query forget{db,
                        "INSERT INTO search(search, rowid, owner, text) VALUES('delete', ?1, ?2, "
                        "?3)",
                        id, owner, words};
    if (auto error = forget.run())
      return error;
  }
  if (auto error = rows.error())
    return error;
  return sqlite_query{db, "DELETE FROM search_rows WHERE message >= ?1 AND message < ?2", first,
                      end}
      .run();
}

failure forget_all_texts(sqlite_connection& db) {
  return db.execute("BEGIN IMMEDIATE;"
                    "INSERT INTO search(search) VALUES('delete-all');"
                    "DELETE FROM search_rows;"
                    "UPDATE conversations SET indexed = 0 WHERE indexed > 0;"
                    "COMMIT");
}

} // namespace troupe

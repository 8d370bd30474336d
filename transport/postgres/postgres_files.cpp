#include "transport/postgres/postgres_files.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// An upload without an end is given up after so long.
constexpr int64_t longest_upload_ms = int64_t{24} * 3600 * 1000;
/// The number of pieces that are read at once.
constexpr uint64_t pieces_at_once = 16;
/// The number of files that are swept at once: some may be large.
constexpr int64_t swept_at_once = 16;

/// Collects the pieces of a file. Each full one is written at once, so an upload of any length
/// takes the memory of one.
class piece_writer final : public file_writer {
public:
  piece_writer(postgres_connection& db, std::string id) : db_{db}, id_{std::move(id)} {}

  failure write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const auto part = bytes.substr(0, postgres_files::piece_bytes - piece_.size());
      piece_ += part;
      bytes.remove_prefix(part.size());
      if (piece_.size() == postgres_files::piece_bytes)
        if (auto error = flush())
          return error;
    }
    return {};
  }

  failure end() override { return piece_.empty() ? failure{} : flush(); }

private:
  failure flush() {
    db_.doing("keep a file");
    db_.add("INSERT INTO file_pieces(file, place, body) VALUES ($1, $2, $3) "
            "ON CONFLICT(file, place) DO UPDATE SET body = EXCLUDED.body",
            postgres_values{id_, place_, piece_});
    auto error = db_.run();
    ++place_;
    piece_.clear();
    return error;
  }

  postgres_connection& db_;
  std::string id_;
  std::string piece_;
  uint64_t place_ = 0;
};

/// Columns: about, bytes, created, expires, a chat that uses it.
stored_file read_file_columns(const postgres_rows& rows) {
  stored_file out;
  stored::read_text(rows.view(0), out);
  out.bytes = rows.natural(1);
  out.created_at = rows.integer(2);
  out.expires_at = rows.integer(3);
  out.chats.clear();
  if (!rows.view(4).empty())
    out.chats.push_back(rows.text(4));
  return out;
}

} // namespace

/// Two chats that go at once must not take each other for one that stays: the second one waits
/// here.
void add_end_of_uses(postgres_connection& db, const std::string& chat) {
  db.add("WITH held AS (SELECT f.id FROM files f WHERE f.id = ANY(ARRAY("
         "SELECT u.file FROM file_uses u WHERE u.chat = $1)) ORDER BY f.id FOR UPDATE) "
         "SELECT count(*) FROM held",
         postgres_values{chat});
  db.add("WITH left_over AS (DELETE FROM file_uses WHERE chat = $1 RETURNING file), "
         "gone AS (DELETE FROM files f USING left_over l WHERE f.id = l.file AND NOT EXISTS "
         "(SELECT 1 FROM file_uses u WHERE u.file = f.id AND u.chat <> $1) RETURNING f.id) "
         "INSERT INTO file_uploads(file, begun) SELECT id, 0 FROM gone "
         "ON CONFLICT(file) DO UPDATE SET begun = 0",
         postgres_values{chat});
}

postgres_files::postgres_files(postgres_place at, int64_t (*now_ms)())
    : db_{std::move(at)}, now_ms_{now_ms} {}

std::unique_ptr<file_writer> postgres_files::create(const std::string& id, failure& why) {
  db_.doing("keep a file");
  db_.add("INSERT INTO file_uploads(file, begun) VALUES ($1, $2) ON CONFLICT DO NOTHING",
          postgres_values{id, now_ms_()});
  why = db_.run();
  return why ? nullptr : std::make_unique<piece_writer>(db_, id);
}

failure postgres_files::remove(const std::string& id) {
  db_.doing("remove a file");
  db_.add("DELETE FROM files WHERE id = $1", postgres_values{id});
  db_.add("DELETE FROM file_uses WHERE file = $1", postgres_values{id});
  db_.add("DELETE FROM file_pieces WHERE file = $1", postgres_values{id});
  db_.add("DELETE FROM file_uploads WHERE file = $1", postgres_values{id});
  return db_.run();
}

failure postgres_files::keep(const stored_file& file) {
  db_.doing("keep a file");
  auto about = file;
  about.chats.clear();
  db_.add("WITH whole AS (DELETE FROM file_uploads WHERE file = $1 RETURNING file) "
          "INSERT INTO files(id, owner, about, purpose, bytes, created, expires) "
          "SELECT $1, $2, $3, $4, $5, $6, $7 FROM whole ON CONFLICT(id) DO NOTHING",
          postgres_values{file.id, file.owner, stored::text_of(about), file.purpose, file.bytes,
                          file.created_at, file.expires_at});
  bytes_list chats;
  for (const auto& each : file.chats)
    chats.add(each);
  if (chats.size() > 0)
    db_.add("INSERT INTO file_uses(file, chat) SELECT f.id, u.chat FROM files f, "
            "unnest($2::bytea[]) AS u(chat) WHERE f.id = $1 ON CONFLICT DO NOTHING",
            postgres_values{file.id, chats});
  postgres_rows rows;
  if (auto error = db_.ask("SELECT 1 FROM files WHERE id = $1", postgres_values{file.id}, rows))
    return error;
  return rows.next() ? failure{} : file_bytes_gone(); // it took so long that it was given up
}

failure postgres_files::find(const std::string& owner, const std::string& id, stored_file& out) {
  db_.doing("find a file");
  postgres_rows rows;
  if (auto error = db_.ask("SELECT f.about, f.bytes, f.created, f.expires, "
                           "(SELECT u.chat FROM file_uses u WHERE u.file = f.id LIMIT 1) "
                           "FROM files f WHERE f.id = $1 AND f.owner = $2",
                           postgres_values{id, owner}, rows))
    return error;
  if (!rows.next())
    return unknown_file(id);
  out = read_file_columns(rows);
  return {};
}

/// @param created when the file was made that the list goes on after
failure postgres_files::find_place(const list_files& ask, int64_t& created) {
  stored_file after;
  auto error = find(ask.owner, ask.after, after);
  created = after.created_at;
  return error.code == errc::file_unknown ? no_file_after(ask.after) : error;
}

file_page postgres_files::list(const list_files& ask) {
  file_page out;
  // Without a file to go on from, from before the first one. An index does not know "or".
  using times = std::numeric_limits<int64_t>;
  int64_t created = ask.oldest_first ? times::min() : times::max();
  if (!ask.after.empty())
    out.error = find_place(ask, created);
  if (out.error)
    return out;
  db_.doing("list files");
  postgres_rows rows;
  const postgres_values values{ask.owner, ask.purpose, ask.after, created, ask.limit + 1};
  out.error = ask.oldest_first
                  ? db_.ask("SELECT about, bytes, created, expires, (SELECT u.chat FROM file_uses "
                            "u WHERE u.file = f.id LIMIT 1) FROM files f WHERE owner = $1 "
                            "AND (octet_length($2) = 0 OR purpose = $2) "
                            "AND (created, id) > ($4, $3) "
                            "ORDER BY created, id LIMIT $5",
                            values, rows)
                  : db_.ask("SELECT about, bytes, created, expires, (SELECT u.chat FROM file_uses "
                            "u WHERE u.file = f.id LIMIT 1) FROM files f WHERE owner = $1 "
                            "AND (octet_length($2) = 0 OR purpose = $2) "
                            "AND (created, id) < ($4, $3) "
                            "ORDER BY created DESC, id DESC LIMIT $5",
                            values, rows);
  while (!out.error && rows.next()) {
    out.has_more = out.files.size() == ask.limit;
    if (!out.has_more)
      out.files.push_back(read_file_columns(rows));
  }
  return out;
}

failure postgres_files::all(const std::string& after, std::vector<stored_file>& out) {
  db_.doing("list files");
  postgres_rows rows;
  auto error = db_.ask("SELECT about, bytes, created, expires, ''::bytea FROM files "
                       "WHERE id > $1 ORDER BY id LIMIT 256",
                       postgres_values{after}, rows);
  while (!error && rows.next())
    error = add_uses(out.emplace_back(read_file_columns(rows)));
  return error;
}

failure postgres_files::add_uses(stored_file& file) {
  postgres_rows rows;
  auto error = db_.ask("SELECT chat FROM file_uses WHERE file = $1 ORDER BY chat",
                       postgres_values{file.id}, rows);
  while (!error && rows.next())
    file.chats.push_back(rows.text(0));
  return error;
}

failure postgres_files::read(const std::string& id, uint64_t offset, size_t most,
                             std::string& out) {
  db_.doing("read a file");
  const auto end = offset + most;
  for (auto at = offset; at < end;) {
    const auto first = at / piece_bytes;
    const auto last = std::min(first + pieces_at_once, (end + piece_bytes - 1) / piece_bytes);
    postgres_rows rows;
    if (auto error = db_.ask("SELECT body FROM file_pieces WHERE file = $1 AND place >= $2 "
                             "AND place < $3 ORDER BY place",
                             postgres_values{id, first, last}, rows))
      return error;
    if (rows.size() == 0)
      return at == offset && offset == 0 ? file_bytes_gone() : failure{};
    while (rows.next()) {
      const auto skipped = std::min<uint64_t>(at % piece_bytes, rows.view(0).size());
      const auto part = rows.view(0).substr(skipped, end - at);
      out += part;
      at += part.size();
      if (rows.view(0).size() < piece_bytes) // the last one
        return {};
    }
  }
  return {};
}

failure postgres_files::held(const std::string& owner, uint64_t& out) {
  db_.doing("look how much is kept");
  postgres_rows rows;
  auto error = db_.ask("SELECT coalesce(sum(bytes), 0)::bigint FROM files WHERE owner = $1",
                       postgres_values{owner}, rows);
  out = !error && rows.next() ? rows.natural(0) : 0;
  return error;
}

void postgres_files::use(const std::string& id, const std::string& chat) {
  db_.doing("note a file of a chat");
  db_.add("INSERT INTO file_uses(file, chat) SELECT f.id, $2 FROM files f WHERE f.id = $1 "
          "ON CONFLICT DO NOTHING",
          postgres_values{id, chat});
  static_cast<void>(db_.run());
}

/// A removal in the database has forgotten it already; what is left to do are the bytes.
void postgres_files::forget_chat(const std::string& chat) {
  db_.doing("remove files of a chat");
  add_end_of_uses(db_, chat);
  if (db_.run())
    return;
  while (sweep(0)) // none expires by then
    continue;
}

void postgres_files::copy_chat(const std::string& chat, const std::string& copy) {
  db_.doing("note the files of a chat");
  db_.add("INSERT INTO file_uses(file, chat) SELECT u.file, $2 FROM file_uses u "
          "WHERE u.chat = $1 ON CONFLICT DO NOTHING",
          postgres_values{chat, copy});
  static_cast<void>(db_.run());
}

bool postgres_files::sweep(int64_t now) {
  db_.doing("remove files whose time is over");
  // A file that is used goes with its last use: its time is over but once.
  db_.add(
      "WITH due AS (SELECT f.id, EXISTS (SELECT 1 FROM file_uses u WHERE u.file = f.id) AS used "
      "FROM files f WHERE f.expires > 0 AND f.expires <= $1 ORDER BY f.expires LIMIT $2), "
      "kept AS (UPDATE files f SET expires = 0 FROM due d WHERE f.id = d.id AND d.used), "
      "gone AS (DELETE FROM files f USING due d WHERE f.id = d.id AND NOT d.used "
      "RETURNING f.id), "
      "cleared AS (DELETE FROM file_pieces p USING gone g WHERE p.file = g.id) "
      "SELECT count(*) FROM due",
      postgres_values{now, swept_at_once});
  db_.add("WITH gone AS (DELETE FROM file_uploads WHERE file IN (SELECT u.file FROM file_uploads u "
          "WHERE u.begun < $1 LIMIT $2) RETURNING file), "
          "cleared AS (DELETE FROM file_pieces p USING gone g WHERE p.file = g.file) "
          "SELECT count(*) FROM gone",
          postgres_values{now_ms_() - longest_upload_ms, swept_at_once});
  std::vector<postgres_rows> counts;
  if (db_.run(&counts))
    return false;
  return std::ranges::any_of(
      counts, [](auto& each) { return each.next() && each.integer(0) == swept_at_once; });
}

} // namespace troupe

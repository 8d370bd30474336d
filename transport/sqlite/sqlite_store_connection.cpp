#include "transport/sqlite/sqlite_store_connection.hpp"

#include <system_error>

#include <sqlite3.h>

#include "transport/signals_blocked.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/sqlite/rows/sqlite_index.hpp"
#include "transport/sqlite/rows/sqlite_keys.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/sqlite/rows/sqlite_usage.hpp"
#include "transport/sqlite/sqlite_search.hpp"

namespace troupe {

// -- sqlite log mover -----------------------------------------------------------------------------

namespace {

/// While much is written, each move waits for a while, so that it finds more to do at once.
constexpr std::chrono::milliseconds rest{250};

/// The most rounds of a move: rows that were written during one are moved by the next, so that the
/// log can begin again.
constexpr int most_rounds = 4;

} // namespace

sqlite_log_mover::~sqlite_log_mover() {
  {
    const std::lock_guard guard{mutex_};
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

bool sqlite_log_mover::wake() {
  const std::lock_guard guard{mutex_};
  if (std::exchange(wanted_, true))
    return true;
  changed_.notify_all();
  if (thread_.joinable())
    return true;
  const signals_blocked block;
  try {
    thread_ = std::thread{[this] { run(); }};
  } catch (const std::system_error&) {
    wanted_ = false;
    return false;
  }
  return true;
}

void sqlite_log_mover::run() {
  std::unique_lock guard{mutex_};
  for (;;) {
    changed_.wait(guard, [this] { return wanted_ || over_; });
    if (over_)
      return;
    guard.unlock();
    move();
    guard.lock();
    wanted_ = false; // what was written since then wakes us again
    changed_.wait_for(guard, rest, [this] { return over_; });
  }
}

/// Errors are met by the next write, too. The connection lives only for the move: so the database
/// closes with its users.
void sqlite_log_mover::move() const {
  failure unimportant;
  const auto db = sqlite_connection::open(at_, unimportant);
  // Only a connection that has read something knows that there is a log.
  if (!db || db->execute("SELECT 1 FROM sqlite_schema LIMIT 1"))
    return;
  int pages = 1;
  int moved = 0;
  for (int round = 0; round < most_rounds && moved < pages; ++round)
    if (sqlite3_wal_checkpoint_v2(db->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages,
                                  &moved) != SQLITE_OK)
      return;
}

// -- sqlite store connection ----------------------------------------------------------------------

namespace {

/// Time between moves of the log into the database: keeps the log short, and spares the disk.
constexpr std::chrono::seconds between_moves{5};

/// From so many pages on (4 MiB) the log is moved at once, and from so many on (64 MiB) by the
/// connection itself: then the mover cannot keep up.
constexpr int long_log = 1000;
constexpr int longest_log = 16'000;

/// Called after each commit. @param pages of the log
int look_at_log(void* mover, sqlite3* db, const char* name, int pages) {
  const auto woken = pages >= long_log && static_cast<sqlite_log_mover*>(mover)->wake();
  if (pages >= longest_log || (pages >= long_log && !woken))
    sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return SQLITE_OK;
}

// Caches are small: data that is read again is in the system's cache. Without a mover SQLite moves
// the log itself, only when it is long (16 MiB).
// search_terms shows the words of the index; it is in no file.
constexpr const char* settings_of_all = R"sql(
PRAGMA foreign_keys = ON;
PRAGMA cache_size = -2048;
PRAGMA secure_delete = FAST;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 33554432;
CREATE VIRTUAL TABLE temp.search_terms USING fts5vocab('main', 'search', 'instance');
)sql";

/// Also without durability the log is flushed before the database: that costs no commit any time,
/// and without it a loss of power would damage the file.
const char* synchronous(durability how) {
  return how == durability::full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
}

} // namespace

std::unique_ptr<store_connection>
sqlite_store_connection::open(const sqlite_place& at, const sqlite_manner& manner, failure& why) {
  auto db = sqlite_connection::open(at, why);
  if (!db)
    return nullptr;
  why = db->execute(settings_of_all);
  if (!why)
    why = db->execute(synchronous(manner.how));
  if (!why && manner.statements != nullptr)
    why = db->execute(manner.statements);
  if (why)
    return nullptr;
  if (manner.mover != nullptr) // in place of wal_autocheckpoint
    sqlite3_wal_hook(db->handle(), look_at_log, manner.mover);
  return std::unique_ptr<store_connection>{new sqlite_store_connection{std::move(db), manner}};
}

// -- the transaction ------------------------------------------------------------------------------

failure sqlite_store_connection::begin() {
  db_->doing("begin to write");
  spoiled_ = {};
  return db_->begin();
}

failure sqlite_store_connection::commit() {
  db_->doing("write");
  return spoiled_ ? std::exchange(spoiled_, {}) : finish();
}

void sqlite_store_connection::roll_back() {
  undo();
  spoiled_ = {};
}

failure sqlite_store_connection::finish() {
  auto error = saver_.finish();
  if (!error)
    error = db_->commit();
  if (error)
    undo();
  return error;
}

void sqlite_store_connection::undo() {
  db_->roll_back();
  saver_.drop();
}

template <class Body>
failure sqlite_store_connection::write(const char* doing, Body body) {
  if (spoiled_)
    return spoiled_;
  db_->doing(doing);
  const bool own = !db_->in_transaction();
  if (own)
    if (auto error = db_->begin())
      return error;
  const auto rows = db_->rows_written();
  auto error = body();
  if (own && !error)
    return finish();
  if (own)
    undo();
  else if (error && (db_->rows_written() != rows || !db_->in_transaction())) {
    // The write is half done, or SQLite has rolled all of it back. Undone at once, so that half a
    // write is not read either.
    undo();
    spoiled_ = error;
  }
  return error;
}

/// Runs `body` so that all its statements see one state of the database.
template <class Answer, class Body>
Answer sqlite_store_connection::read(const char* doing, Body body) {
  db_->doing(doing);
  if (db_->in_transaction())
    return body();
  Answer out;
  out.error = db_->begin_reading();
  if (!out.error)
    out = body();
  db_->roll_back();
  return out;
}

template <class Answer, class Body>
Answer sqlite_store_connection::ask_for(const char* doing, Body body) {
  const sqlite_deadline limit{*db_};
  return read<Answer>(doing, body);
}

// -- chats ----------------------------------------------------------------------------------------

chat_record sqlite_store_connection::load(const load_chat& ask) {
  auto out = read<chat_record>("load a chat", [&] { return saver_.load(ask); });
  out.session_id = ask.session_id;
  return out;
}

bool sqlite_store_connection::load_at_once(const load_chat& ask, chat_record& out) {
  bool exists = false;
  out = read<chat_record>("load a chat", [&] { return saver_.look(ask, exists); });
  out.session_id = ask.session_id;
  return !exists;
}

save_answer sqlite_store_connection::save(const save_chat& ask) {
  save_answer out{ask.session_id, ask.number, 0, {}};
  out.error = write("save a chat", [&] { return saver_.save(ask, now_ms_(), out.version); });
  return out;
}

info_answer sqlite_store_connection::change(const change_conversation& ask) {
  info_answer out;
  saver_.forget(ask.session_id);
  saver_.forget(ask.to);
  out.error =
      write("change a conversation", [&] { return changes_.apply(ask, now_ms_(), out.info); });
  books_.totals.forget();
  return out;
}

std::unique_ptr<staged_change> sqlite_store_connection::stage(change_conversation& ask) {
  bool is_long = false;
  if (changes_.is_long(ask, is_long) || !is_long)
    return nullptr; // change() meets the same failure
  return changes_.stage(std::move(ask), now_ms_());
}

// -- questions ------------------------------------------------------------------------------------

conversation_page sqlite_store_connection::list(const list_conversations& ask) {
  return ask_for<conversation_page>("list conversations", [&] { return list_page(*db_, ask); });
}

search_page sqlite_store_connection::search(const search_conversations& ask) {
  db_->doing("search conversations");
  // A search must find messages that were just written. If they cannot be indexed, the rest is
  // searched.
  static_cast<void>(index_owner(*db_, ask.owner));
  return ask_for<search_page>("search conversations",
                              [&] { return search_texts(*db_, ask, now_ms_()); });
}

conversation_answer sqlite_store_connection::get(const get_conversation& ask) {
  return ask_for<conversation_answer>("read a conversation",
                                      [&] { return read_conversation(*db_, ask); });
}

usage_table sqlite_store_connection::used(const usage_query& ask) {
  return ask_for<usage_table>("read what was used", [&] {
    auto out = read_usage(*db_, ask);
    out.quota = books_.totals.quota();
    if (!out.error)
      out.error = read_holdings(*db_, ask.owner, out.kept);
    return out;
  });
}

// -- settings and keys ----------------------------------------------------------------------------

setting_list sqlite_store_connection::settings(const list_settings& ask) {
  return read<setting_list>("read settings", [&] { return read_settings(*db_, ask); });
}

failure sqlite_store_connection::put(const setting& value) {
  return write("write a setting", [&] { return write_setting(*db_, value); });
}

key_list sqlite_store_connection::keys(const list_keys& ask) {
  return read<key_list>("read keys", [&] { return read_keys(*db_, ask); });
}

failure sqlite_store_connection::put(const api_key& key) {
  return write("write a key", [&] { return write_key(*db_, key); });
}

// -- copies of the whole store --------------------------------------------------------------------

owner_list sqlite_store_connection::owners(const list_owners& ask) {
  return read<owner_list>("read owners", [&] { return read_owners(*db_, ask); });
}

failure sqlite_store_connection::put(const owner_usage& what) {
  return write("write what was used", [&] { return set_usage(*db_, what); });
}

// -- upkeep ---------------------------------------------------------------------------------------

failure sqlite_store_connection::close_running_turns(uint64_t& out) {
  saver_.forget_all();
  return write("close interrupted turns", [&] { return interrupt_turns(*db_, now_ms_(), out); });
}

failure sqlite_store_connection::tidy(bool& more) {
  db_->doing("tidy up");
  if (auto error = index_texts(*db_, {}, more))
    return error;
  bool more_to_clear = false;
  if (auto error = changes_.clear(more_to_clear))
    return error;
  more = more || more_to_clear;
  return move_log();
}

failure sqlite_store_connection::move_log() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_move_)
    return {};
  next_move_ = now + between_moves;
  if (mover_ != nullptr && mover_->wake())
    return {};
  return db_->execute("PRAGMA wal_checkpoint(PASSIVE)");
}

failure sqlite_store_connection::in_place() {
  if (!db_->has_moved())
    return {};
  return {errc::store_failed,
          "the database " + db_->path() +
              " was deleted or replaced while it was in use; put it back, or restart the server "
              "to go on with what is there now"};
}

failure sqlite_store_connection::probe() {
  return write("write", [&] {
    return sqlite_query{*db_, "UPDATE counters SET value = value + 1 WHERE name = 'probes'"}.run();
  });
}

uint64_t sqlite_store_connection::keys_version() {
  db_->doing("read keys");
  return count_key_changes(*db_);
}

} // namespace troupe

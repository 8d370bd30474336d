#include "transport/sqlite/sqlite_store.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "transport/sqlite/database/sqlite_errors.hpp"
#include "transport/sqlite/database/sqlite_folder.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_salvage.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/sqlite/rows/sqlite_index.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/sqlite/sqlite_store_connection.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

int64_t system_now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

constexpr size_t most_idle = 2; ///< connections that wait for their next reading

/// The connections of a store's readings: each reading has one for itself, so that all of its
/// pieces see one state of the database. Any thread; outlives the readings.
class sqlite_readers {
public:
  explicit sqlite_readers(sqlite_place at) : at_{std::move(at)} {}

  /// Begins to read a chat. @param why set when nullptr comes back
  std::unique_ptr<chat_reading> begin(const load_chat& ask, failure& why);

  /// Takes a connection back that is in no transaction.
  void give(std::unique_ptr<sqlite_connection> used);

private:
  std::unique_ptr<sqlite_connection> take(failure& why);

  sqlite_place at_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<sqlite_connection>> idle_; ///< to open one takes longer than a read
};

/// Reads in one transaction that lasts from the first piece to the last: what others write
/// meanwhile, it does not see.
class sqlite_chat_reading final : public chat_reading {
public:
  sqlite_chat_reading(sqlite_readers& home, std::unique_ptr<sqlite_connection> db,
                      const load_chat& ask)
      : home_{home}, db_{std::move(db)} {
    record_.session_id = ask.session_id;
    record_.number = ask.number;
  }

  ~sqlite_chat_reading() override { leave(); }

  bool step(chat_record& out) override {
    db_->doing("load a chat");
    bool more = false;
    auto error = std::exchange(begun_, true) ? failure{} : begin();
    if (!error && rows_)
      error = read_piece(more);
    if (!error && more)
      return true;
    if (!error && row_.key != 0)
      error = read_last_turn(*db_, row_.key, record_.last_turn, record_.events);
    if (error) // whatever was read, it is not the chat
      record_ = {record_.session_id, error, 0, {}, {}, {}, {}, {}, record_.number};
    leave();
    out = std::move(record_);
    return false;
  }

private:
  failure begin() {
    if (auto error = db_->begin_reading())
      return error;
    if (auto error = find_conversation(*db_, record_.session_id, row_); error || row_.key == 0)
      return error;
    record_.version = row_.info.version;
    stored::read_text(row_.overrides, record_.overrides);
    record_.history.reserve(row_.info.messages);
    rows_.emplace(*db_, row_);
    return {};
  }

  failure read_piece(bool& more) {
    const auto before = rows_->bytes();
    for (size_t count = 0; count < piece_rows; ++count) {
      stored_message each;
      if (!rows_->next(each)) {
        auto error = rows_->error();
        rows_.reset();
        return error;
      }
      record_.history.push_back(std::move(each.message));
      if (rows_->bytes() - before > piece_bytes)
        break;
    }
    more = true;
    return {};
  }

  /// Ends the transaction; the connection is free for the next reading.
  void leave() {
    if (!db_)
      return;
    rows_.reset();
    db_->roll_back();
    home_.give(std::move(db_));
  }

  sqlite_readers& home_;
  std::unique_ptr<sqlite_connection> db_;
  chat_record record_;
  conversation_row row_;
  std::optional<message_rows> rows_; ///< while messages are left
  bool begun_ = false;
};

std::unique_ptr<chat_reading> sqlite_readers::begin(const load_chat& ask, failure& why) {
  auto db = take(why);
  return db ? std::make_unique<sqlite_chat_reading>(*this, std::move(db), ask) : nullptr;
}

std::unique_ptr<sqlite_connection> sqlite_readers::take(failure& why) {
  {
    const std::lock_guard guard{mutex_};
    if (!idle_.empty()) {
      auto out = std::move(idle_.back());
      idle_.pop_back();
      return out;
    }
  }
  return sqlite_connection::open(at_, why);
}

void sqlite_readers::give(std::unique_ptr<sqlite_connection> used) {
  const std::lock_guard guard{mutex_};
  if (idle_.size() < most_idle)
    idle_.push_back(std::move(used));
}

class sqlite_store : public store_port {
public:
  sqlite_store(sqlite_folder folder, const sqlite_options& options, std::string notice)
      : folder_{std::move(folder)}, options_{options}, notice_{std::move(notice)} {}

  std::unique_ptr<store_connection> open(durability how, failure& why) override {
    const sqlite_place at{folder_.database(), folder_.damage_mark(), options_.busy_ms,
                          options_.question_ms};
    auto* now_ms = options_.now_ms == nullptr ? system_now_ms : options_.now_ms;
    return sqlite_store_connection::open(
        at, {how, now_ms, options_.statements, options_.quota, &mover_}, why);
  }

  std::unique_ptr<chat_reading> read_chat(const load_chat& ask, failure& why) override {
    return readers_.begin(ask, why);
  }

  std::string path() const override { return folder_.database(); }
  std::string notice() const override { return notice_; }

private:
  sqlite_folder folder_;
  sqlite_options options_;
  std::string notice_;
  sqlite_readers readers_{{folder_.database(), folder_.damage_mark(), options_.busy_ms}};
  sqlite_log_mover mover_{{folder_.database(), folder_.damage_mark(), options_.busy_ms}};
};

/// Reads all tables except those of the search index, which newer versions of SQLite would check,
/// too. Called only if damage was found before.
failure check_whole(sqlite_connection& db) {
  sqlite_query answer{db, "SELECT c.integrity_check FROM sqlite_schema s, "
                          "pragma_integrity_check(s.name) c WHERE s.type = 'table' AND s.name "
                          "NOT IN ('search', 'search_data', 'search_idx', 'search_docsize', "
                          "'search_config') AND c.integrity_check <> 'ok'"};
  if (answer.next())
    return {errc::store_damaged, answer.text(0)};
  return answer.error();
}

/// Adds a sentence to a notice.
void note(std::string& notice, std::string_view what) {
  notice.append(notice.empty() ? "" : "; ").append(what);
}

/// Returns whether messages wait for a search index that has none yet.
bool is_unindexed(sqlite_connection& db) {
  sqlite_query waiting{db, "SELECT 1 FROM conversations WHERE indexed < messages "
                           "AND NOT EXISTS(SELECT 1 FROM search_rows) LIMIT 1"};
  return waiting.next();
}

/// Checks a database in which damage was found before, and brings the schema up to date.
failure prepare(const sqlite_folder& folder, int busy_ms, std::string& notice) {
  failure error;
  auto db = sqlite_connection::open({folder.database(), {}, busy_ms}, error);
  if (!db)
    return error;
  const auto mark = folder.damage_mark();
  const bool suspect = ::access(mark.c_str(), F_OK) == 0;
  if (suspect)
    if (error = check_whole(*db); error)
      return error;
  int before = 0;
  if (error = read_schema(*db, before); error)
    return error;
  if (error = migrate(*db); error)
    return error;
  if (before > 1 && before < newest_schema() && is_unindexed(*db)) // the first schema had no index
    note(notice, "the search index is made anew; older messages are found when that is done");
  // The check skips the search index, so the index is built anew.
  if (suspect)
    if (error = forget_all_texts(*db); error)
      return error;
  ::unlink(mark.c_str());
  return {};
}

/// Moves all of the log into the database, whose file alone is renamed.
failure empty_log(sqlite_connection& db, const std::string& path) {
  const auto code =
      sqlite3_wal_checkpoint_v2(db.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  return code == SQLITE_OK ? failure{} : sqlite_failure(db.handle(), "save", path, errno);
}

/// Makes a new database of what can be read of the damaged one. The damaged one stays in its place
/// until that is done: if the process ends before, the next one begins again.
failure salvage_beside(const sqlite_folder& folder, int busy_ms, salvage_report& report) {
  if (auto error = folder.make_fresh())
    return error;
  failure error;
  auto db = sqlite_connection::open({folder.fresh(), {}, busy_ms}, error);
  if (db)
    error = migrate(*db);
  if (!error)
    error = salvage(folder.database(), *db, report);
  return error ? error : empty_log(*db, folder.fresh());
}

failure prepare_or_salvage(const sqlite_folder& folder, int busy_ms, std::string& notice) {
  auto error = prepare(folder, busy_ms, notice);
  if (error.code != errc::store_damaged)
    return error;
  salvage_report report;
  if (auto failed = salvage_beside(folder, busy_ms, report))
    return failed;
  std::string as;
  if (auto failed = folder.set_aside(as))
    return failed;
  if (auto failed = folder.use_fresh())
    return failed;
  ::unlink(folder.damage_mark().c_str());
  note(notice,
       fmt::format("the database was damaged ({}); it is kept as {}, and a new one began; {}",
                   error.text(), as, report.text()));
  return prepare(folder, busy_ms, notice);
}

/// Returns whether the database has the newest schema already, which is how a server leaves it.
failure look(const sqlite_folder& folder, int busy_ms, bool& newest) {
  failure error;
  auto db = sqlite_connection::open({folder.database(), folder.damage_mark(), busy_ms}, error);
  int version = 0;
  if (db)
    error = read_schema(*db, version);
  newest = version == newest_schema();
  return error;
}

} // namespace

void leave_sqlite_memory_uncounted() {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

std::unique_ptr<store_port> open_sqlite_store(const std::string& folder, failure& why,
                                              const sqlite_options& options) {
  sqlite_folder at{folder};
  std::string notice;
  why = at.make();
  if (!why)
    why = at.secure(notice);
  if (!why)
    why = at.hold();
  if (!why)
    why = prepare_or_salvage(at, options.busy_ms, notice);
  if (why)
    return nullptr;
  return std::make_unique<sqlite_store>(std::move(at), options, std::move(notice));
}

std::unique_ptr<store_port> open_sqlite_keys(const std::string& folder, failure& why,
                                             const sqlite_options& options) {
  sqlite_folder at{folder};
  std::string notice;
  bool newest = false;
  why = at.make();
  if (!why)
    why = at.secure(notice);
  if (!why)
    why = look(at, options.busy_ms, newest);
  if (!why && !newest) { // no other process may use it meanwhile
    why = at.hold();
    if (!why)
      why = prepare(at, options.busy_ms, notice);
    at.release();
  }
  if (why)
    return nullptr;
  return std::make_unique<sqlite_store>(std::move(at), options, std::move(notice));
}

} // namespace troupe

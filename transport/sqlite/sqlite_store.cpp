#include "transport/sqlite/sqlite_store.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "transport/sqlite/database/sqlite_errors.hpp"
#include "transport/sqlite/database/sqlite_folder.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_salvage.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_index.hpp"
#include "transport/sqlite/sqlite_reading.hpp"
#include "transport/sqlite/sqlite_store_connection.hpp"

namespace troupe {

namespace {

int64_t system_now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
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

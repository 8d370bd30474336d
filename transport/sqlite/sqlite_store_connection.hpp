// A connection to the database: runs each call in a transaction.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "messages/store/store_port.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/sqlite/rows/sqlite_books.hpp"
#include "transport/sqlite/sqlite_changes.hpp"
#include "transport/sqlite/sqlite_saves.hpp"

namespace troupe {

/// A thread that moves what is committed from the log of writes (WAL) into the database file, and
/// waits for the disk while it does. It keeps nobody from reading or writing; the log begins anew
/// when all of it was moved and nobody writes for a moment. The thread starts when it is first
/// needed. Any thread.
class sqlite_log_mover {
public:
  explicit sqlite_log_mover(sqlite_place at) : at_{std::move(at)} {}
  /// Waits for the present move, a second or so at the longest.
  ~sqlite_log_mover();
  sqlite_log_mover(const sqlite_log_mover&) = delete;
  sqlite_log_mover& operator=(const sqlite_log_mover&) = delete;

  /// Has the log moved soon. Cheap. @return false: there is no thread for it, now move it yourself
  bool wake();

private:
  void run();
  void move() const;

  sqlite_place at_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool wanted_ = false;
  bool over_ = false;
  std::thread thread_;
};

/// How a connection to the database is opened.
struct sqlite_manner {
  durability how = durability::normal;
  int64_t (*now_ms)() = nullptr;    ///< must not be nullptr when open() is called
  const char* statements = nullptr; ///< SQL to begin with; nullptr: none
  owner_quota quota = {};
  sqlite_log_mover* mover = nullptr; ///< outlives the connection; nullptr: it moves the log itself
};

/// See store_connection. A call that is refused before it wrote anything leaves the transaction
/// unchanged. A call that fails in mid-write spoils the transaction: it is rolled back, and all
/// further writes and the commit fail with the same failure.
class sqlite_store_connection : public store_connection {
public:
  /// Opens a way into a database that has the newest schema. @param why set when nullptr comes back
  static std::unique_ptr<store_connection> open(const sqlite_place& at, const sqlite_manner& manner,
                                                failure& why);

  failure begin() override;
  failure commit() override;
  void roll_back() override;

  chat_record load(const load_chat& ask) override;
  bool load_at_once(const load_chat& ask, chat_record& out) override;
  save_answer save(const save_chat& ask) override;
  info_answer change(const change_conversation& ask) override;
  std::unique_ptr<staged_change> stage(change_conversation& ask) override;

  conversation_page list(const list_conversations& ask) override;
  search_page search(const search_conversations& ask) override;
  conversation_answer get(const get_conversation& ask) override;
  usage_table used(const usage_query& ask) override;

  setting_list settings(const list_settings& ask) override;
  failure put(const setting& value) override;
  key_list keys(const list_keys& ask) override;
  failure put(const api_key& key) override;

  owner_list owners(const list_owners& ask) override;
  failure put(const owner_usage& what) override;

  failure close_running_turns(uint64_t& out) override;
  failure tidy(bool& more) override;
  failure in_place() override;
  failure probe() override;
  uint64_t keys_version() override;

private:
  sqlite_store_connection(std::unique_ptr<sqlite_connection> db, const sqlite_manner& manner)
      : db_{std::move(db)}, books_{*db_, manner.quota}, now_ms_{manner.now_ms}, mover_{
                                                                                    manner.mover} {}

  template <class Body>
  failure write(const char* doing, Body body);
  template <class Answer, class Body>
  Answer read(const char* doing, Body body);
  /// As read, and ends with store_timeout when it takes too long.
  template <class Answer, class Body>
  Answer ask_for(const char* doing, Body body);
  failure finish();
  void undo();
  failure move_log();

  std::unique_ptr<sqlite_connection> db_;
  sqlite_books books_;
  sqlite_saver saver_{books_};
  sqlite_changes changes_{books_, saver_};
  int64_t (*now_ms_)();
  sqlite_log_mover* mover_;
  failure spoiled_; ///< why the transaction cannot be committed any more
  std::chrono::steady_clock::time_point next_move_{}; ///< when the log may next be moved
};

} // namespace troupe

// A connection to the database: runs each call in a transaction.
#pragma once

#include <chrono>
#include <memory>

#include "messages/store/store_port.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_changes.hpp"
#include "transport/postgres/postgres_hold.hpp"
#include "transport/postgres/postgres_owners.hpp"
#include "transport/postgres/postgres_saves.hpp"

namespace troupe {

/// How a connection to the database is opened.
struct postgres_manner {
  postgres_place at;
  int64_t (*now_ms)() = nullptr; ///< must not be nullptr
  std::chrono::milliseconds question{2000};
  owner_quota quota = {};
  postgres_self self = {};
  postgres_hold* hold = nullptr; ///< outlives the connection; nullptr: the database is not held
};

/// See store_connection. A change that is refused, or that fails, leaves the transaction as it was
/// before. A save that fails spoils the transaction: it is rolled back, and all further writes and
/// the commit fail with the same failure.
class postgres_store_connection : public store_connection {
public:
  explicit postgres_store_connection(const postgres_manner& manner);

  /// Connects now; else the first call does. Waits no longer than a question may.
  failure connect() {
    db_.patience(manner_.question);
    return db_.connect();
  }

  failure begin() override;
  failure commit() override;
  void roll_back() override;

  chat_record load(const load_chat& ask) override;
  bool load_at_once(const load_chat& ask, chat_record& out) override;
  save_answer save(const save_chat& ask) override;
  bool gathers() const override { return true; }
  failure save_all(const std::vector<const save_chat*>& asks,
                   std::vector<save_answer>& out) override;
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
  void doing(const char* what) {
    db_.doing(what);
    db_.patience(manner_.at.patience);
  }
  /// Runs a question, which ends with store_timeout when it takes too long.
  template <class Answer, class Body>
  Answer ask_for(const char* what, Body body);
  /// Runs a write, so that it is made whole or not at all.
  template <class Body>
  failure write(const char* what, Body body);
  failure make_change(const change_conversation& ask, conversation_info& out);
  void undo();

  postgres_manner manner_;
  postgres_connection db_;
  postgres_owners owners_;
  postgres_saver saver_;
  bool indexed_ = false; ///< no text waits for the words of this version
  failure spoiled_;      ///< why the transaction cannot be committed any more
};

} // namespace troupe

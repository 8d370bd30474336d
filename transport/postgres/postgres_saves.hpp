// Saving the chats of sessions.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "messages/store/store_messages.hpp"
#include "transport/postgres/postgres_batch.hpp"
#include "transport/postgres/postgres_contents.hpp"
#include "transport/postgres/postgres_owners.hpp"
#include "transport/postgres/postgres_self.hpp"

namespace troupe {

/// A chat as it is in the database.
struct known_postgres_chat {
  postgres_chat row;   ///< its key is 0: there is no such chat
  std::string turn_id; ///< of its last turn; empty: there is none
  int64_t turn_started_ms = 0;
  bool turn_counted = false; ///< that turn is in the usage table
  chat_fence turn_fence = {};
  bool has_events = true; ///< there may be rows of events
  failure fault;          ///< it cannot be read, so nothing is written to it
  bool fresh = true;      ///< it was read for the present saves

  /// Returns whether its last turn is that one.
  bool is_last(const turn_record& turn) const {
    return !turn.turn_id.empty() && turn_id == turn.turn_id && turn_started_ms == turn.started_ms;
  }
};

/// Writes saves: all of a batch with one statement for each table, in one round trip. Remembers the
/// rows of the chats that it loads and writes; a chat that is not as remembered any more makes it
/// read all of them again. Not thread safe.
class postgres_saver {
public:
  /// @param db, owners outlive it
  postgres_saver(postgres_connection& db, postgres_owners& owners, postgres_self self)
      : db_{db}, owners_{owners}, self_{std::move(self)} {}

  /// See store_connection::save_all.
  failure save_all(const std::vector<const save_chat*>& asks, int64_t now_ms,
                   std::vector<save_answer>& out);

  /// Returns whether a chat is there, and the record of one that is not.
  failure look(const std::string& session_id, chat_record& out, bool& exists);

  /// Call it when other code has changed the chat.
  void forget(const std::string& session_id) { chats_.erase(session_id); }
  /// Call it when other code may have changed any chats, or a transaction was rolled back.
  void forget_all() { chats_.clear(); }

private:
  failure find_all(const std::vector<const save_chat*>& asks);
  failure try_all(const std::vector<const save_chat*>& asks, int64_t now_ms,
                  std::vector<save_answer>& out);
  failure take_up(const save_chat& ask, int64_t now_ms, save_answer& out);
  void count(const save_chat& ask, const save_answer& answer) const;
  failure look_at_holders(int64_t now_ms, std::vector<save_answer>& out);
  failure look_at_holder(const postgres_chat& row, int64_t now_ms, save_answer& out);
  failure refusal_of(const known_postgres_chat& chat, const save_chat& ask, bool& anew,
                     save_answer& out);
  failure check_quota(const postgres_chat& row, const save_chat& ask);
  failure write(known_postgres_chat& chat, const save_chat& ask, int64_t now_ms, bool anew);
  failure begin_row(postgres_chat& row, const save_chat& ask, int64_t now_ms);
  failure cut(postgres_chat& row, uint64_t keep);
  failure write_turn(known_postgres_chat& chat, const save_chat& ask, int64_t now_ms);
  failure find_turn(int64_t conversation, const turn_record& turn, bool& exists, bool& counted);

  postgres_connection& db_;
  postgres_owners& owners_;
  postgres_self self_;
  uint64_t me_ = 0; ///< incarnation of this node, the same for a whole batch
  postgres_batch batch_;
  std::unordered_map<std::string, known_postgres_chat> chats_;
};

} // namespace troupe

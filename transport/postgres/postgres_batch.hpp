// Rows that are written together, one statement for each table.
#pragma once

#include <cstdint>
#include <vector>

#include "messages/store/store_messages.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_chats.hpp"
#include "transport/store/usage_sums.hpp"

namespace troupe {

/// A conversation's row as a save leaves it, and what is expected to be there.
struct chat_change {
  postgres_chat row;
  uint64_t was_version = 0; ///< 0: the row is new
  chat_fence was_fence = {};
};

/// Rows of messages, turns and events of several conversations, and the rows of these. They are
/// written with one statement for each table, whatever their number. A conversation that is not as
/// expected any more ends the transaction (rows_changed_state). Not thread safe.
class postgres_batch {
public:
  /// Adds a message, and its bytes to those in `row`. @param place from 0; there is no such row
  void add_message(conversation_row& row, uint64_t place, const chat_message& message,
                   int64_t created_ms);

  /// Adds a turn, or changes the one of that id. @param number the order among the turns
  void add_turn(const postgres_chat& row, const turn_record& turn, uint64_t number, bool counted);

  void add_event(int64_t conversation, const event_batch& batch);

  void add_chat(chat_change change) { chats_.push_back(std::move(change)); }

  usage_sums& usage() { return usage_; }

  /// Collects the statements; the next run() of the connection writes the rows. The batch is empty
  /// then.
  void queue(postgres_connection& db, uint64_t node);

private:
  void queue_changed_chats(postgres_connection& db);
  void queue_new_chats(postgres_connection& db);
  void queue_contents(postgres_connection& db);
  void queue_turns(postgres_connection& db);
  void queue_usage(postgres_connection& db, uint64_t node);

  std::vector<chat_change> chats_;
  usage_sums usage_;

  struct message_columns {
    number_list conversation, place, role, created;
    bytes_list id, text, body;
  } messages_;
  struct turn_columns {
    number_list conversation, number, state, resumable, started, ended, counted, node, epoch;
    bytes_list id, message_id, error, error_text, model, used;
  } turns_;
  struct event_columns {
    number_list conversation, first_seq;
    bytes_list turn_id, batch;
  } events_;
  struct search_columns {
    number_list conversation, place, created;
    words_list words;
  } search_;
};

} // namespace troupe

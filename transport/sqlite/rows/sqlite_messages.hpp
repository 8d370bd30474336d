// The rows of messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "messages/store/conversation.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"

namespace troupe {

/// Adds a message to a conversation, and its bytes to those in `row`. @param place from 0; no
/// message is there, but maybe the row of one that was cut off
failure add_message(sqlite_connection& db, conversation_row& row, uint64_t place,
                    const chat_message& message, int64_t created_ms);

/// Appends copies of messages, and adds their bytes to those in `to`. @param first, end keys of the
/// messages; their places stay the same
failure copy_messages(sqlite_connection& db, int64_t first, int64_t end, conversation_row& to);

/// Returns in `out` the bytes that messages count (conversation_row::bytes). Reads all of them.
/// @param first, end keys of the messages
failure count_bytes(sqlite_connection& db, int64_t first, int64_t end, int64_t& out);

/// Cuts off all messages behind the first `keep`, also in the search index, and updates the count
/// and the bytes in `row`. Of a long tail the rows stay, unseen, and count until clear_tail_piece()
/// has cleared them away.
failure cut_messages(sqlite_connection& db, conversation_row& row, uint64_t keep);

/// Goes through a conversation's messages, in order. One at a time on a connection.
class message_rows {
public:
  /// @param of with its key and its number of messages
  message_rows(sqlite_connection& db, const conversation_row& of);

  /// Reads the next one into an empty `out`; false after the last one, or for an error().
  bool next(stored_message& out);

  /// Returns how many bytes of texts and bodies were read.
  size_t bytes() const noexcept { return bytes_; }

  failure error() const;

private:
  sqlite_query rows_;
  size_t bytes_ = 0;
  bool bad_ = false; ///< a row that is no message
};

/// Appends all of a conversation's messages, in order.
failure read_messages(sqlite_connection& db, const conversation_row& of,
                      std::vector<stored_message>& out);
failure read_history(sqlite_connection& db, const conversation_row& of,
                     std::vector<chat_message>& out);

/// Returns in `count` the number of messages up to and with the last one of that id; 0: there is
/// none.
failure count_up_to(sqlite_connection& db, const conversation_row& of,
                    const std::string& message_id, uint64_t& count);

} // namespace troupe

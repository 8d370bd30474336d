// An import, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "messages/store/conversation_change.hpp"
#include "transport/postgres/postgres_batch.hpp"
#include "transport/postgres/postgres_owners.hpp"
#include "transport/store/imported.hpp"

namespace troupe {

/// Adds the messages and turns of a file, and at last the row that they belong to; all in one
/// transaction, which the caller begins and ends.
class postgres_import {
public:
  static constexpr const char* transaction = "BEGIN";

  /// @param db, owners, ask outlive it
  postgres_import(postgres_connection& db, postgres_owners& owners, const change_conversation& ask,
                  int64_t now_ms)
      : db_{db}, owners_{owners}, ask_{ask}, intake_{ask, now_ms}, now_ms_{now_ms} {}

  /// Does a piece. @param more set to whether pieces are left @param out set with the last piece
  failure piece(bool& more, conversation_info& out);

  /// Returns how many messages have been added; they are not read again.
  size_t messages_done() const noexcept { return message_; }

private:
  failure begin();
  failure add_messages();
  failure add_turns();
  void add_file_uses();
  failure find_place(std::string_view owner);
  failure finish(conversation_info& out);

  postgres_connection& db_;
  postgres_owners& owners_;
  const change_conversation& ask_;
  intake intake_;
  int64_t now_ms_;
  postgres_chat row_;
  postgres_batch batch_;
  std::set<std::string> named_; ///< uploaded files; all lock them in one order
  size_t message_ = 0;          ///< the next one
  size_t turn_ = 0;             ///< the next one
};

/// Adds the row of a conversation whose messages are there already. @param row with its key, its
/// owner and its numbers @return conversation_exists if there is one of that scoped id
failure add_whole_chat(postgres_connection& db, std::string_view session_id, postgres_chat& row);

} // namespace troupe

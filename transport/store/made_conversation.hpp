// Conversations that a store makes at once: imports and branches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "messages/store/conversation_change.hpp"
#include "messages/store/owner_quota.hpp"
#include "transport/store/conversation_row.hpp"

namespace troupe {

/// The rows that an import or a branch needs of its database, within the running transaction. The
/// conversation that is made belongs to owner_of(made_id()).
class made_rows {
public:
  virtual ~made_rows() = default;

  virtual const owner_quota& quota() const = 0;
  /// Returns quota_used_up if the owner may not keep a conversation with so many bytes more.
  virtual failure check_quota(uint64_t bytes) = 0;

  /// Finds a conversation; `out.key` stays 0 if there is none.
  virtual failure find(std::string_view session_id, conversation_row& out) = 0;
  /// Adds the row of the conversation that is made, seen by nobody; sets its key.
  virtual failure add(conversation_row& row) = 0;
  /// Returns in `out` the place of a conversation that was changed last at that time: in front of
  /// all others if that is now.
  virtual failure place_of(int64_t time_ms, int64_t now_ms, int64_t& out) = 0;
  /// Notes a place that a conversation has from another store.
  virtual failure note_place(int64_t place) = 0;
  /// Shows the row that add() added, with the values of `row`; sets the id in its info.
  /// @return conversation_exists if there is one of that id; quota_used_up
  virtual failure show(conversation_row& row) = 0;

  // -- imports ------------------------------------------------------------------------------------
  /// Adds a message, and its bytes to those in `row`. @param place from 0
  virtual failure add_message(conversation_row& row, uint64_t place, const chat_message& message,
                              int64_t created_ms) = 0;
  /// Adds a turn. @param number the order among the turns @param counted it is in the usage table
  virtual failure add_turn(int64_t key, uint64_t number, bool counted, const turn_record& turn) = 0;
  virtual failure add_events(int64_t key, const std::vector<event_batch>& events) = 0;
  /// Writes what was added, if that did not happen at once.
  virtual failure write_added() = 0;

  // -- branches -----------------------------------------------------------------------------------
  /// Returns in `out` the number of messages up to and with the last one of that id; 0: none.
  virtual failure count_up_to(const conversation_row& from, const std::string& message_id,
                              uint64_t& out) = 0;
  /// Returns in `out` at least how many bytes the first `count` messages have, as far as that is
  /// known without reading all of them.
  virtual failure bytes_of(const conversation_row& from, uint64_t count, uint64_t& out) = 0;
  /// Returns conversation_changed if the first `count` messages are not those of the first piece.
  virtual failure check_source(const conversation_row& from, uint64_t count) = 0;
  /// Copies a piece of the first `count` messages, behind those that `to` has; adds their number
  /// and their bytes to it.
  virtual failure copy_messages(const conversation_row& from, uint64_t count,
                                conversation_row& to) = 0;
  /// Copies turns of the copied messages, and adds their bytes. A turn that runs does not run in
  /// the copy: there its open calls may or may not have run. @param more set to whether some are
  /// left
  virtual failure copy_turns(const conversation_row& from, conversation_row& to, bool& more) = 0;
};

/// A conversation that is made piece by piece, by the same rules in every database. Not thread
/// safe.
class made_conversation {
public:
  /// @param rows, ask outlive it
  made_conversation(made_rows& rows, const change_conversation& ask, int64_t now_ms)
      : rows_{rows}, ask_{ask}, now_ms_{now_ms} {}
  virtual ~made_conversation() = default;

  /// Does a piece within the running transaction. A refusal of the first piece has written nothing.
  /// @param more set to whether pieces are left @param out set with the last piece
  virtual failure piece(bool& more, conversation_info& out) = 0;

  /// Frees the messages that were added since the last call: all at once would take long.
  /// @param ask the same as in the constructor
  virtual void drop_done(change_conversation& /*ask*/) {}

  /// Returns the key of the row; 0: there is none yet.
  int64_t key() const noexcept { return row_.key; }
  /// Returns quota_used_up if the owner may not keep it, or not any more: others may have written
  /// since the last piece.
  failure check_quota();

protected:
  made_rows& rows_;
  const change_conversation& ask_;
  int64_t now_ms_;
  conversation_row row_;
  uint64_t bytes_ = 0; ///< of the whole, at least; known if there is a quota
};

/// Returns the scoped id that an import or a branch makes.
const std::string& made_id(const change_conversation& ask);

/// Begins an import or a branch. @param rows, ask outlive it
std::unique_ptr<made_conversation>
make_conversation(made_rows& rows, const change_conversation& ask, int64_t now_ms);

/// Does all pieces of an import or a branch at once.
failure make_whole(made_rows& rows, const change_conversation& ask, int64_t now_ms,
                   conversation_info& out);

/// Returns conversation_unknown if `row` is of none, conversation_changed if it has another version
/// than `if_version`. @param if_version 0: any version
failure need_version(const conversation_row& row, uint64_t if_version);

/// Stands in a message's body before the id of an answer that the message shows, and that says
/// nothing to a model (chat_message::shown).
inline constexpr std::string_view silent_answer = R"({"type":"assistant","value":)";

/// Adds the ids of such answers, as JSON strings: their turns belong to the message.
void add_silent_ids(std::string_view body, std::unordered_set<std::string>& to);

} // namespace troupe

#include "transport/sqlite/sqlite_changes.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_tails.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/store/made_conversation.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// The rows of a conversation that is made: under owner 0, whom nobody sees, until it is shown.
class sqlite_made_rows final : public made_rows {
public:
  /// @param books outlive it
  sqlite_made_rows(sqlite_books& books, std::string session_id)
      : books_{books}, session_id_{std::move(session_id)} {}

  const owner_quota& quota() const override { return books_.totals.quota(); }

  failure check_quota(uint64_t bytes) override {
    return books_.totals.check(owner_of(session_id_), {1, static_cast<int64_t>(bytes)});
  }

  failure find(std::string_view session_id, conversation_row& out) override {
    return find_conversation(books_.db, session_id, out);
  }

  failure add(conversation_row& row) override { return add_unseen(books_.db, row); }

  failure place_of(int64_t time_ms, int64_t now_ms, int64_t& out) override {
    return books_.order.place_of(time_ms, now_ms, out);
  }

  failure note_place(int64_t place) override { return books_.order.note(place); }

  failure show(conversation_row& row) override { return troupe::show(books_.db, session_id_, row); }

  failure add_message(conversation_row& row, uint64_t place, const chat_message& message,
                      int64_t created_ms) override {
    return troupe::add_message(books_.db, row, place, message, created_ms);
  }

  failure add_turn(int64_t key, uint64_t number, bool counted, const turn_record& turn) override {
    return write_turn(books_.db, key, {number, counted}, turn);
  }

  failure add_events(int64_t key, const std::vector<event_batch>& events) override {
    return append_events(books_.db, key, events);
  }

  failure write_added() override { return {}; }

  failure count_up_to(const conversation_row& from, const std::string& message_id,
                      uint64_t& out) override {
    return troupe::count_up_to(books_.db, from, message_id, out);
  }

  failure bytes_of(const conversation_row& from, uint64_t count, uint64_t& out) override;
  failure check_source(const conversation_row& from, uint64_t count) override;
  failure copy_messages(const conversation_row& from, uint64_t count,
                        conversation_row& to) override;
  failure copy_turns(const conversation_row& from, conversation_row& to, bool& more) override;

  /// Returns the key of the conversation that is copied; 0: no message was copied yet.
  int64_t source() const noexcept { return source_; }
  /// Call it when messages of the source were cut off.
  void source_was_cut() noexcept { cut_ = true; }

private:
  failure look_at_turns();
  failure note_ids(int64_t first, int64_t end);

  sqlite_books& books_;
  std::string session_id_;
  int64_t source_ = 0;
  bool has_turns_ = false;
  bool cut_ = false;
  std::string last_turn_;                       ///< the id of the turn that was looked at last
  std::unordered_set<std::string> silent_ids_;  ///< of answers that a copied message shows, as JSON
  std::unordered_set<std::string> message_ids_; ///< of the copied messages, if there are turns
};

/// The bytes of a whole copy are known at once. A part counts its first piece, and looks at the
/// rest between the pieces.
failure sqlite_made_rows::bytes_of(const conversation_row& from, uint64_t count, uint64_t& out) {
  out = from.bytes;
  if (count == from.info.messages)
    return {};
  const auto first = message_key(from.key, 0);
  const auto last = message_key(from.key, static_cast<int64_t>(count));
  auto end = last;
  int64_t counted = 0;
  if (auto error = find_piece(books_.db, first, last, end))
    return error;
  auto error = count_bytes(books_.db, first, end, counted);
  out = static_cast<uint64_t>(counted);
  return error;
}

failure sqlite_made_rows::check_source(const conversation_row& from, uint64_t count) {
  sqlite_query row{books_.db, "SELECT messages FROM conversations WHERE id = ?1 AND owner = ?2",
                   from.key, from.owner};
  const bool whole = row.next() && row.natural(0) >= count && !cut_;
  if (auto error = row.error())
    return error;
  if (whole)
    return {};
  return {errc::conversation_changed, "messages were cut off while they were copied; try again"};
}

failure sqlite_made_rows::copy_messages(const conversation_row& from, uint64_t count,
                                        conversation_row& to) {
  source_ = from.key;
  const auto first = message_key(from.key, static_cast<int64_t>(to.info.messages));
  const auto last = message_key(from.key, static_cast<int64_t>(count));
  auto end = last;
  if (to.info.messages == 0)
    if (auto error = look_at_turns())
      return error;
  if (auto error = find_piece(books_.db, first, last, end))
    return error;
  if (auto error = troupe::copy_messages(books_.db, first, end, to))
    return error;
  to.info.messages += static_cast<uint64_t>(end - first);
  return has_turns_ ? note_ids(first, end) : failure{};
}

failure sqlite_made_rows::look_at_turns() {
  sqlite_query turns{books_.db, "SELECT 1 FROM turns WHERE conversation = ?1 LIMIT 1", source_};
  has_turns_ = turns.next();
  return turns.error();
}

failure sqlite_made_rows::note_ids(int64_t first, int64_t end) {
  sqlite_query ids{books_.db, "SELECT message_id FROM messages WHERE id >= ?1 AND id < ?2", first,
                   end};
  while (ids.next())
    message_ids_.insert(ids.text(0));
  if (auto error = ids.error())
    return error;
  sqlite_query silent{
      books_.db, "SELECT body FROM messages WHERE id >= ?1 AND id < ?2 AND instr(body, ?3) > 0",
      first, end, silent_answer};
  while (silent.next())
    add_silent_ids(silent.text(0), silent_ids_);
  return silent.error();
}

failure sqlite_made_rows::copy_turns(const conversation_row& from, conversation_row& to,
                                     bool& more) {
  more = false;
  if (!has_turns_)
    return {};
  std::vector<std::string> found;
  size_t looked = 0;
  const auto after = last_turn_;
  sqlite_query rows{books_.db,
                    "SELECT turn_id, message_id, json_quote(message_id) FROM turns "
                    "WHERE conversation = ?1 "
                    "AND turn_id > ?2 ORDER BY turn_id LIMIT ?3",
                    from.key, after, piece_rows};
  for (; rows.next(); ++looked) {
    last_turn_ = rows.text(0);
    if (message_ids_.contains(rows.text(1)) || silent_ids_.contains(rows.text(2)))
      found.push_back(last_turn_);
  }
  if (auto error = rows.error())
    return error;
  more = looked == piece_rows;
  for (const auto& id : found)
    if (auto error = copy_turn(books_.db, from.key, to, id))
      return error;
  return {};
}

/// An import or a branch with what belongs to its pieces: their transactions, and what has to be
/// known of other writes in between.
class sqlite_staged_change final : public staged_change {
public:
  sqlite_staged_change(sqlite_changes& of, change_conversation&& ask, int64_t now_ms)
      : of_{of}, ask_{std::move(ask)}, rows_{of.books, made_id(ask_)}, made_{make_conversation(
                                                                           rows_, ask_, now_ms)} {}

  ~sqlite_staged_change() override { release(); }

  failure step(bool& more, conversation_info& out) override {
    of_.books.db.doing("change a conversation");
    of_.saver.forget(ask_.session_id);
    of_.saver.forget(ask_.to);
    if (auto bad = of_.books.db.begin())
      return bad;
    if (rows_.source() != 0 && of_.saver.cuts_of(rows_.source()) != cuts_)
      rows_.source_was_cut();
    auto error = made_->key() == 0 ? failure{} : made_->check_quota();
    if (!error)
      error = made_->piece(more, out);
    if (error) {
      of_.books.db.roll_back();
      return error;
    }
    if (auto bad = of_.books.db.commit())
      return bad;
    if (more)
      hold();
    else
      end();
    made_->drop_done(ask_);
    return {};
  }

private:
  void hold() {
    of_.unseen.insert(made_->key());
    if (rows_.source() != 0)
      cuts_ = of_.saver.cuts_of(rows_.source());
  }

  void end() {
    of_.books.totals.forget();
    release();
  }

  void release() {
    of_.unseen.erase(made_->key());
    if (of_.unseen.empty())
      of_.saver.forget_cuts();
  }

  sqlite_changes& of_;
  change_conversation ask_;
  sqlite_made_rows rows_;
  std::unique_ptr<made_conversation> made_;
  uint64_t cuts_ = 0; ///< of the source, at the last piece
};

/// Writes a changed row as the conversation's next version.
failure finish(sqlite_books& books, conversation_row& row, int64_t now_ms, conversation_info& out) {
  if (auto error = books.order.next(now_ms, row.place))
    return error;
  row.info.updated_ms = now_ms;
  ++row.info.version;
  out = row.info;
  return write_conversation(books.db, row);
}

/// A long conversation is only hidden: it is cleared away piece by piece.
failure remove(sqlite_connection& db, const conversation_row& row, conversation_info& out) {
  out = row.info;
  out.version = 0;
  bool is_long = false;
  if (auto error = takes_pieces(db, row.key, is_long))
    return error;
  return is_long ? hide(db, row) : remove_conversation(db, row);
}

/// Finds a row of owner 0 that nobody fills. @param out 0: there is none
failure find_waste(sqlite_connection& db, const std::unordered_set<int64_t>& filled, int64_t& out) {
  sqlite_query rows{db, "SELECT id FROM conversations WHERE owner = 0"};
  while (out == 0 && rows.next())
    out = filled.contains(rows.integer(0)) ? 0 : rows.integer(0);
  return rows.error();
}

} // namespace

failure sqlite_changes::apply(const change_conversation& ask, int64_t now_ms,
                              conversation_info& out) const {
  if (ask.verb == conversation_verb::import || ask.verb == conversation_verb::branch) {
    sqlite_made_rows rows{books, made_id(ask)};
    return make_whole(rows, ask, now_ms, out);
  }
  conversation_row row;
  if (auto error = need_conversation(books.db, ask.session_id, ask.if_version, row))
    return error;
  switch (ask.verb) {
  case conversation_verb::rename:
    row.info.title = ask.title;
    return finish(books, row, now_ms, out);
  case conversation_verb::override:
    row.overrides = stored::text_of(ask.overrides);
    return finish(books, row, now_ms, out);
  case conversation_verb::remove:
    return remove(books.db, row, out);
  case conversation_verb::branch:
  case conversation_verb::import:
    break;
  }
  return {errc::store_failed, "there is no such change"};
}

failure sqlite_changes::is_long(const change_conversation& ask, bool& out) const {
  out = ask.verb == conversation_verb::import && troupe::is_long(ask.content);
  if (ask.verb != conversation_verb::branch)
    return {};
  conversation_row row;
  if (auto error = find_conversation(books.db, ask.session_id, row); error || row.key == 0)
    return error;
  return takes_pieces(books.db, row.key, out);
}

std::unique_ptr<staged_change> sqlite_changes::stage(change_conversation&& ask, int64_t now_ms) {
  return std::make_unique<sqlite_staged_change>(*this, std::move(ask), now_ms);
}

failure sqlite_changes::clear(bool& more) const {
  int64_t key = 0;
  int64_t tail = 0;
  auto error = find_waste(books.db, unseen, key);
  if (!error && key == 0)
    error = find_tail(books.db, tail);
  more = key != 0 || tail != 0;
  if (error || !more)
    return error;
  error = books.db.begin();
  if (error)
    return error;
  bool left = false;
  error = key != 0 ? clear_piece(books.db, key, left) : clear_tail_piece(books.db, tail);
  if (error) {
    books.db.roll_back();
    return error;
  }
  if (tail != 0) { // its conversation counts fewer bytes now
    saver.forget_all();
    books.totals.forget();
  }
  return books.db.commit();
}

} // namespace troupe

#include "transport/postgres/postgres_reading.hpp"

#include <algorithm>

#include "transport/postgres/connection/postgres_errors.hpp"
#include "transport/postgres/postgres_chats.hpp"
#include "transport/postgres/postgres_contents.hpp"
#include "transport/store/answer_room.hpp"
#include "transport/store/piece_size.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

constexpr size_t most_idle = 2; ///< connections that wait for their next reading
constexpr int most_begins = 3;  ///< of a reading whose connection is lost

/// Begins a transaction that only reads: all its statements see one state of the database.
void begin_reading(postgres_connection& db) {
  db.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

/// A chat that is on its way out of the database.
class chat_in_pieces {
public:
  /// @param own the transaction: it begins again when its connection is lost
  chat_in_pieces(postgres_connection& db, const load_chat& ask, uint64_t node, bool own)
      : db_{db}, node_{node}, tries_left_{own ? most_begins - 1 : 0} {
    record_.session_id = ask.session_id;
    record_.number = ask.number;
  }

  /// Reads a piece; the first one of most chats is all. @return whether pieces are left
  bool step(chat_record& out) {
    auto error = std::exchange(begun_, true) ? failure{} : begin();
    if (!error)
      error = read_piece();
    if (!error && record_.history.size() < row_.info.messages)
      return true;
    if (error && is_of_connection(error, db_.state()) && tries_left_-- > 0) {
      begin_again();
      return true;
    }
    if (error) // whatever was read, it is not the chat
      clear(std::move(error));
    out = std::move(record_);
    return false;
  }

private:
  void begin_again() {
    db_.roll_back();
    begin_reading(db_);
    clear({});
    row_ = {};
    begun_ = false;
  }

  void clear(failure error) {
    record_ = {record_.session_id, std::move(error), 0, {}, {}, {}, {}, {}, record_.number, {}, {}};
  }

  failure begin() {
    std::vector<found_chat> found;
    if (auto error = find_chats(db_, {record_.session_id}, found))
      return error;
    if (found.front().fault)
      return found.front().fault;
    row_ = std::move(found.front().row);
    record_.version = row_.info.version;
    record_.fence = row_.fence;
    if (row_.fence.node != 0)
      record_.claim = row_.fence.node == node_ ? claim_state::held : claim_state::held_elsewhere;
    stored::read_text(row_.overrides, record_.overrides);
    record_.history.reserve(row_.info.messages);
    record_.last_turn = std::move(found.front().turn);
    return read_turn_events(db_, row_.key, record_.last_turn, record_.events);
  }

  failure read_piece() {
    const auto from = record_.history.size();
    const auto end = std::min<uint64_t>(from + piece_rows, row_.info.messages);
    std::vector<stored_message> piece;
    if (from == end)
      return {};
    if (auto error = read_messages_between(db_, row_.key, {from, end}, piece))
      return error;
    if (piece.size() != end - from)
      return {errc::store_damaged,
              "messages of a chat are missing; restore the database from a copy"};
    for (auto& each : piece)
      record_.history.push_back(std::move(each.message));
    return {};
  }

  postgres_connection& db_;
  uint64_t node_;
  int tries_left_;
  chat_record record_;
  postgres_chat row_;
  bool begun_ = false;
};

/// Reads in one transaction that lasts from the first piece to the last: what others write
/// meanwhile, it does not see.
class postgres_chat_reading final : public chat_reading {
public:
  postgres_chat_reading(postgres_readers& home, std::unique_ptr<postgres_connection> db,
                        const load_chat& ask, uint64_t node)
      : home_{home}, db_{std::move(db)}, chat_{*db_, ask, node, true} {
    db_->doing("load a chat");
    begin_reading(*db_);
  }

  ~postgres_chat_reading() override { leave(); }

  bool step(chat_record& out) override {
    if (chat_.step(out))
      return true;
    leave();
    return false;
  }

private:
  void leave() {
    if (!db_)
      return;
    db_->roll_back();
    home_.give(std::move(db_));
  }

  postgres_readers& home_;
  std::unique_ptr<postgres_connection> db_;
  chat_in_pieces chat_;
};

conversation_answer read_conversation(postgres_connection& db, const get_conversation& ask) {
  conversation_answer out;
  postgres_chat row;
  out.error = need_chat(db, ask.session_id, 0, row);
  if (out.error)
    return out;
  out.found.info = row.info;
  out.error = check_room(row.bytes, ask);
  if (out.error)
    return out;
  stored::read_text(row.overrides, out.found.overrides);
  db.deadline().expect(row.bytes);
  for (uint64_t from = 0; !out.error && from < row.info.messages; from += piece_rows)
    out.error = read_messages_between(
        db, row.key, {from, std::min<uint64_t>(from + piece_rows, row.info.messages)},
        out.found.messages);
  if (!out.error)
    out.error = read_all_turns(db, row.key, out.found.turns);
  return out;
}

} // namespace

chat_record read_whole_chat(postgres_connection& db, const load_chat& ask, uint64_t node) {
  const bool own = !db.in_transaction();
  if (own)
    begin_reading(db);
  chat_in_pieces chat{db, ask, node, own};
  chat_record out;
  while (chat.step(out))
    continue;
  if (own)
    db.roll_back();
  return out;
}

conversation_answer read_whole_conversation(postgres_connection& db, const get_conversation& ask) {
  if (db.in_transaction())
    return read_conversation(db, ask);
  conversation_answer out;
  int tries = 0;
  do {
    begin_reading(db);
    out = read_conversation(db, ask);
    db.roll_back();
  } while (out.error && is_of_connection(out.error, db.state()) && ++tries < most_begins);
  return out;
}

std::unique_ptr<chat_reading> postgres_readers::begin(const load_chat& ask) {
  return std::make_unique<postgres_chat_reading>(*this, take(), ask, self_->incarnation());
}

std::unique_ptr<postgres_connection> postgres_readers::take() {
  const std::lock_guard guard{mutex_};
  if (idle_.empty())
    return std::make_unique<postgres_connection>(at_);
  auto out = std::move(idle_.back());
  idle_.pop_back();
  return out;
}

void postgres_readers::give(std::unique_ptr<postgres_connection> used) {
  const std::lock_guard guard{mutex_};
  if (idle_.size() < most_idle)
    idle_.push_back(std::move(used));
}

} // namespace troupe

#include "transport/sqlite/sqlite_reading.hpp"

#include <optional>
#include <utility>

#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

constexpr size_t most_idle = 2; ///< connections that wait for their next reading

/// Reads in one transaction that lasts from the first piece to the last: what others write
/// meanwhile, it does not see.
class sqlite_chat_reading final : public chat_reading {
public:
  sqlite_chat_reading(sqlite_readers& home, std::unique_ptr<sqlite_connection> db,
                      const load_chat& ask)
      : home_{home}, db_{std::move(db)} {
    record_.session_id = ask.session_id;
    record_.number = ask.number;
  }

  ~sqlite_chat_reading() override { leave(); }

  bool step(chat_record& out) override {
    db_->doing("load a chat");
    bool more = false;
    auto error = std::exchange(begun_, true) ? failure{} : begin();
    if (!error && rows_)
      error = read_piece(more);
    if (!error && more)
      return true;
    if (!error && row_.key != 0)
      error = read_last_turn(*db_, row_.key, record_.last_turn, record_.events);
    if (error) // whatever was read, it is not the chat
      record_ = {record_.session_id, error, 0, {}, {}, {}, {}, {}, record_.number};
    leave();
    out = std::move(record_);
    return false;
  }

private:
  failure begin() {
    if (auto error = db_->begin_reading())
      return error;
    if (auto error = find_conversation(*db_, record_.session_id, row_); error || row_.key == 0)
      return error;
    record_.version = row_.info.version;
    stored::read_text(row_.overrides, record_.overrides);
    record_.history.reserve(row_.info.messages);
    rows_.emplace(*db_, row_);
    return {};
  }

  failure read_piece(bool& more) {
    const auto before = rows_->bytes();
    for (size_t count = 0; count < piece_rows; ++count) {
      stored_message each;
      if (!rows_->next(each)) {
        auto error = rows_->error();
        rows_.reset();
        return error;
      }
      record_.history.push_back(std::move(each.message));
      if (rows_->bytes() - before > piece_bytes)
        break;
    }
    more = true;
    return {};
  }

  /// Ends the transaction; the connection is free for the next reading.
  void leave() {
    if (!db_)
      return;
    rows_.reset();
    db_->roll_back();
    home_.give(std::move(db_));
  }

  sqlite_readers& home_;
  std::unique_ptr<sqlite_connection> db_;
  chat_record record_;
  conversation_row row_;
  std::optional<message_rows> rows_; ///< while messages are left
  bool begun_ = false;
};

} // namespace

std::unique_ptr<chat_reading> sqlite_readers::begin(const load_chat& ask, failure& why) {
  auto db = take(why);
  return db ? std::make_unique<sqlite_chat_reading>(*this, std::move(db), ask) : nullptr;
}

std::unique_ptr<sqlite_connection> sqlite_readers::take(failure& why) {
  {
    const std::lock_guard guard{mutex_};
    if (!idle_.empty()) {
      auto out = std::move(idle_.back());
      idle_.pop_back();
      return out;
    }
  }
  return sqlite_connection::open(at_, why);
}

void sqlite_readers::give(std::unique_ptr<sqlite_connection> used) {
  const std::lock_guard guard{mutex_};
  if (idle_.size() < most_idle)
    idle_.push_back(std::move(used));
}

} // namespace troupe

#include "transport/sqlite/sqlite_stage.hpp"

#include <utility>

#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_tails.hpp"
#include "transport/sqlite/sqlite_branch.hpp"
#include "transport/sqlite/sqlite_import.hpp"

namespace troupe {

namespace {

/// A change with the work that does it: the rows, the transactions around the pieces, and what has
/// to be known of other writes in between.
template <class Work>
class sqlite_staged_change final : public staged_change {
public:
  sqlite_staged_change(sqlite_stages& of, change_conversation&& ask, int64_t now_ms)
      : of_{of}, ask_{std::move(ask)}, work_{of.books, ask_, now_ms} {}

  ~sqlite_staged_change() override { release(); }

  failure step(bool& more, conversation_info& out) override {
    of_.books.db.doing("change a conversation");
    of_.saver.forget(ask_.session_id);
    of_.saver.forget(ask_.to);
    if (auto bad = of_.books.db.begin())
      return bad;
    look();
    auto error = work_.key() == 0 ? failure{} : work_.check_quota();
    if (!error)
      error = work_.piece(more, out);
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
    drop_done();
    return {};
  }

private:
  void look() {
    if constexpr (requires { work_.source_was_cut(); })
      if (work_.key() != 0 && of_.saver.cuts_of(work_.source()) != cuts_)
        work_.source_was_cut();
  }

  void hold() {
    of_.unseen.insert(work_.key());
    if constexpr (requires { work_.source(); })
      cuts_ = of_.saver.cuts_of(work_.source());
  }

  void end() {
    of_.books.totals.forget();
    release();
  }

  void release() {
    of_.unseen.erase(work_.key());
    if (of_.unseen.empty())
      of_.saver.forget_cuts();
  }

  /// Frees the messages that were added: all at once would take long.
  void drop_done() {
    if constexpr (requires { work_.messages_done(); })
      for (; dropped_ < work_.messages_done(); ++dropped_)
        ask_.content.messages[dropped_] = {};
  }

  sqlite_stages& of_;
  change_conversation ask_;
  Work work_;
  size_t dropped_ = 0;
  uint64_t cuts_ = 0; ///< of the source, at the last piece
};

/// Finds a row of owner 0 that nobody fills. @param out 0: there is none
failure find_waste(sqlite_connection& db, const std::unordered_set<int64_t>& filled, int64_t& out) {
  sqlite_query rows{db, "SELECT id FROM conversations WHERE owner = 0"};
  while (out == 0 && rows.next())
    out = filled.contains(rows.integer(0)) ? 0 : rows.integer(0);
  return rows.error();
}

} // namespace

failure sqlite_stages::is_long(const change_conversation& ask, bool& out) const {
  out = ask.verb == conversation_verb::import && troupe::is_long(ask.content);
  if (ask.verb != conversation_verb::branch)
    return {};
  conversation_row row;
  if (auto error = find_conversation(books.db, ask.session_id, row); error || row.key == 0)
    return error;
  return takes_pieces(books.db, row.key, out);
}

std::unique_ptr<staged_change> sqlite_stages::begin(change_conversation&& ask, int64_t now_ms) {
  if (ask.verb == conversation_verb::import)
    return std::make_unique<sqlite_staged_change<sqlite_import>>(*this, std::move(ask), now_ms);
  return std::make_unique<sqlite_staged_change<sqlite_branch>>(*this, std::move(ask), now_ms);
}

failure sqlite_stages::clear(bool& more) const {
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

#include "transport/postgres/postgres_changes.hpp"

#include <utility>

#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "transport/postgres/postgres_branch.hpp"
#include "transport/postgres/postgres_files.hpp"
#include "transport/postgres/postgres_import.hpp"
#include "transport/store/piece_size.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// Does all pieces of a change at once.
template <class Work>
failure do_all_pieces(Work work, conversation_info& out) {
  for (bool more = true; more;)
    if (auto error = work.piece(more, out))
      return error;
  return {};
}

/// A change with the work that does it, on a connection of its own. Owners are asked about on the
/// connection that staged it, which is in no transaction meanwhile: so an owner's new row is there
/// for all at once, and a quota counts what others write between the pieces.
template <class Work>
class postgres_staged_change final : public staged_change {
public:
  postgres_staged_change(const postgres_place& at, postgres_owners& owners,
                         change_conversation&& ask, int64_t now_ms)
      : db_{at}, ask_{std::move(ask)}, work_{db_, owners, ask_, now_ms} {
    db_.doing("change a conversation");
    db_.begin(Work::transaction);
  }

  failure step(bool& more, conversation_info& out) override {
    auto error = work_.piece(more, out);
    if (!error && !more)
      error = db_.commit();
    if (error)
      db_.roll_back();
    drop_done();
    return error;
  }

private:
  /// Frees the messages that were added: all at once would take long.
  void drop_done() {
    if constexpr (requires { work_.messages_done(); })
      for (; dropped_ < work_.messages_done(); ++dropped_)
        ask_.content.messages[dropped_] = {};
  }

  postgres_connection db_;
  change_conversation ask_;
  Work work_;
  size_t dropped_ = 0;
};

failure unknown_or_changed(postgres_connection& db, const change_conversation& ask) {
  postgres_chat there;
  auto error = need_chat(db, ask.session_id, ask.if_version, there);
  return error ? error : failure{errc::conversation_changed, {}};
}

/// Removes all rows of a conversation that has few.
void queue_removal(postgres_connection& db, const postgres_chat& row) {
  db.add("WITH gone AS (DELETE FROM conversations WHERE id = $1 AND version = $2 RETURNING 1) "
         "SELECT 1 / (count(*) = 1)::int FROM gone",
         postgres_values{row.key, row.info.version});
  db.add("DELETE FROM search_rows WHERE conversation = $1", postgres_values{row.key});
  db.add("DELETE FROM messages WHERE conversation = $1", postgres_values{row.key});
  db.add("DELETE FROM turns WHERE conversation = $1", postgres_values{row.key});
  db.add("DELETE FROM events WHERE conversation = $1", postgres_values{row.key});
}

} // namespace

failure postgres_changer::apply(const change_conversation& ask, int64_t now_ms,
                                conversation_info& out) const {
  switch (ask.verb) {
  case conversation_verb::import:
    return do_all_pieces(postgres_import{db, owners, ask, now_ms}, out);
  case conversation_verb::branch:
    return do_all_pieces(postgres_branch{db, owners, ask, now_ms}, out);
  case conversation_verb::rename:
  case conversation_verb::override:
    return set(ask, now_ms, out);
  case conversation_verb::remove:
    return remove(ask, out);
  }
  return {errc::store_failed, "there is no such change"};
}

/// Also while a turn runs: `version` grows, and the session sees it at its next save.
failure postgres_changer::set(const change_conversation& ask, int64_t now_ms,
                              conversation_info& out) const {
  int64_t place = 0;
  if (auto error = owners.next_place(owner_of(ask.session_id), now_ms, place))
    return error;
  const bool renames = ask.verb == conversation_verb::rename;
  postgres_rows rows;
  if (auto error = db.ask(
          "UPDATE conversations c SET title = CASE WHEN $4 = 1 THEN $5 ELSE c.title END, "
          "overrides = CASE WHEN $4 = 1 THEN c.overrides ELSE $6 END, updated = $7, place = $8, "
          "version = c.version + 1 WHERE c.owner = (SELECT o.id FROM owners o WHERE o.name = $1) "
          "AND c.name = $2 AND ($3 = 0 OR c.version = $3) "
          "RETURNING c.name, c.title, c.created, c.updated, c.messages, c.version",
          postgres_values{owner_of(ask.session_id), public_id(ask.session_id), ask.if_version,
                          renames ? 1 : 0, ask.title, stored::text_of(ask.overrides), now_ms,
                          place},
          rows))
    return error;
  if (!rows.next())
    return unknown_or_changed(db, ask);
  out = {rows.text(0),    rows.text(1),    rows.integer(2),
         rows.integer(3), rows.natural(4), rows.natural(5)};
  return {};
}

/// A long conversation is only hidden: it is cleared away piece by piece.
failure postgres_changer::remove(const change_conversation& ask, conversation_info& out) const {
  postgres_chat row;
  if (auto error = need_chat(db, ask.session_id, ask.if_version, row))
    return error;
  if (row.fence.node != 0 && row.fence.node != node)
    return claim_fault(claim_state::foreign);
  out = row.info;
  out.version = 0;
  if (!ask.from.exact) // a node that dies before it tells the file_store must leave no use behind
    add_end_of_uses(db, ask.session_id);
  if (row.info.messages <= piece_rows)
    queue_removal(db, row);
  else
    db.add("WITH gone AS (UPDATE conversations SET owner = 0, name = $3, node = 0, "
           "version = version + 1 WHERE id = $1 AND version = $2 RETURNING 1) "
           "SELECT 1 / (count(*) = 1)::int FROM gone",
           postgres_values{row.key, row.info.version, make_id("")});
  return db.run();
}

failure is_long_change(postgres_connection& db, const change_conversation& ask, bool& out) {
  out = ask.verb == conversation_verb::import && is_long(ask.content);
  if (ask.verb != conversation_verb::branch)
    return {};
  postgres_chat row;
  auto error = find_chat(db, ask.session_id, row);
  out = row.info.messages > piece_rows || row.bytes > piece_bytes;
  return error;
}

std::unique_ptr<staged_change> stage_change(const postgres_place& at, postgres_owners& owners,
                                            change_conversation&& ask, int64_t now_ms) {
  if (ask.verb == conversation_verb::import)
    return std::make_unique<postgres_staged_change<postgres_import>>(at, owners, std::move(ask),
                                                                     now_ms);
  return std::make_unique<postgres_staged_change<postgres_branch>>(at, owners, std::move(ask),
                                                                   now_ms);
}

failure clear_removed(postgres_connection& db, bool& more) {
  postgres_rows rows;
  more = false;
  if (auto error = db.ask("SELECT c.id, (SELECT min(m.place) FROM messages m "
                          "WHERE m.conversation = c.id) + $1 FROM conversations c "
                          "WHERE c.owner = 0 LIMIT 1",
                          postgres_values{piece_rows}, rows))
    return error;
  if (!rows.next())
    return {};
  more = true;
  const auto key = rows.integer(0);
  const auto end = rows.integer(1);
  if (end > 0) {
    db.add("DELETE FROM search_rows WHERE conversation = $1 AND place < $2",
           postgres_values{key, end});
    db.add("DELETE FROM messages WHERE conversation = $1 AND place < $2",
           postgres_values{key, end});
    return db.run();
  }
  db.add("DELETE FROM turns WHERE conversation = $1", postgres_values{key});
  db.add("DELETE FROM events WHERE conversation = $1", postgres_values{key});
  db.add("DELETE FROM conversations WHERE id = $1 AND owner = 0", postgres_values{key});
  return db.run();
}

} // namespace troupe

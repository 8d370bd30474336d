#include "transport/postgres/postgres_changes.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "messages/json.hpp"
#include "messages/store/stored_file.hpp"
#include "transport/postgres/postgres_batch.hpp"
#include "transport/postgres/postgres_files.hpp"
#include "transport/store/made_conversation.hpp"
#include "transport/store/piece_size.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// The rows of a conversation that is made; its own row is added at last. All in one transaction:
/// a branch sees one state of its source, whatever others write meanwhile.
class postgres_made_rows final : public made_rows {
public:
  /// @param db, owners, ask outlive it
  postgres_made_rows(postgres_connection& db, postgres_owners& owners,
                     const change_conversation& ask)
      : db_{db}, owners_{owners}, ask_{ask}, session_id_{made_id(ask)} {}

  const owner_quota& quota() const override { return owners_.quota(); }

  failure check_quota(uint64_t bytes) override {
    return owners_.check(owner_of(session_id_), {1, static_cast<int64_t>(bytes)});
  }

  failure find(std::string_view session_id, conversation_row& out) override {
    postgres_chat found;
    auto error = find_chat(db_, session_id, found);
    out = std::move(found);
    return error;
  }

  failure add(conversation_row& row) override {
    auto error = owners_.number_of(owner_of(session_id_), row.owner);
    return error ? error : owners_.next_key(row.key);
  }

  failure place_of(int64_t time_ms, int64_t now_ms, int64_t& out) override {
    if (time_ms >= now_ms)
      return owners_.next_place(owner_of(session_id_), now_ms, out);
    out = time_ms;
    return note_place(out);
  }

  failure note_place(int64_t place) override {
    return owners_.note_place(owner_of(session_id_), place);
  }

  failure show(conversation_row& row) override;

  failure add_message(conversation_row& row, uint64_t place, const chat_message& message,
                      int64_t created_ms) override {
    const auto ids = file_ids_in(message);
    named_.insert(ids.begin(), ids.end());
    batch_.add_message(row, place, message, created_ms);
    return {};
  }

  failure add_turn(int64_t key, uint64_t number, bool counted, const turn_record& turn) override {
    postgres_chat row;
    row.key = key;
    batch_.add_turn(row, turn, number, counted);
    batch_.queue(db_, 0); // one by one: a file may have a turn twice
    return {};
  }

  failure add_events(int64_t key, const std::vector<event_batch>& events) override {
    for (const auto& each : events)
      batch_.add_event(key, each);
    batch_.queue(db_, 0);
    return {};
  }

  failure write_added() override {
    batch_.queue(db_, 0);
    return db_.run();
  }

  failure count_up_to(const conversation_row& from, const std::string& message_id,
                      uint64_t& out) override;

  /// The bytes of a part are known only later.
  failure bytes_of(const conversation_row& from, uint64_t count, uint64_t& out) override {
    out = count < from.info.messages ? 0 : from.bytes;
    return {};
  }

  failure check_source(const conversation_row& /*from*/, uint64_t /*count*/) override { return {}; }

  failure copy_messages(const conversation_row& from, uint64_t count,
                        conversation_row& to) override;
  failure copy_turns(const conversation_row& from, conversation_row& to, bool& more) override;

private:
  failure read_silent_ids(int64_t conversation, std::unordered_set<std::string>& out);
  void add_file_uses();

  postgres_connection& db_;
  postgres_owners& owners_;
  const change_conversation& ask_;
  const std::string& session_id_; ///< that is made
  postgres_batch batch_;
  std::set<std::string> named_; ///< uploaded files; all lock them in one order
};

failure postgres_made_rows::show(conversation_row& row) {
  owners_.forget_holdings(); // others may have written since it began
  if (auto error = check_quota(row.bytes))
    return error;
  add_file_uses();
  row.info.id = public_id(session_id_);
  postgres_rows rows;
  if (auto error = db_.ask(
          "INSERT INTO conversations(id, owner, name, title, created, updated, messages, version, "
          "overrides, bytes, place, node, epoch) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, "
          "$10, $11, 0, 0) ON CONFLICT DO NOTHING RETURNING id",
          postgres_values{row.key, row.owner, row.info.id, row.info.title, row.info.created_ms,
                          row.info.updated_ms, row.info.messages, row.info.version, row.overrides,
                          row.bytes, row.place},
          rows))
    return error;
  if (!rows.next())
    return {errc::conversation_exists, {}};
  owners_.forget_holdings();
  return {};
}

/// Has the chat use the files of the one that it is made of, which may be removed as soon as this
/// one is there: a branch those of its original, an import those that it names and that its owner
/// has. A copy of a store brings the uses itself. Whoever removes the last user of a file at that
/// moment is waited for, or waits.
void postgres_made_rows::add_file_uses() {
  if (ask_.verb == conversation_verb::branch)
    db_.add("WITH held AS (SELECT f.id FROM files f WHERE f.id = ANY(ARRAY("
            "SELECT u.file FROM file_uses u WHERE u.chat = $1)) ORDER BY f.id FOR SHARE) "
            "INSERT INTO file_uses(file, chat) SELECT id, $2 FROM held ON CONFLICT DO NOTHING",
            postgres_values{ask_.session_id, session_id_});
  else if (!ask_.from.exact)
    for (const auto& id : named_)
      db_.add("WITH held AS (SELECT f.id FROM files f WHERE f.id = $1 AND f.owner = $3 FOR SHARE) "
              "INSERT INTO file_uses(file, chat) SELECT id, $2 FROM held ON CONFLICT DO NOTHING",
              postgres_values{id, session_id_, owner_of(session_id_)});
}

failure postgres_made_rows::count_up_to(const conversation_row& from, const std::string& message_id,
                                        uint64_t& out) {
  postgres_rows rows;
  auto error = db_.ask("SELECT max(place) + 1 FROM messages WHERE conversation = $1 "
                       "AND place < $2 AND message_id = $3",
                       postgres_values{from.key, from.info.messages, message_id}, rows);
  out = !error && rows.next() ? rows.natural(0) : 0;
  return error;
}

failure postgres_made_rows::copy_messages(const conversation_row& from, uint64_t count,
                                          conversation_row& to) {
  const auto first = to.info.messages;
  const auto end = std::min(count, first + piece_rows);
  postgres_rows rows;
  db_.add("INSERT INTO search_rows(conversation, place, created, words) "
          "SELECT $2, place, created, words FROM search_rows "
          "WHERE conversation = $1 AND place >= $3 AND place < $4",
          postgres_values{from.key, to.key, first, end});
  if (auto error = db_.ask(
          "WITH copied AS (INSERT INTO messages(conversation, place, role, created, "
          "message_id, text, body) SELECT $2, place, role, created, message_id, text, body "
          "FROM messages WHERE conversation = $1 AND place >= $3 AND place < $4 "
          "RETURNING octet_length(text) + octet_length(body) + octet_length(message_id) + $5 "
          "AS bytes) SELECT coalesce(sum(bytes), 0)::bigint, count(*) FROM copied",
          postgres_values{from.key, to.key, first, end, kept_row_bytes}, rows))
    return error;
  rows.next();
  if (rows.natural(1) != end - first) // another node has cut them off since the row was read
    return {errc::conversation_changed, "messages of the conversation are not there any more"};
  to.bytes += rows.natural(0);
  to.info.messages = end;
  return check_quota(to.bytes);
}

/// Collects the ids of answers that copied messages show, as JSON strings.
failure postgres_made_rows::read_silent_ids(int64_t conversation,
                                            std::unordered_set<std::string>& out) {
  postgres_rows rows;
  auto error = db_.ask("SELECT body FROM messages WHERE conversation = $1 "
                       "AND position($2 IN body) > 0",
                       postgres_values{conversation, silent_answer}, rows);
  while (!error && rows.next())
    add_silent_ids(rows.view(0), out);
  return error;
}

std::string json_of(std::string_view id) {
  json_buffer out;
  append_json(out, id);
  return std::string{view(out)};
}

failure postgres_made_rows::copy_turns(const conversation_row& from, conversation_row& to,
                                       bool& more) {
  more = false;
  std::unordered_set<std::string> silent;
  if (auto error = read_silent_ids(to.key, silent))
    return error;
  postgres_rows rows;
  if (auto error = db_.ask("SELECT turn_id, message_id, message_id IN (SELECT m.message_id "
                           "FROM messages m WHERE m.conversation = $2) FROM turns "
                           "WHERE conversation = $1",
                           postgres_values{from.key, to.key}, rows))
    return error;
  bytes_list found;
  while (rows.next())
    if (rows.integer(2) != 0 || silent.contains(json_of(rows.view(1))))
      found.add(rows.view(0));
  if (found.size() == 0)
    return {};
  const auto error = db_.ask(
      "WITH copied AS (INSERT INTO turns(conversation, turn_id, number, message_id, state, "
      "error, error_text, model, resumable, started, ended, used, counted, node, epoch) "
      "SELECT $2, turn_id, number, message_id, CASE WHEN state = 0 THEN 4 ELSE state END, "
      "CASE WHEN state = 0 THEN $4 ELSE error END, error_text, model, resumable, started, "
      "ended, used, 1, 0, 0 FROM turns WHERE conversation = $1 AND turn_id = ANY($3) "
      "RETURNING greatest($5, octet_length(turn_id) + octet_length(message_id) + "
      "octet_length(model) + octet_length(error_text)) AS bytes) "
      "SELECT coalesce(sum(bytes), 0)::bigint FROM copied",
      postgres_values{from.key, to.key, found, to_string(errc::server_restarted), kept_row_bytes},
      rows);
  to.bytes += !error && rows.next() ? rows.natural(0) : 0;
  return error;
}

/// A change with the rows that it makes, on a connection of its own. Owners are asked about on the
/// connection that staged it, which is in no transaction meanwhile: so an owner's new row is there
/// for all at once, and a quota counts what others write between the pieces.
class postgres_staged_change final : public staged_change {
public:
  postgres_staged_change(const postgres_place& at, postgres_owners& owners,
                         change_conversation&& ask, int64_t now_ms)
      : db_{at}, ask_{std::move(ask)}, rows_{db_, owners, ask_}, made_{make_conversation(
                                                                     rows_, ask_, now_ms)} {
    db_.doing("change a conversation");
    db_.begin(ask_.verb == conversation_verb::branch ? "BEGIN ISOLATION LEVEL REPEATABLE READ"
                                                     : "BEGIN");
  }

  failure step(bool& more, conversation_info& out) override {
    auto error = made_->piece(more, out);
    if (!error && !more)
      error = db_.commit();
    if (error)
      db_.roll_back();
    made_->drop_done(ask_);
    return error;
  }

private:
  postgres_connection db_;
  change_conversation ask_;
  postgres_made_rows rows_;
  std::unique_ptr<made_conversation> made_;
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
  case conversation_verb::branch: {
    postgres_made_rows rows{db, owners, ask};
    return make_whole(rows, ask, now_ms, out);
  }
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
    return claim_fault(claim_state::held_elsewhere);
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
  return std::make_unique<postgres_staged_change>(at, owners, std::move(ask), now_ms);
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

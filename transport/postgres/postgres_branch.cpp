#include "transport/postgres/postgres_branch.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "messages/json.hpp"
#include "transport/postgres/postgres_import.hpp"
#include "transport/store/piece_size.hpp"
#include "transport/store/silent_answers.hpp"

namespace troupe {

namespace {

/// Collects the ids of answers that copied messages show, as JSON strings.
failure read_silent_ids(postgres_connection& db, int64_t conversation,
                        std::unordered_set<std::string>& out) {
  postgres_rows rows;
  auto error = db.ask("SELECT body FROM messages WHERE conversation = $1 "
                      "AND position($2 IN body) > 0",
                      postgres_values{conversation, silent_answer}, rows);
  while (!error && rows.next())
    add_silent_ids(rows.view(0), out);
  return error;
}

/// Has a branch use the files of its original, which may be removed as soon as the branch is there.
/// A transaction that removes the last user of a file at that moment is waited for, or waits.
void add_file_uses(postgres_connection& db, const std::string& original,
                   const std::string& branch) {
  db.add("WITH held AS (SELECT f.id FROM files f WHERE f.id = ANY(ARRAY("
         "SELECT u.file FROM file_uses u WHERE u.chat = $1)) ORDER BY f.id FOR SHARE) "
         "INSERT INTO file_uses(file, chat) SELECT id, $2 FROM held ON CONFLICT DO NOTHING",
         postgres_values{original, branch});
}

std::string json_of(std::string_view id) {
  json_buffer out;
  append_json(out, id);
  return std::string{view(out)};
}

} // namespace

failure postgres_branch::piece(bool& more, conversation_info& out) {
  more = true;
  if (made_.key == 0)
    if (auto error = begin())
      return error;
  if (made_.info.messages < count_)
    return copy_messages();
  more = false;
  if (auto error = copy_turns())
    return error;
  return finish(out);
}

failure postgres_branch::begin() {
  if (auto error = need_chat(db_, ask_.session_id, ask_.if_version, from_))
    return error;
  if (auto error = count_messages())
    return error;
  if (owner_of(ask_.to) != owner_of(ask_.session_id))
    return {errc::request_invalid, "a branch belongs to the owner of its conversation"};
  if (auto error = need_free_name(db_, ask_.to))
    return error;
  // The size of a part is known only later.
  const auto bytes = count_ < from_.info.messages ? 0 : from_.bytes;
  if (auto error = owners_.check(owner_of(ask_.to), {1, static_cast<int64_t>(bytes)}))
    return error;
  made_.owner = from_.owner;
  made_.overrides = from_.overrides;
  made_.info.title = ask_.title.empty() ? from_.info.title : ask_.title;
  made_.info.created_ms = now_ms_;
  return owners_.next_key(made_.key);
}

failure postgres_branch::count_messages() {
  count_ = from_.info.messages;
  if (ask_.message_id.empty())
    return {};
  postgres_rows rows;
  auto error = db_.ask("SELECT max(place) + 1 FROM messages WHERE conversation = $1 "
                       "AND place < $2 AND message_id = $3",
                       postgres_values{from_.key, count_, ask_.message_id}, rows);
  count_ = !error && rows.next() ? rows.natural(0) : 0;
  if (error || count_ > 0)
    return error;
  return {errc::request_invalid,
          fmt::format("the conversation has no message '{}'", ask_.message_id)};
}

failure postgres_branch::copy_messages() {
  const auto first = made_.info.messages;
  const auto end = std::min(count_, first + piece_rows);
  postgres_rows rows;
  db_.add("INSERT INTO search_rows(conversation, place, created, words) "
          "SELECT $2, place, created, words FROM search_rows "
          "WHERE conversation = $1 AND place >= $3 AND place < $4",
          postgres_values{from_.key, made_.key, first, end});
  if (auto error = db_.ask(
          "WITH copied AS (INSERT INTO messages(conversation, place, role, created, "
          "message_id, text, body) SELECT $2, place, role, created, message_id, text, body "
          "FROM messages WHERE conversation = $1 AND place >= $3 AND place < $4 "
          "RETURNING octet_length(text) + octet_length(body) + octet_length(message_id) + $5 "
          "AS bytes) SELECT coalesce(sum(bytes), 0)::bigint, count(*) FROM copied",
          postgres_values{from_.key, made_.key, first, end, kept_row_bytes}, rows))
    return error;
  rows.next();
  if (rows.natural(1) != end - first) // another node has cut them off since begin()
    return {errc::conversation_changed, "messages of the conversation are not there any more"};
  made_.bytes += rows.natural(0);
  made_.info.messages = end;
  return owners_.check(owner_of(ask_.to), {1, static_cast<int64_t>(made_.bytes)});
}

/// Copies the turns of copied messages. A turn that runs does not run in the copy: there its open
/// calls may or may not have run.
failure postgres_branch::copy_turns() {
  std::unordered_set<std::string> silent;
  if (auto error = read_silent_ids(db_, made_.key, silent))
    return error;
  postgres_rows rows;
  if (auto error = db_.ask("SELECT turn_id, message_id, message_id IN (SELECT m.message_id "
                           "FROM messages m WHERE m.conversation = $2) FROM turns "
                           "WHERE conversation = $1",
                           postgres_values{from_.key, made_.key}, rows))
    return error;
  bytes_list found;
  while (rows.next())
    if (rows.integer(2) != 0 || silent.contains(json_of(rows.view(1))))
      found.add(rows.view(0));
  if (found.size() == 0)
    return {};
  const auto error =
      db_.ask("WITH copied AS (INSERT INTO turns(conversation, turn_id, number, message_id, state, "
              "error, error_text, model, resumable, started, ended, used, counted, node, epoch) "
              "SELECT $2, turn_id, number, message_id, CASE WHEN state = 0 THEN 4 ELSE state END, "
              "CASE WHEN state = 0 THEN $4 ELSE error END, error_text, model, resumable, started, "
              "ended, used, 1, 0, 0 FROM turns WHERE conversation = $1 AND turn_id = ANY($3) "
              "RETURNING greatest($5, octet_length(turn_id) + octet_length(message_id) + "
              "octet_length(model) + octet_length(error_text)) AS bytes) "
              "SELECT coalesce(sum(bytes), 0)::bigint FROM copied",
              postgres_values{from_.key, made_.key, found, to_string(errc::server_restarted),
                              kept_row_bytes},
              rows);
  made_.bytes += !error && rows.next() ? rows.natural(0) : 0;
  return error;
}

failure postgres_branch::finish(conversation_info& out) {
  owners_.forget_holdings(); // others may have written since it began
  if (auto error = owners_.check(owner_of(ask_.to), {1, static_cast<int64_t>(made_.bytes)}))
    return error;
  if (auto error = owners_.next_place(owner_of(ask_.to), now_ms_, made_.place))
    return error;
  made_.info.updated_ms = now_ms_;
  made_.info.version = from_.info.version + 1; // later turns come after the copied ones
  add_file_uses(db_, ask_.session_id, ask_.to);
  if (auto error = add_whole_chat(db_, ask_.to, made_))
    return error;
  owners_.forget_holdings();
  out = made_.info;
  return {};
}

} // namespace troupe

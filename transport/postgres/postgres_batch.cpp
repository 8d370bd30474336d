#include "transport/postgres/postgres_batch.hpp"

#include <algorithm>

#include "messages/json.hpp"
#include "transport/postgres/postgres_index.hpp"
#include "transport/postgres/postgres_keys.hpp"
#include "transport/store/kept_message.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// The columns that are written of every row of a conversation.
struct row_columns {
  number_list key, updated, messages, version, bytes, place, node, epoch;
  bytes_list title;

  void add(const postgres_chat& row) {
    key.add(row.key);
    title.add(row.info.title);
    updated.add(row.info.updated_ms);
    messages.add(row.info.messages);
    version.add(row.info.version);
    bytes.add(row.bytes);
    place.add(row.place);
    node.add(row.fence.node);
    epoch.add(row.fence.epoch);
  }
};

} // namespace

void postgres_batch::add_message(conversation_row& row, uint64_t place, const chat_message& message,
                                 int64_t created_ms) {
  json_buffer body;
  const bool any = append_body(body, message);
  row.bytes += message.text.size() + message.id.size() + (any ? body.size() : 0) + kept_row_bytes;
  messages_.conversation.add(row.key);
  messages_.place.add(place);
  messages_.role.add(static_cast<int>(message.who));
  messages_.created.add(created_ms);
  messages_.id.add(message.id);
  messages_.text.add(message.text);
  messages_.body.add(any ? view(body) : std::string_view{});
  const auto words = index_entry(row.owner, message);
  if (words.empty())
    return;
  search_.conversation.add(row.key);
  search_.place.add(place);
  search_.created.add(created_ms);
  search_.words.add(words);
}

void postgres_batch::add_turn(const postgres_chat& row, const turn_record& turn, uint64_t number,
                              bool counted) {
  turns_.conversation.add(row.key);
  turns_.id.add(turn.turn_id);
  turns_.number.add(number);
  turns_.message_id.add(turn.message_id);
  turns_.state.add(static_cast<int>(turn.state));
  turns_.error.add(turn.error ? to_string(turn.error.code) : std::string{});
  turns_.error_text.add(turn.error.message);
  turns_.model.add(turn.model);
  turns_.resumable.add(turn.resumable ? 1 : 0);
  turns_.started.add(turn.started_ms);
  turns_.ended.add(turn.ended_ms);
  turns_.used.add(stored::text_of(turn.used));
  turns_.counted.add(counted ? 1 : 0);
  turns_.node.add(row.fence.node);
  turns_.epoch.add(row.fence.epoch);
}

void postgres_batch::add_event(int64_t conversation, const event_batch& batch) {
  json_buffer text;
  stored::append(text, batch);
  events_.conversation.add(conversation);
  events_.turn_id.add(batch.turn_id);
  events_.first_seq.add(batch.first_seq);
  events_.batch.add(view(text));
}

void postgres_batch::queue(postgres_connection& db, uint64_t node) {
  // In the order of their numbers, so that batches of several programs never wait for each other
  // in a circle.
  std::sort(chats_.begin(), chats_.end(),
            [](const auto& a, const auto& b) { return a.row.key < b.row.key; });
  queue_changed_chats(db);
  queue_new_chats(db);
  queue_contents(db);
  queue_turns(db);
  if (!usage_.empty())
    queue_usage(db, node);
  *this = {};
}

void postgres_batch::queue_changed_chats(postgres_connection& db) {
  row_columns c;
  number_list was_version, was_node, was_epoch;
  for (const auto& [row, version_before, fence_before] : chats_) {
    if (version_before == 0)
      continue;
    c.add(row);
    was_version.add(version_before);
    was_node.add(fence_before.node);
    was_epoch.add(fence_before.epoch);
  }
  if (c.key.size() == 0)
    return;
  db.add("WITH i AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], "
         "$5::bytea[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], "
         "$11::bigint[], $12::bigint[]) AS u(id, was_version, was_node, was_epoch, title, updated, "
         "messages, version, bytes, place, node, epoch)), "
         "done AS (UPDATE conversations c SET title = i.title, updated = i.updated, "
         "messages = i.messages, version = i.version, bytes = i.bytes, place = i.place, "
         "node = i.node, epoch = i.epoch FROM i WHERE c.id = i.id AND c.version = i.was_version "
         "AND c.node = i.was_node AND c.epoch = i.was_epoch RETURNING 1) "
         "SELECT 1 / (count(*) = $13)::int FROM done",
         postgres_values{c.key, was_version, was_node, was_epoch, c.title, c.updated, c.messages,
                         c.version, c.bytes, c.place, c.node, c.epoch, c.key.size()});
}

void postgres_batch::queue_new_chats(postgres_connection& db) {
  row_columns c;
  number_list owner, created;
  bytes_list name, overrides;
  for (const auto& [row, version_before, fence_before] : chats_) {
    if (version_before != 0)
      continue;
    c.add(row);
    owner.add(row.owner);
    name.add(row.info.id);
    created.add(row.info.created_ms);
    overrides.add(row.overrides);
  }
  if (c.key.size() == 0)
    return;
  db.add("WITH done AS (INSERT INTO conversations(id, owner, name, title, created, updated, "
         "messages, version, overrides, bytes, place, node, epoch) "
         "SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::bigint[], "
         "$6::bigint[], $7::bigint[], $8::bigint[], $9::bytea[], $10::bigint[], $11::bigint[], "
         "$12::bigint[], $13::bigint[]) ON CONFLICT DO NOTHING RETURNING 1) "
         "SELECT 1 / (count(*) = $14)::int FROM done",
         postgres_values{c.key, owner, name, c.title, created, c.updated, c.messages, c.version,
                         overrides, c.bytes, c.place, c.node, c.epoch, c.key.size()});
}

void postgres_batch::queue_contents(postgres_connection& db) {
  if (const auto& m = messages_; m.place.size() > 0)
    db.add("INSERT INTO messages(conversation, place, role, created, message_id, text, body) "
           "SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], "
           "$5::bytea[], $6::bytea[], $7::bytea[])",
           postgres_values{m.conversation, m.place, m.role, m.created, m.id, m.text, m.body});
  if (const auto& s = search_; s.place.size() > 0)
    db.add("INSERT INTO search_rows(conversation, place, created, words) "
           "SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::tsvector[])",
           postgres_values{s.conversation, s.place, s.created, s.words});
  if (const auto& e = events_; e.first_seq.size() > 0)
    db.add("INSERT INTO events(conversation, turn_id, first_seq, batch) "
           "SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[]) "
           "ON CONFLICT(conversation, turn_id, first_seq) DO UPDATE SET batch = EXCLUDED.batch",
           postgres_values{e.conversation, e.turn_id, e.first_seq, e.batch});
}

void postgres_batch::queue_turns(postgres_connection& db) {
  const auto& t = turns_;
  if (t.number.size() == 0)
    return;
  db.add("INSERT INTO turns(conversation, turn_id, number, message_id, state, error, error_text, "
         "model, resumable, started, ended, used, counted, node, epoch) "
         "SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[], $5::bigint[], "
         "$6::bytea[], $7::bytea[], $8::bytea[], $9::bigint[], $10::bigint[], $11::bigint[], "
         "$12::bytea[], $13::bigint[], $14::bigint[], $15::bigint[]) "
         "ON CONFLICT(conversation, turn_id) DO UPDATE SET message_id = EXCLUDED.message_id, "
         "state = EXCLUDED.state, error = EXCLUDED.error, error_text = EXCLUDED.error_text, "
         "model = EXCLUDED.model, resumable = EXCLUDED.resumable, started = EXCLUDED.started, "
         "ended = EXCLUDED.ended, used = EXCLUDED.used, node = EXCLUDED.node, "
         "epoch = EXCLUDED.epoch, number = CASE WHEN turns.started = EXCLUDED.started "
         "THEN turns.number ELSE EXCLUDED.number END, "
         "counted = CASE WHEN turns.started = EXCLUDED.started "
         "THEN greatest(turns.counted, EXCLUDED.counted) ELSE EXCLUDED.counted END",
         postgres_values{t.conversation, t.id, t.number, t.message_id, t.state, t.error,
                         t.error_text, t.model, t.resumable, t.started, t.ended, t.used, t.counted,
                         t.node, t.epoch});
}

void postgres_batch::queue_usage(postgres_connection& db, uint64_t node) {
  usage_columns rows;
  usage_.for_each([&](int64_t owner, const usage_row& row) { rows.add(owner, node, row); });
  rows.queue(db);
}

} // namespace troupe

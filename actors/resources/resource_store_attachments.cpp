// Attachments of chats, and the turns that take them.
#include <string_view>

#include "actors/resources/resource_store_state.hpp"
#include "messages/json_object.hpp"

namespace troupe {

namespace {

/// How long a turn waits for attachments that are loading.
constexpr std::chrono::seconds consume_limit{10};

/// How long the hub may take to list names. They are nice to have, so the limit is short.
constexpr std::chrono::seconds describe_limit{2};

} // namespace

attachment resource_store_state::on_add(const add_attachment& ask) {
  auto was_there = held.any(ask.session_id);
  auto made = held.add(ask);
  if (!made.fresh)
    return made.what;
  if (!was_there)
    tell(ask.session_id, true);
  after_bounds();
  emit_changed({ask.session_id, made.what, 0});
  describe(ask, made.what.id);
  return made.what;
}

/// Asks the hub for the resource's name, then reads the resource.
void resource_store_state::describe(const add_attachment& ask, const std::string& id) {
  resource_key key{ask.server, ask.uri};
  if (!find_hub())
    return read_attached(key);
  self->request(hub, describe_limit, atom::status_v)
      .then([this, key, id, session_id = ask.session_id](
                const server_list& list) { on_described(session_id, id, key, list); },
            [this, key](const caf::error&) { read_attached(key); });
}

void resource_store_state::on_described(const std::string& session_id, const std::string& id,
                                        const resource_key& key, const server_list& list) {
  for (const auto& server : list.servers)
    if (server.name == key.server)
      for (const auto& each : server.resources->resources)
        if (each.uri == key.uri)
          held.describe(session_id, id, each.name, each.mime_type);
  read_attached(key);
}

void resource_store_state::read_attached(const resource_key& key) {
  if (!held.is_attached(key))
    return;
  if (const auto* known = cache.find(key, now()))
    on_loaded(key, {{}, {*known}});
  else if (reads.try_emplace(key).second)
    start(key);
}

void resource_store_state::on_loaded(const resource_key& key, const mcp_answer& got) {
  auto changes = held.loaded(key, got);
  for (const auto& each : changes)
    emit_changed(each);
  for (const auto& each : changes)
    settle(each.session_id);
  after_bounds();
}

failure resource_store_state::on_remove(const remove_attachment& ask) {
  auto server = held.remove(ask.session_id, ask.id);
  if (!server)
    return {errc::not_found, "This chat has no attachment called '" + ask.id + "'."};
  emit_removed(ask.session_id, *server, ask.id);
  if (!held.any(ask.session_id))
    tell(ask.session_id, false);
  settle(ask.session_id);
  return {};
}

caf::result<attachment_list> resource_store_state::on_list(const list_attachments& ask) {
  if (!ask.consume)
    return attachment_list{held.list(ask.session_id)};
  if (!held.loading(ask.session_id))
    return take(ask.session_id);
  auto answer = self->make_response_promise<attachment_list>();
  auto& entry = waits[ask.session_id];
  if (entry.consumers.empty())
    entry.until = now() + consume_limit;
  entry.consumers.push_back(answer);
  self->delayed_send(self, consume_limit, atom::expire_v, ask.session_id);
  return answer;
}

attachment_list resource_store_state::take(const std::string& session_id) {
  attachment_list all{held.take(session_id)};
  for (const auto& each : all.attachments)
    emit_removed(session_id, each.server, each.id);
  if (!all.attachments.empty())
    tell(session_id, false);
  return all;
}

void resource_store_state::settle(const std::string& session_id) {
  if (!held.loading(session_id))
    answer_waiting(session_id);
}

/// Answers all waiting consumers. The first one gets the attachments, the others get none.
void resource_store_state::answer_waiting(const std::string& session_id) {
  auto entry = waits.extract(session_id);
  if (entry.empty())
    return;
  for (auto& each : entry.mapped().consumers)
    each.deliver(take(session_id));
}

void resource_store_state::on_expire(const std::string& session_id) {
  if (session_id.empty())
    return look_for_hub();
  if (auto entry = waits.find(session_id); entry != waits.end() && entry->second.until <= now())
    answer_waiting(session_id);
}

/// Tells the hub, and waiting turns, about chats that lost their attachments to a bound.
void resource_store_state::after_bounds() {
  for (const auto& each : held.take_evicted()) {
    tell(each, false);
    settle(each);
  }
}

void resource_store_state::emit_changed(const attachments::change& changed) {
  const auto& what = changed.what;
  json_buffer out;
  {
    json_object all{out};
    all.member("sessionId", changed.session_id).member("id", what.id);
    for_each_field(what, [&](std::string_view key, const auto& member) {
      if (key != "id" && key != "text") // texts are large, and events go to all watchers
        all.member(key, member);
    });
    all.member("textBytes", changed.text_bytes);
  }
  emit({"attachment", what.server, {std::string{view(out)}}});
}

void resource_store_state::emit_removed(const std::string& session_id, const std::string& server,
                                        const std::string& id) {
  json_buffer out;
  json_object{out}.member("sessionId", session_id).member("id", id);
  emit({"attachmentRemoved", server, {std::string{view(out)}}});
}

} // namespace troupe

#include <utility>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/resources/resource_store_state.hpp"
#include "messages/ports/inner_errors.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

namespace {

/// Guards against a defect of the hub, which ends each request by its server's own deadlines.
constexpr std::chrono::minutes read_limit{15};

/// How often a hub is looked for while chats have attachments and there is none to tell.
constexpr std::chrono::milliseconds hub_poll{250};

bool covers(const resource_key& what, const resource_key& key) {
  return key.server == what.server && (what.uri.empty() || key.uri == what.uri);
}

resource_store_actor::behavior_type
resource_store(resource_store_actor::stateful_pointer<resource_store_state> self,
               const resource_store_config& config) {
  auto& state = self->state;
  quiet(self);
  self->set_down_handler([&state](caf::down_msg& msg) { state.on_down(msg); });
  state.cache = resource_cache{{config.cache_ttl, config.cache_entries, config.cache_bytes}};
  state.held = attachments{config.attached};
  state.config = config;
  return state.make_behavior();
}

} // namespace

resource_store_actor spawn_resource_store(caf::local_actor& parent, resource_store_config config) {
  return parent.spawn<caf::linked>(resource_store, config);
}

resource_store_actor::behavior_type resource_store_state::make_behavior() {
  return {
      [this](const read_resource& ask) { return on_read(ask); },
      [this](const forget_resources& what) {
        on_forget({what.server, what.uri});
      },
      [this](const add_attachment& ask) { return on_add(ask); },
      [this](const remove_attachment& ask) { return on_remove(ask); },
      [this](const list_attachments& ask) { return on_list(ask); },
      [this](atom::clear) { return on_clear(); },
      [this](atom::expire, const std::string& session_id) { on_expire(session_id); },
  };
}

// -- reading -------------------------------------------------------------------------------------

caf::result<mcp_answer> resource_store_state::on_read(const read_resource& ask) {
  resource_key key{ask.server, ask.uri};
  if (const auto* known = ask.refresh ? nullptr : cache.find(key, now()))
    return mcp_answer{{}, {*known}};
  auto answer = self->make_response_promise<mcp_answer>();
  auto [under_way, is_new] = reads.try_emplace(key);
  auto& readers = under_way->second.again ? under_way->second.later : under_way->second.now;
  readers.push_back(answer);
  if (is_new)
    start(key);
  return answer;
}

void resource_store_state::start(const resource_key& key) {
  if (!find_hub())
    return finish(key, {{errc::server_unavailable, "The MCP hub is not running."}, {}});
  auto number = reads[key].number = ++last_read;
  self->request(hub, read_limit, mcp_ask{key.server, "resources/read", {mcp::uri_params(key.uri)}})
      .then([this, key, number](const mcp_answer& got) { on_answer(key, number, got); },
            [this, key, number](const caf::error&) {
              failure lost{errc::server_unavailable, "The MCP hub did not answer."};
              on_answer(key, number, {std::move(lost), {}});
            });
}

void resource_store_state::on_answer(const resource_key& key, uint64_t number,
                                     const mcp_answer& got) {
  if (auto known = reads.find(key); known != reads.end() && known->second.number == number)
    finish(key, got);
}

/// Answers the readers, and reads again if the resource has changed meanwhile. Changes during a
/// read cause one more read, so a resource never has more than one request.
void resource_store_state::finish(const resource_key& key, mcp_answer got) {
  auto& under_way = reads[key];
  auto again = std::exchange(under_way.again, false);
  auto readers = std::exchange(under_way.now, std::exchange(under_way.later, {}));
  if (!got.error && !again)
    cache.put(key, got.result.text, now());
  for (auto& each : readers)
    each.deliver(got);
  if (got.error && !config.error_details) // from here on it is for chats
    hide_inner_text(config.log.get(), "resource", "", got.error.code, got.error.message);
  if (!again || (under_way.now.empty() && !held.is_attached(key))) {
    reads.erase(key);
    return on_loaded(key, got);
  }
  held.loaded(key, got); // an outdated text serves a turn that cannot wait longer
  held.reload(key);
  start(key);
}

void resource_store_state::on_forget(const resource_key& what) {
  cache.forget(what);
  for (auto each = reads.lower_bound(what); each != reads.end() && covers(what, each->first);
       ++each)
    each->second.again = true;
  for (const auto& key : held.attached(what)) {
    held.reload(key);
    if (reads.try_emplace(key).second)
      start(key);
  }
}

void resource_store_state::fail_reads(const failure& why) {
  std::vector<resource_key> keys;
  for (const auto& each : reads)
    keys.push_back(each.first);
  for (const auto& each : keys)
    finish(each, {why, {}});
}

atom::done resource_store_state::on_clear() {
  for (const auto& each : held.sessions())
    take(each);
  cache.clear();
  fail_reads({errc::server_unavailable, "All MCP servers were disconnected."});
  while (!waits.empty())
    answer_waiting(std::string{waits.begin()->first});
  return atom::done_v;
}

// -- the hub -------------------------------------------------------------------------------------

bool resource_store_state::find_hub() {
  auto found = whereis<mcp_hub_for_resources>(self->system(), mcp_hub_name);
  if (found == hub)
    return static_cast<bool>(hub);
  if (hub)
    self->demonitor(hub.address());
  hub = std::move(found);
  if (!hub)
    return false;
  self->monitor(hub);
  for (const auto& each : held.sessions())
    self->send(hub, attachment_news{each, true});
  return true;
}

void resource_store_state::look_for_hub() {
  looking = false;
  if (!find_hub())
    look_later();
}

void resource_store_state::look_later() {
  if (!held.any() || std::exchange(looking, true))
    return;
  self->delayed_send(self, hub_poll, atom::expire_v, std::string{});
}

void resource_store_state::on_down(const caf::down_msg& msg) {
  if (!hub || msg.source != hub->address())
    return;
  hub = nullptr;
  fail_reads({errc::server_unavailable, "The MCP hub was restarted."});
  look_later();
}

void resource_store_state::tell(const std::string& session_id, bool any) {
  auto known = hub;
  if (!find_hub())
    look_later();
  else if (hub == known)
    self->send(hub, attachment_news{session_id, any});
}

void resource_store_state::emit(mcp_event what) {
  if (hub)
    self->send(hub, std::move(what));
}

} // namespace troupe

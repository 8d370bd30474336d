#include "apps/engine/http/routes/status/status_reply.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/json_object.hpp"

namespace troupe {

namespace {

constexpr std::chrono::seconds hub_limit{5};
/// A store may take longer when its disk does, and then the answer says so.
constexpr std::chrono::seconds store_limit{2};

/// The answers of the hubs and the store.
struct engine_state {
  session_counts counts;
  server_list list;
  bool keeps = false; ///< chats, in the store
  store_status store;
  std::string durability; ///< of the store
};

using writer = void (*)(http_response&, const engine_state&);

/// Asks the hubs and the store, one after the other, then writes.
struct status_reply {
  static inline const char* name = "troupe.status_reply";

  void ask_sessions() {
    ask<session_hub_actor, session_counts>(session_hub_name, [this](const session_counts& counts) {
      state.counts = counts;
      ask_servers();
    });
  }

  void ask_servers() {
    ask<mcp_hub_for_callers, server_list>(mcp_hub_name, [this](const server_list& list) {
      state.list = list;
      ask_store();
    });
  }

  void ask_store() {
    if (!state.keeps)
      return write(*response, state);
    auto store = whereis<conversation_store_actor>(self->system(), conversation_store_name);
    if (!store)
      return store_is_silent();
    self->request(store, store_limit, atom::status_v)
        .then(
            [this](const store_status& status) {
              state.store = status;
              write(*response, state);
            },
            [this](const caf::error&) { store_is_silent(); });
  }

  void store_is_silent() {
    state.store.error = {errc::store_timeout, "the store of chats does not answer"};
    write(*response, state);
  }

  template <class Hub, class Answer, class Next>
  void ask(caf::atom_value hub_name, Next next) {
    auto hub = whereis<Hub>(self->system(), hub_name);
    if (!hub)
      return fail();
    self->request(hub, hub_limit, atom::status_v)
        .then([next](const Answer& got) { next(got); }, [this](const caf::error&) { fail(); });
  }

  void fail() { send_error(*response, {errc::shutting_down, ""}); }

  caf::event_based_actor* self = nullptr;
  std::shared_ptr<http_response> response;
  engine_state state;
  writer write = nullptr;
};

caf::behavior start_reply(caf::stateful_actor<status_reply>* self,
                          std::shared_ptr<http_response> response, const store_settings& store,
                          writer write) {
  quiet(self);
  auto& reply = self->state;
  reply.self = self;
  reply.response = std::move(response);
  reply.state.keeps = store.keeps();
  reply.state.durability = to_string(store.durable);
  reply.write = write;
  reply.ask_sessions();
  return {};
}

bool settled(const server_status& server) {
  return !server.enabled || server.health == server_health::success ||
         server.health == server_health::error || server.attempt > 0;
}

/// Returns why no turn should be sent here now; "" if one may be.
std::string unready(const engine_state& state) {
  if (state.counts.draining)
    return "shutting down";
  if (state.counts.cut_off)
    return std::string{user_text(errc::store_unreachable)};
  if (state.store.error)
    return fmt::format("chats cannot be kept: {} ({})", user_text(state.store.error.code),
                       to_string(state.store.error.code)); // for everybody: no paths
  if (!std::all_of(state.list.servers.begin(), state.list.servers.end(), settled))
    return "MCP servers are still connecting";
  return {};
}

void write_ready(http_response& response, const engine_state& state) {
  auto why = unready(state);
  response.send(why.empty() ? 200 : 503, {{"content-type", "text/plain; charset=utf-8"}},
                (why.empty() ? "ready" : why) + '\n');
}

void write_store(json_buffer& out, const engine_state& state) {
  const auto& store = state.store;
  json_object all{out};
  all.member("path", store.path)
      .member("durability", state.durability)
      .member("saves", store.saves)
      .member("commits", store.commits)
      .member("failures", store.failures)
      .member("largestCommit", store.largest_commit)
      .member("commitUs", store.commit_us)
      .member("interruptedTurns", store.interrupted_turns)
      .given("notice", store.notice);
  if (store.error)
    all.member("error", failure{store.error.code, store.error.text()});
}

void write_server(json_buffer& out, const server_status& server) {
  json_object all{out};
  all.member("name", server.name)
      .member("health", server.health)
      .given("node", server.node)
      .member("phase", server.phase)
      .member("serverName", server.server_name)
      .member("protocolVersion", server.protocol_version)
      .member("tools", server.offered->tools.size())
      .member("attempt", server.attempt);
  if (server.error != errc::none)
    all.object("error").member("code", server.error).member("message", server.error_text);
}

void append_status(json_buffer& out, const engine_state& state) {
  json_object all{out};
  all.members(state.counts).member("activeFlows", state.list.active_flows);
  if (state.keeps)
    write_store(all.key("store"), state);
  all.array("mcpServers").each(state.list.servers, write_server);
}

void write_status(http_response& response, const engine_state& state) {
  json_buffer out;
  append_status(out, state);
  response.send(200, {{"content-type", "application/json"}}, std::string{view(out)});
}

void spawn_reply(http_call& in, writer write) {
  in.system.spawn(start_reply, std::move(in.response), in.config.store, write);
}

} // namespace

void spawn_ready_reply(http_call& in) {
  spawn_reply(in, write_ready);
}

void spawn_status_reply(http_call& in) {
  spawn_reply(in, write_status);
}

} // namespace troupe

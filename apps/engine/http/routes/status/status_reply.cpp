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
#include "messages/json.hpp"

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
    ask<mcp_hub_actor, server_list>(mcp_hub_name, [this](const server_list& list) {
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
  append_raw(out, R"({"path":)");
  append_json(out, store.path);
  append_raw(out, R"(,"durability":)");
  append_json(out, state.durability);
  auto number = [&](std::string_view key, uint64_t value) {
    append_raw(out, ",");
    append_json(out, key);
    append_raw(out, ":");
    append_json(out, value);
  };
  number("saves", store.saves);
  number("commits", store.commits);
  number("failures", store.failures);
  number("largestCommit", store.largest_commit);
  number("commitUs", store.commit_us);
  number("interruptedTurns", store.interrupted_turns);
  if (!store.notice.empty()) {
    append_raw(out, R"(,"notice":)");
    append_json(out, store.notice);
  }
  if (store.error) {
    append_raw(out, R"(,"error":)");
    append_json(out, failure{store.error.code, store.error.text()});
  }
  append_raw(out, "}");
}

void write_server(json_buffer& out, const server_status& server) {
  append_raw(out, R"({"name":)");
  append_json(out, server.name);
  append_raw(out, R"(,"health":)");
  append_json(out, server.health);
  if (!server.node.empty()) {
    append_raw(out, R"(,"node":)");
    append_json(out, server.node);
  }
  append_raw(out, R"(,"phase":)");
  append_json(out, server.phase);
  append_raw(out, R"(,"serverName":)");
  append_json(out, server.server_name);
  append_raw(out, R"(,"protocolVersion":)");
  append_json(out, server.protocol_version);
  append_raw(out, R"(,"tools":)");
  append_json(out, server.offered->tools.size());
  append_raw(out, R"(,"attempt":)");
  append_json(out, server.attempt);
  if (server.error != errc::none) {
    append_raw(out, R"(,"error":{"code":)");
    append_json(out, server.error);
    append_raw(out, R"(,"message":)");
    append_json(out, server.error_text);
    append_raw(out, "}");
  }
  append_raw(out, "}");
}

void write_status(http_response& response, const engine_state& state) {
  json_buffer out;
  append_raw(out, "{");
  append_members(out, state.counts);
  append_raw(out, R"(,"activeFlows":)");
  append_json(out, state.list.active_flows);
  if (state.keeps) {
    append_raw(out, R"(,"store":)");
    write_store(out, state);
  }
  append_raw(out, R"(,"mcpServers":[)");
  for (size_t i = 0; i < state.list.servers.size(); ++i) {
    if (i > 0)
      out.push_back(',');
    write_server(out, state.list.servers[i]);
  }
  append_raw(out, "]}");
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

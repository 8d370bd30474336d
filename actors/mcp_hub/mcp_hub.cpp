#include "actors/mcp_hub/mcp_hub.hpp"

#include <chrono>
#include <utility>

#include "actors/mcp_connection/mcp_connection.hpp"
#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "actors/one_way.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/urgent.hpp"

namespace troupe {

namespace {

/// How long an orderly disconnect of one server may take.
constexpr std::chrono::seconds disconnect_limit{8};
/// How long the resource store may take to forget everything.
constexpr std::chrono::seconds clear_limit{1};
/// A crash of a server that was up for so long is not counted with those before.
constexpr std::chrono::minutes stable_after{10};

mcp_hub_actor::behavior_type mcp_hub(mcp_hub_actor::stateful_pointer<mcp_hub_state> self,
                                     mcp_hub_config config, caf::actor_addr parent, bool succeeds) {
  auto& state = self->state;
  quiet(self);
  // An actor that does not take a message of ours answers with an error. CAF's default handler
  // would end the hub.
  self->set_error_handler([](caf::scheduled_actor*, caf::error&) {});
  self->set_exit_handler([&state](caf::exit_msg& msg) { state.on_exit(msg); });
  self->set_down_handler([&state](caf::down_msg& msg) { state.on_down(msg.source); });
  if (succeeds)
    state.attached.lose_count(); // the news of the resource store went to the crashed hub
  state.start(std::move(config), std::move(parent));
  return state.make_behavior();
}

} // namespace

mcp_hub_actor spawn_mcp_hub(caf::local_actor& parent, mcp_hub_config config) {
  // Looked up here and not by the hub: by the time it runs, the parent may have started the store.
  auto succeeds = whereis<resource_store_actor>(parent.system(), resource_store_name) != nullptr;
  return parent.spawn<caf::linked>(mcp_hub, std::move(config), parent.address(), succeeds);
}

/// The messages of every call stand first: CAF tries the handlers one after the other.
mcp_hub_actor::behavior_type mcp_hub_state::make_behavior() {
  return {
      one_way([this](call_tool& call) { on_call(call, nullptr); }),
      one_way([this](local_tool_call& local) { on_call(local.call, std::move(local.sink)); }),
      one_way([this](server_outcome& outcome) { on_outcome(outcome); }),
      [this](list_tools& ask) { on_list(ask); },
      [this](const cancel_call& cancel) { on_cancel(cancel); },
      [this](mcp_ask& ask) { return on_ask(ask); },
      [this](put_server& put) { return keeping.on_put(put); },
      [this](const change_server& change) { return keeping.on_change(change); },
      [this](const watch_mcp& watch) { on_watch(watch); },
      [this](const client_answer& answer) { return questions.on_client_answer(answer); },
      [this](const attachment_news& news) { attached.note(news); },
      [this](mcp_event& news) { on_event(news); },
      [this](atom::status) { return list_servers(); },
      [this](atom::settled) { return on_settled(false); },
      [this](atom::listed) { return on_settled(true); },
      [this](atom::disconnect) { return on_disconnect(); },
      [this](server_status& status) { on_status(status); },
      [this](const server_progress& report) { on_progress(report); },
      [this](server_ask& ask) { questions.on_server_ask(ask); },
      [this](const server_ask_over& over) { questions.on_ask_over(over); },
      [this](const client_answer& answer, const failure& why, uint64_t tokens) {
        questions.on_sampled(answer, why, tokens);
      },
      [this](atom::expire, const std::string&) { questions.on_expire(); },
      [this](atom::tick) {
        on_tick();
        keeping.on_tick();
      },
      [this](atom::restart, const std::string& server) { on_restart(server); },
  };
}

void mcp_hub_state::start(mcp_hub_config given, caf::actor_addr parent_address) {
  auto configured = std::exchange(given.servers, {});
  config = std::move(given);
  parent = std::move(parent_address);
  sets = tool_sets{config.always_prefix};
  keeping.start(config.entries, configured);
  for (auto& each : configured)
    if (find(each.name) == nullptr)
      put(std::move(each));
}

mcp_hub_state::~mcp_hub_state() {
  failure gone{errc::server_lost, "The MCP hub was restarted; try again."};
  for (auto call : leases.select([](const auto& lease) { return lease.promise.pending(); }))
    leases.release(call)->promise.deliver(mcp_answer{gone, {}});
  for (auto call : leases.select([](const auto& lease) { return lease.sink != nullptr; })) {
    tool_outcome lost{{}, gone.code, gone.text(), {}};
    leases.release(call)->sink->outcome(lost);
  }
}

// -- connections ---------------------------------------------------------------------------------

void mcp_hub_state::connect(hub_server& server) {
  if (server.connection || !server.config.enabled || ending != hub_end_phase::none ||
      leaving.contains(server.config.name) || keeping.loading())
    return;
  if (!server.config.fault.empty())
    return show(server, faulty_status(server.config));
  server.connection = spawn_mcp_connection(*self, *config.port, server.config);
}

void mcp_hub_state::close(hub_server& server) {
  questions.drop(server.config.name);
  auto idle = fresh_status(server.config);
  idle.health = server_health::idle;
  idle.phase = server.connection ? server_phase::disconnecting : server_phase::disconnected;
  idle.log = server.status.log;
  server.known = {};
  server.settled = false;
  server.crashes = 0;
  show(server, std::move(idle));
  auto going = std::exchange(server.connection, nullptr);
  if (!going)
    return;
  leaving[server.config.name] = going;
  auto left = [this, name = server.config.name, who = going.address()] { on_left(name, who); };
  self->request(going, disconnect_limit, atom::disconnect_v)
      .then([left](atom::done) { left(); },
            [this, left, going](const caf::error&) {
              exit_now(going, self->address(), caf::exit_reason::kill);
              left();
            });
}

void mcp_hub_state::on_left(const std::string& server, const caf::actor_addr& connection) {
  auto found = leaving.find(server);
  if (found == leaving.end() || found->second.address() != connection)
    return; // the answer and the end of a connection both lead here
  leaving.erase(found);
  if (auto* left = find(server); left != nullptr && !left->config.enabled)
    show_phase(*left, server_phase::disconnected);
  else if (left != nullptr)
    connect(*left);
  if (ending == hub_end_phase::closing && leaving.empty())
    all_closed();
}

void mcp_hub_state::on_exit(const caf::exit_msg& msg) {
  if (!msg.source || msg.source == parent || msg.source == self->address()) {
    if (msg.reason != caf::exit_reason::normal)
      self->quit(msg.reason);
    return;
  }
  for (const auto& [server, connection] : leaving)
    if (connection.address() == msg.source)
      return on_left(std::string{server}, msg.source);
  for (auto* each : order)
    if (each->connection && each->connection.address() == msg.source)
      return on_crash(*each);
}

void mcp_hub_state::on_crash(hub_server& server) {
  server.connection = nullptr;
  failure lost{errc::server_lost, ""};
  lose_calls(server, lost);
  questions.drop(server.config.name);
  forgive(server);
  auto delay = reconnect_delay(server.crashes++);
  server.restart_due = self->clock().now() + delay;
  self->delayed_send(self, delay, atom::restart_v, server.config.name);
  auto status = server.status; // the connection cannot tell this itself any more
  status.health = server_health::error;
  status.phase = server_phase::waiting_to_reconnect;
  status.attempt = server.crashes;
  status.error = lost.code;
  status.error_text = lost.text();
  status.offered = {};
  status.resources = {};
  status.prompts = {};
  show(server, std::move(status));
}

void mcp_hub_state::forgive(hub_server& server) const {
  if (server.status.health == server_health::success &&
      self->clock().now() - server.up_since >= stable_after)
    server.crashes = 0;
}

void mcp_hub_state::on_restart(const std::string& server) {
  auto* crashed = find(server);
  if (crashed != nullptr && self->clock().now() >= crashed->restart_due)
    connect(*crashed);
}

void mcp_hub_state::on_down(const caf::actor_addr& who) {
  watchers.remove(who);
  questions.decline_unanswerable();
  for (auto call : leases.held_by(who))
    cancel(call, "caller ended");
  leases.forget(who);
}

// -- the end -------------------------------------------------------------------------------------

caf::result<atom::done> mcp_hub_state::on_disconnect() {
  if (ending == hub_end_phase::over)
    return atom::done_v;
  auto promise =
      waiters.add(hub_milestone::disconnected, self->make_response_promise<atom::done>());
  if (ending == hub_end_phase::none) {
    ending = hub_end_phase::waiting_for_calls;
    close_when_idle();
  }
  return promise;
}

void mcp_hub_state::close_when_idle() {
  if (ending != hub_end_phase::waiting_for_calls || leases.active_flow_count() > 0)
    return;
  ending = hub_end_phase::closing;
  for (auto* each : order)
    close(*each);
  if (leaving.empty())
    all_closed();
}

void mcp_hub_state::all_closed() {
  auto finish = [this] {
    ending = hub_end_phase::over;
    waiters.answer(hub_milestone::disconnected);
  };
  for (auto* each : order)
    show_phase(*each, server_phase::disconnected);
  auto store = whereis<resource_store_actor>(self->system(), resource_store_name);
  if (!store)
    return finish();
  self->request(store, clear_limit, atom::clear_v)
      .then([finish](atom::done) { finish(); }, [finish](const caf::error&) { finish(); });
}

} // namespace troupe

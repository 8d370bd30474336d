#include "apps/engine/engine_impl.hpp"

#include <iterator>
#include <utility>

#include <caf/logger.hpp>
#include <fmt/format.h>

#include "actors/files/file_store.hpp"
#include "actors/mcp_hub/mcp_hub.hpp"
#include "actors/model/model_limiter.hpp"
#include "actors/model/sampling_responder.hpp"
#include "actors/resources/resource_store.hpp"
#include "actors/session_hub/session_hub.hpp"
#include "actors/store/conversation_reader.hpp"
#include "actors/store/conversation_store.hpp"
#include "actors/telemetry/telemetry.hpp"
#include "actors/tool_output/tool_output_store.hpp"
#include "apps/engine/configuration/server_entry.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "apps/engine/library/conversation_importer.hpp"
#include "apps/engine/library/mcp_event_callback.hpp"
#include "apps/engine/library/mcp_log.hpp"
#include "messages/cluster/cluster_store.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/version.hpp"
#include "transport/http_server/listener.hpp"
#include "transport/loop/loop_scheduler.hpp"
#include "transport/postgres/postgres_store.hpp"
#include "transport/sqlite/sqlite_store.hpp"
#include "transport/store/store_copy.hpp"

namespace troupe {

// -- actor setup ----------------------------------------------------------------------------------

namespace {

/// Messages that an actor may read before others get their turn.
constexpr size_t max_throughput = 100;

/// Returns the actors that run on the shard of their asker. Every turn asks them, and on a shard of
/// their own each question would wake two threads. A session begins where its hub runs, which is
/// then the shard of the client that made it. The MCP hub must not roam: its connections have to
/// live on the shards of their channels.
roaming_names asked_by_all() {
  return {"troupe.session_hub", "troupe.telemetry", "troupe.model_limiter",
          "troupe.resource_store"};
}

} // namespace

actor_setup::actor_setup(const std::string& scheduler, shards& on) {
  add_message_types<caf::id_block::troupe>();
  set("scheduler.max-throughput", max_throughput);
  if (scheduler == "loop") {
    load_loop_scheduler(*this, on, asked_by_all());
    return;
  }
  set("scheduler.policy", scheduler == "sharing" ? caf::atom("sharing") : caf::atom("stealing"));
  set("scheduler.max-threads", on.size());
}

loops_without_logger::~loops_without_logger() {
  for (size_t i = 0; i < of_.size(); ++i)
    of_.at(i).call([] { caf::logger::set_current_actor_system(nullptr); });
}

// -- engine impl ----------------------------------------------------------------------------------

namespace {

/// How long the keys may take to be read before the first request is let in.
constexpr std::chrono::seconds start_limit{5};

constexpr std::string_view open_warning =
    "there are no API keys: whoever reaches this address may use everything, and run programs";

failure open_address(std::string_view address) {
  return {errc::config_invalid,
          fmt::format("{} can be reached from other machines, and without API keys whoever reaches "
                      "it may use everything, and run programs as this user. Turn keys on "
                      "(\"auth\": {{\"keys\": true}} and troupe keys create --owner NAME), or "
                      "listen on 127.0.0.1, or allow it with --anyone or auth.anyone",
                      address)};
}

/// Half a store must not look like a whole one, whose missing chats are lost.
failure half_copy(store_port& opened, const store_settings& from) {
  failure ignored; // whoever uses the store meets it, too
  const auto way = opened.open(durability::normal, ignored);
  if (!way)
    return {};
  return unfinished_copy(*way, from.url.empty() ? from.folder : opened.path());
}

std::unique_ptr<store_port> open_store(const engine_config& in) {
  if (!in.store.keeps())
    return nullptr;
  failure why;
  std::unique_ptr<store_port> opened;
  if (in.store.url.empty()) {
    sqlite_options options;
    options.quota = in.limits.owner;
    opened = open_sqlite_store(in.store.folder, why, options);
  } else {
    postgres_options options;
    options.quota = in.limits.owner;
    options.cluster = in.cluster;
    options.version = version;
    opened = open_postgres_store(in.store.url, why, options);
  }
  if (opened)
    why = half_copy(*opened, in.store);
  if (why)
    throw start_error{std::move(why)};
  return opened;
}

/// @param store nullptr: chats are not kept
std::shared_ptr<const chat_settings> sessions_of(const engine_config& in, http_port& http,
                                                 store_port* store) {
  auto out = std::make_shared<chat_settings>();
  out->http = &http;
  out->models = in.models;
  out->default_model = in.default_model;
  if (out->default_model.empty() && !in.models.empty())
    out->default_model = in.models.begin()->first;
  out->aliases = in.model_aliases;
  out->system_prompt = in.system_prompt;
  out->limits = in.limits.turn;
  out->chats = in.limits.chats;
  out->keeps = in.store.keeps();
  out->waits_saved = in.store.durable != durability::none;
  out->shares = store != nullptr && store->shared();
  if (out->shares && store->cluster() != nullptr)
    out->lease = store->cluster()->lease();
  out->has_quota = in.limits.owner.any();
  out->error_details = in.shows_error_details();
  out->log = in.log;
  return out;
}

std::shared_ptr<const cluster_counts> nodes_of(store_port* store) {
  auto* cluster = store == nullptr ? nullptr : store->cluster();
  return cluster == nullptr ? nullptr : cluster->counts();
}

} // namespace

engine::impl::impl(engine_config given)
    : config(std::move(given)), loops(config.shards), http(loops), channels(loops, http),
      scripted(script_if_needed()), store(open_store(config)), setup(config.scheduler, loops),
      system(setup), host(system), api(system, config, route_tables(), [this] { return load(); }) {}

void engine::impl::start() {
  logger_guard guard;
  api.reach(http);
  if (in_cluster())
    api.join(store->cluster());
  if (!store) // with a store the reader hands them over, see reader_child()
    api.keys()->update({{}, config.auth.own});
  supervisor = spawn_supervisor(system, children(), {}, config.log);
  caf::scoped_actor self{system}; // users of the engine must find its hubs registered
  self->request(supervisor, caf::infinite, atom::status_v)
      .receive([](atom::done) {}, [](const caf::error&) {});
  if (store) // it answers after it has closed the turns that the last process left running
    ask<store_status, conversation_store_actor>(conversation_store_name, start_limit,
                                                atom::status_v);
  if (config.auth.keys && store) // it answers after it has handed the keys over
    ask<key_list, conversation_reader_actor>(conversation_reader_name, start_limit, list_keys{});
  join_nodes();
  log_start();
}

void engine::impl::log_start() {
  if (store && !store->notice().empty())
    write_log(config.log.get(), log_level::warning, "store",
              log_line{}.add("state", "notice").add("message", store->notice()));
  if (takes(config.log.get(), log_level::warning))
    mcp_log = spawn_mcp_event_callback(system, mcp_log_writer(config.log), {.from_now_on = false});
  if (!takes(config.log.get(), log_level::info))
    return;
  log_line line;
  line.add("version", version).add("shards", loops.size());
  line.add("models", config.models.size()).add("mcpServers", config.mcp_servers.size());
  if (store)
    line.add("data", config.store.url.empty() ? config.store.folder : store->path())
        .add("durability", to_string(config.store.durable));
  if (config.cluster)
    line.add("node", config.cluster->node);
  write_log(config.log.get(), log_level::info, "start", line);
}

/// A failed listen() leaves no state, so it can be tried again with another address.
failure engine::impl::serve(std::string_view address) {
  const std::lock_guard guard{listening};
  if (ending)
    return {errc::shutting_down, ""};
  if (server)
    return {errc::address_unavailable,
            fmt::format("the engine listens already, on port {}", server->port())};
  const bool is_open = !config.auth.keys && !is_loopback(address);
  if (is_open && !config.auth.anyone)
    return open_address(address);
  config.listen = address; // requests may name this host, see is_known_host()
  auto made = std::make_unique<http_server>(
      loops, config.limits.server,
      [this](server_request&& request, std::shared_ptr<http_response> response) {
        api.answer(std::move(request), std::move(response));
      },
      [this](const server_request& request) { return api.permit(request); });
  if (auto bad = made->listen(address))
    return bad;
  server = std::move(made);
  serving = server.get();
  log_line line;
  line.add("address", address).add("port", server->port());
  write_log(config.log.get(), log_level::info, "listening", line);
  if (is_open)
    write_log(config.log.get(), log_level::warning, "open_address",
              log_line{}.add("address", address).add("message", open_warning));
  return {};
}

client_load engine::impl::load() const {
  const auto* on = serving.load();
  return on != nullptr ? on->load() : client_load{};
}

engine::impl::~impl() {
  if (supervisor)
    caf::anon_send_exit(supervisor, caf::exit_reason::user_shutdown);
}

std::unique_ptr<scripted_model> engine::impl::script_if_needed() {
  if (!config.models.empty())
    return nullptr;
  auto model = std::make_unique<scripted_model>(loops, 0, false); // its port takes no key
  if (auto bad = model->listen("127.0.0.1:0"))
    throw start_error{std::move(bad)};
  auto offered = scripts();
  if (is_script(config.default_model)) // "paced-50" is in no list
    offered.push_back({config.default_model, {}});
  for (const auto& script : offered) {
    model_config entry;
    entry.name = script.name;
    entry.base_url = model->base_url();
    config.models.emplace(script.name, std::move(entry));
  }
  if (!config.models.contains(config.default_model))
    config.default_model = "demo";
  return model;
}

namespace {

/// @param keeps changes of servers outlive the process
mcp_hub_config hub_of(const engine_config& config, mcp_port& servers, bool keeps) {
  mcp_hub_config made{&servers, {}, config.mcp_always_prefix, {}, {}, {}, config.log};
  if (config.mcp)
    made.servers = config.mcp_servers;
  if (keeps && config.mcp)
    made.entries = {print_server_entry, parse_server_entry};
  made.keeps_tools = config.limits.turn.approval.any();
  return made;
}

resource_store_config resources_of(const engine_config& config) {
  resource_store_config made;
  made.cache_ttl = config.resource_ttl;
  made.cache_entries = config.resource_entries;
  made.error_details = config.shows_error_details();
  made.log = config.log;
  return made;
}

child_spec file_store_child(const engine_config& config, store_port& store) {
  file_store_config files{config.store.folder + "/files", config.limits.files, {}};
  if (config.store.folder.empty())
    files.open = [&store] { return store.open_files(); };
  return make_child(file_store_name,
                    [files](auto& parent) { return spawn_file_store(parent, files); });
}

} // namespace

std::vector<child_spec> engine::impl::children() {
  auto shared = sessions_of(config, http, store.get());
  auto tools = hub_of(config, servers(), store != nullptr);
  tools.sample = [shared](caf::local_actor& hub, const client_ask& ask) {
    return spawn_sampling_responder(hub, shared, ask);
  };
  auto turns = std::make_shared<running_turn_count>();
  session_hub_config sessions{shared, turns};
  std::vector<child_spec> out{make_child(
      telemetry_name, [log = config.log](auto& parent) { return spawn_telemetry(parent, log); })};
  if (store) { // before the actors that use it
    out.push_back(store_child(turns));
    out.push_back(reader_child());
    add_cluster(out, turns);
    out.push_back(make_child(conversation_importer_name, [settings = config.store](auto& parent) {
      return spawn_conversation_importer(parent, settings);
    }));
    out.push_back(file_store_child(config, *store));
  }
  std::vector<child_spec> others{
      make_child(mcp_hub_name, [tools](auto& parent) { return spawn_mcp_hub(parent, tools); }),
      make_child(resource_store_name,
                 [resources = resources_of(config)](auto& parent) {
                   return spawn_resource_store(parent, resources);
                 }),
      make_child(tool_output_store_name,
                 [outputs = tool_output_config{config.tool_output_folder}](auto& parent) {
                   return spawn_tool_output_store(parent, outputs);
                 }),
      make_child(model_limiter_name,
                 [nodes = nodes_of(store.get())](auto& parent) {
                   return spawn_model_limiter(parent, nodes);
                 }),
      make_child(session_hub_name,
                 [sessions](auto& parent) { return spawn_session_hub(parent, sessions); }),
  };
  std::move(others.begin(), others.end(), std::back_inserter(out));
  return out;
}

child_spec engine::impl::store_child(std::shared_ptr<const running_turn_count> turns) {
  conversation_store_config made;
  made.port = store.get();
  made.durable = config.store.durable;
  made.turns = std::move(turns);
  made.log = config.log;
  return make_child(conversation_store_name,
                    [made](auto& parent) { return spawn_conversation_store(parent, made); });
}

child_spec engine::impl::reader_child() {
  conversation_reader_config made;
  made.port = store.get();
  if (config.auth.keys)
    made.keys_changed = [keys = api.keys(), own = config.auth.own](key_list list) {
      // Only a damaged row has no owner; it must not open the chats of single-user mode.
      std::erase_if(list.keys, [](const api_key& key) { return key.owner.empty(); });
      list.keys.insert(list.keys.end(), own.begin(), own.end());
      keys->update(list);
    };
  auto out = make_child(conversation_reader_name,
                        [made](auto& parent) { return spawn_conversation_reader(parent, made); });
  out.drops_queue = true; // whoever asked is gone by then
  return out;
}

} // namespace troupe

#include "actors/mcp_hub/mcp_hub_keeping.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "actors/registry.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Clients wait 5 s for a change. They are told of a silent store before that.
constexpr std::chrono::seconds save_limit{4};
/// This is generous: the store is open before the hub starts.
constexpr std::chrono::seconds load_limit{4};
/// Between two attempts to load.
constexpr std::chrono::seconds load_again_after{1};

failure no_store() {
  return {errc::store_failed, "The store is not running."};
}

} // namespace

mcp_hub_keeping::~mcp_hub_keeping() {
  for (auto& each : changes_)
    each.promise.deliver(failure{errc::server_lost, "The MCP hub was restarted; see whether the "
                                                    "change was made, and try again."});
}

void mcp_hub_keeping::start(mcp_entry_format format,
                            const std::vector<mcp_server_config>& configured) {
  if (!format.print)
    return;
  settings_ = mcp_hub_settings{std::move(format), configured};
  phase_ = phase::loading;
  load();
}

// -- loading -------------------------------------------------------------------------------------

void mcp_hub_keeping::load() {
  load_due_.reset();
  auto store = whereis<conversation_store_actor>(hub_.self->system(), conversation_store_name);
  if (!store)
    return on_not_loaded(no_store());
  hub_.self->request(store, load_limit, list_settings{std::string{mcp_setting_prefix}})
      .then(
          [this](setting_list& kept) {
            if (kept.error)
              on_not_loaded(std::move(kept.error));
            else
              on_loaded(kept);
          },
          [this](const caf::error&) {
            on_not_loaded({errc::store_timeout, "The store does not answer."});
          });
}

void mcp_hub_keeping::on_tick() {
  if (load_due_ && hub_.self->clock().now() >= *load_due_)
    load();
}

void mcp_hub_keeping::on_loaded(setting_list& kept) {
  const auto tools =
      std::stable_partition(kept.settings.begin(), kept.settings.end(), [](const auto& each) {
        return each.key.starts_with(server_setting_prefix);
      });
  const std::vector<setting> of_tools{tools, kept.settings.end()};
  kept.settings.erase(tools, kept.settings.end());
  const auto ends = hub_.ending != hub_end_phase::none;
  if (!ends)
    follow(settings_.apply(kept.settings));
  const auto before = std::exchange(phase_, phase::ready);
  if (!ends)
    recall_tools(of_tools);
  if (before == phase::loading)
    connect_all();
  keep_next();
}

/// Settings may be kept although they cannot be read. Changes would overwrite them, so changes are
/// refused from now on.
void mcp_hub_keeping::on_not_loaded(failure why) {
  why_ = std::move(why);
  load_due_ = hub_.self->clock().now() + load_again_after;
  hub_.self->delayed_send(hub_.self, load_again_after, atom::tick_v);
  if (std::exchange(phase_, phase::waiting) == phase::loading) {
    note("", "kept settings cannot be read yet: " + why_.text());
    connect_all();
  }
  keep_next();
}

/// Makes the servers those that are wanted.
void mcp_hub_keeping::follow(mcp_hub_settings::result wanted) {
  std::vector<std::string> names, gone;
  for (auto& each : wanted.servers) {
    names.push_back(each.name);
    auto* known = hub_.find(each.name);
    if (known == nullptr || !settings_.same(known->config, each))
      hub_.put(std::move(each));
  }
  for (const auto* each : hub_.order)
    if (std::find(names.begin(), names.end(), each->config.name) == names.end())
      gone.push_back(each->config.name);
  for (const auto& each : gone)
    hub_.remove(*hub_.find(each));
  for (size_t i = 0; i < names.size(); ++i)
    hub_.order[i] = hub_.find(names[i]);
  hub_.sets.invalidate();
  for (const auto& each : wanted.dropped)
    drop(each);
  for (const auto& each : wanted.unreadable)
    note(each, "its kept settings cannot be read, and are ignored");
}

/// Kept definitions are older than those of this process.
void mcp_hub_keeping::recall_tools(const std::vector<setting>& kept) {
  if (!hub_.config.keeps_tools)
    return;
  for (auto* server : hub_.order) {
    const auto key = std::string{tools_setting_prefix}.append(server->config.name);
    const auto found = std::ranges::find(kept, key, &setting::key);
    std::string_view base, tools;
    const json_source text{found == kept.end() ? std::string_view{} : found->value};
    read_members(text.root(), {{"base", &base}, {"tools", &tools}});
    if (kind_of(tools) != json_kind::object ||
        json_string(base) != settings_.hash_of(server->config)) {
      keep_tools(*server);
      continue;
    }
    server->seen.read(tools);
    if (!server->known->tools.empty())
      hub_.look_at_tools(*server);
  }
}

void mcp_hub_keeping::keep_tools(const hub_server& server) {
  if (phase_ == phase::ready && hub_.config.keeps_tools && !server.seen.empty())
    put_unwatched({std::string{tools_setting_prefix}.append(server.config.name),
                   fmt::format(R"({{"base":"{}","tools":{}}})", settings_.hash_of(server.config),
                               server.seen.json())});
}

void mcp_hub_keeping::forget_tools(const std::string& server) {
  if (phase_ == phase::ready && hub_.config.keeps_tools)
    put_unwatched({std::string{tools_setting_prefix}.append(server), ""});
}

void mcp_hub_keeping::put_unwatched(setting value) {
  if (auto store = whereis<conversation_store_actor>(hub_.self->system(), conversation_store_name))
    hub_.self->request(store, save_limit, std::move(value))
        .then([](const failure&) {}, [](const caf::error&) {});
}

void mcp_hub_keeping::connect_all() {
  for (auto* each : hub_.order)
    hub_.connect(*each);
  hub_.settle();
}

void mcp_hub_keeping::drop(const std::string& server) {
  note(server, "its kept settings are dropped: the configuration has changed since");
  put_unwatched(setting_of_server(server, "")); // else the next start does it
}

void mcp_hub_keeping::note(const std::string& server, std::string_view what) const {
  log_line line;
  line.add_if_given("server", server).add("what", what);
  write_log(hub_.config.log.get(), log_level::warning, "mcp_settings", line);
}

// -- changes -------------------------------------------------------------------------------------

caf::result<failure> mcp_hub_keeping::on_put(put_server& put) {
  if (phase_ != phase::in_memory)
    return queue(std::move(put));
  auto bad = hub_.check_put(put);
  if (!bad)
    hub_.put(std::move(put.config));
  return bad;
}

caf::result<failure> mcp_hub_keeping::on_change(const change_server& change) {
  if (phase_ == phase::in_memory || change.verb == server_verb::retry)
    return hub_.on_change(change);
  return queue(change);
}

caf::result<failure> mcp_hub_keeping::queue(server_change what) {
  auto promise = hub_.self->make_response_promise<failure>();
  changes_.push_back({std::move(what), promise});
  keep_next();
  return promise;
}

void mcp_hub_keeping::keep_next() {
  while (phase_ != phase::loading && !saving_ && !changes_.empty()) {
    std::optional<setting> value;
    if (auto bad = phase_ == phase::waiting ? why_ : begin(changes_.front().what, value))
      end_next(std::move(bad));
    else if (value)
      save(*value);
    else
      end_next({}); // it is so already
  }
}

failure mcp_hub_keeping::begin(const server_change& what, std::optional<setting>& out) {
  if (const auto* put = std::get_if<put_server>(&what)) {
    auto bad = hub_.check_put(*put);
    return bad ? bad : settings_.keep(put->config, out.emplace());
  }
  const auto& change = std::get<change_server>(what);
  if (hub_.ending != hub_end_phase::none)
    return {errc::shutting_down, ""};
  const auto* known = hub_.find(change.server);
  if (known == nullptr)
    return hub_.unknown(change.server);
  if (change.verb == server_verb::remove) {
    out = settings_.remove(change.server);
    return {};
  }
  auto config = known->config;
  config.enabled = change.verb == server_verb::enable;
  return config.enabled == known->config.enabled ? failure{}
                                                 : settings_.keep(config, out.emplace());
}

void mcp_hub_keeping::save(const setting& value) {
  auto store = whereis<conversation_store_actor>(hub_.self->system(), conversation_store_name);
  if (!store)
    return end_next(no_store());
  saving_ = true;
  hub_.self->request(store, save_limit, value)
      .then([this](failure& why) { on_saved(std::move(why)); },
            [this](const caf::error&) { on_silence(); });
}

void mcp_hub_keeping::on_saved(failure why) {
  saving_ = false;
  if (!why)
    make(changes_.front().what);
  end_next(std::move(why));
  keep_next();
}

/// The store may have kept the change or not. Reading all settings again shows it.
void mcp_hub_keeping::on_silence() {
  saving_ = false;
  phase_ = phase::waiting;
  why_ = {errc::store_timeout, "The store does not answer."};
  end_next({errc::store_timeout, "The store does not answer; the change may still be made."});
  load();
  keep_next();
}

void mcp_hub_keeping::make(server_change& what) {
  if (hub_.ending != hub_end_phase::none)
    return; // it is for the next start
  if (auto* put = std::get_if<put_server>(&what))
    hub_.put(std::move(put->config));
  else
    hub_.on_change(std::get<change_server>(what));
}

void mcp_hub_keeping::end_next(failure how) {
  auto ended = std::move(changes_.front());
  changes_.pop_front();
  ended.promise.deliver(std::move(how));
}

} // namespace troupe

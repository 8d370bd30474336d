#include "apps/engine/engine.hpp"

#include <mutex>
#include <system_error>

#include "actors/session/subscriber.hpp"
#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/engine_impl.hpp"
#include "apps/engine/library/blocking_request.hpp"
#include "apps/engine/library/callback_sink.hpp"
#include "apps/engine/library/event_range_impl.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

/// How long a hub may take to answer a question that needs no waiting.
constexpr std::chrono::seconds count_limit{5};

engine_config checked(engine_config config) {
  auto bad = check_config(config);
  if (!bad)
    bad = check_servers(config.mcp_servers);
  if (bad)
    throw std::invalid_argument{bad.text()};
  for (auto& [name, model] : config.models)
    if (model.name.empty())
      model.name = name;
  bound_times(config);
  return config;
}

} // namespace

engine::engine(engine_config config) try
    : impl_(std::make_unique<impl>(checked(std::move(config)))) {
  impl_->start();
} catch (const std::system_error& what) { // of the event loops
  throw start_error{{errc::internal, what.what()}};
}

engine::~engine() {
  shutdown(milliseconds{0});
}

void engine::start_turn(turn_request request, event_callback deliver) {
  if (!deliver)
    throw std::invalid_argument{"a turn needs a callback for its events"};
  logger_guard guard;
  spawn_subscriber(impl_->system, std::move(request),
                   std::make_unique<callback_sink>(std::move(deliver), impl_->config.log));
}

event_range engine::stream(turn_request request) {
  logger_guard guard;
  return event_range{std::make_unique<event_range::impl>(impl_->system, std::move(request))};
}

event_range engine::view(const std::string& session_id, uint64_t after_seq) {
  logger_guard guard;
  return event_range{std::make_unique<event_range::impl>(
      impl_->system, watch_turn{session_id, "", after_seq, true, 0})};
}

void engine::abort(const std::string& session_id, const std::string& reason) {
  impl_->tell_sessions(abort_turn{session_id, "", reason});
}

void engine::answer_approvals(const std::string& session_id, std::vector<tool_approval> approvals) {
  impl_->tell_sessions(troupe::answer_approvals{session_id, std::move(approvals)});
}

failure engine::listen(std::string_view address) {
  const auto& auth = impl_->config.auth;
  if (auth.keys && auth.own.empty() && !impl_->store)
    return {errc::config_invalid, "auth.keys needs a data folder, which has the keys: set `data`"};
  return impl_->serve(address);
}

uint16_t engine::port() const {
  const auto* server = impl_->serving.load();
  return server != nullptr ? server->port() : 0;
}

bool engine::wait_for_servers(milliseconds limit) {
  return impl_->ask<atom::done, mcp_hub_for_operators>(mcp_hub_name, limit, atom::settled_v)
      .has_value();
}

bool engine::wait_for_lists(milliseconds limit) {
  return impl_->ask<atom::done, mcp_hub_for_operators>(mcp_hub_name, limit, atom::listed_v)
      .has_value();
}

mcp_host& engine::mcp() {
  return impl_->host;
}

conversations& engine::conversations() {
  return impl_->kept;
}

engine_status engine::status() {
  engine_status out;
  if (auto counts = impl_->ask<session_counts, session_hub_actor>(session_hub_name, count_limit,
                                                                  atom::status_v)) {
    out.sessions = counts->sessions;
    out.running_turns = counts->running_turns;
    out.turns = counts->turns;
  }
  if (auto list =
          impl_->ask<server_list, mcp_hub_for_callers>(mcp_hub_name, count_limit, atom::status_v))
    out.active_flows = list->active_flows;
  out.connections = impl_->load().connections;
  return out;
}

void engine::shutdown(milliseconds drain_limit) {
  const auto limit = bounded(drain_limit);
  if (impl_->ending.exchange(true) && !impl_->ended) // hurries the shutdown that is under way
    impl_->wait_for_work(limit);
  std::call_once(impl_->down, [&] {
    impl_->shut_down(limit);
    impl_->ended = true;
  });
}

bool engine::uses_scripted_model() const {
  return impl_->scripted != nullptr;
}

} // namespace troupe

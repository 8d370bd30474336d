#include "actors/session.hpp"

#include <utility>

#include "actors/ids.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/session_state.hpp"

namespace troupe {

namespace {

session_actor::behavior_type session(session_actor::stateful_pointer<session_state> self,
                                     session_hub_actor hub, std::string session_id,
                                     std::shared_ptr<const session_config> config) {
  auto& state = self->state;
  quiet(self);
  self->set_exit_handler([&state](caf::exit_msg& msg) { state.on_exit(msg); });
  state.hub = std::move(hub);
  state.session_id = std::move(session_id);
  state.config = std::move(config);
  return state.make_behavior();
}

} // namespace

session_actor spawn_session(session_hub_actor::pointer parent, std::string session_id,
                            std::shared_ptr<const session_config> config) {
  return parent->spawn<caf::monitored>(session, caf::actor_cast<session_hub_actor>(parent),
                                       std::move(session_id), std::move(config));
}

session_actor::behavior_type session_state::make_behavior() {
  return {
      [this](start_turn& ask) { on_start(ask); },
      [this](const abort_turn& ask) { on_abort(ask); },
      [this](const grant_credit& more) { on_credit(more); },
      [this](const watch_turn& ask) { on_watch(ask); },
      [this](const leave_turn& leaving) { on_leave(leaving); },
      [this](const answer_approvals& answers) { on_approvals(answers); },
      [this](atom::tick) { on_tick(); },
      [this](model_output& output) { on_model(output); },
      [this](const tool_snapshot& tools) { on_tools(tools); },
      [this](tool_outcome& outcome) { on_outcome(outcome); },
      [this](const tool_progress& report) { on_progress(report); },
      [this](const client_ask& ask) { on_client_ask(ask); },
      [this](atom::expire) { on_expire(); },
      [this](atom::restart) { on_hub_restart(); },
  };
}

// -- a turn begins --------------------------------------------------------------------------------

void session_state::on_start(start_turn& ask) {
  auto client = caf::actor_cast<subscriber_actor>(self->current_sender());
  if (current)
    return refuse(client, errc::session_busy, "");
  auto& options = ask.request.options;
  if (options.model.empty())
    options.model = config->default_model;
  model = config->models.find(options.model);
  if (model == config->models.end())
    return refuse(client, errc::model_unknown, unknown_model_text(options.model));
  if (auto bad = continuation_fault(ask.request))
    return refuse(client, bad.code, bad.message);
  begin(ask);
}

void session_state::refuse(const subscriber_actor& client, errc error, std::string text) {
  self->send(client, turn_refused{error, std::move(text)});
  self->send(hub, turn_ended{session_id});
}

std::string session_state::unknown_model_text(const std::string& asked) const {
  std::string text = "There is no model called '" + asked + "'; known are:";
  for (const auto& each : config->models)
    text += ' ' + each.first;
  return text;
}

void session_state::begin(start_turn& ask) {
  auto& request = ask.request;
  if (request.turn_id.empty())
    request.turn_id = make_id("turn_");
  take_messages(request);
  if (!config->system_prompt.empty() && (history.empty() || history[0].who != role::system))
    history.insert(history.begin(), {role::system, config->system_prompt, {}, {}, {}});
  viewers.open(session_id, request, config->max_log_bytes);
  viewers.add_owner(caf::actor_cast<subscriber_actor>(self->current_sender()), ask.credit);
  current.emplace(std::move(request), config->limits, history);
  attaching = prompting = false;
  current->begin(now(), std::exchange(resumed, {}));
  ask_for_tools();
  advance();
}

// -- the turn goes on -----------------------------------------------------------------------------

void session_state::on_credit(const grant_credit& more) {
  viewers.grant(caf::actor_cast<caf::actor_addr>(self->current_sender()), more.events);
  if (!current)
    return viewers.flush(); // of a turn that is over
  advance();
}

void session_state::on_watch(const watch_turn& ask) {
  auto client = caf::actor_cast<subscriber_actor>(self->current_sender());
  if (!viewers.add(client, ask, !current || current->over()))
    self->send(client, turn_refused{errc::turn_not_running, ""});
}

void session_state::on_leave(const leave_turn&) {
  on_viewer_gone(caf::actor_cast<caf::actor_addr>(self->current_sender()));
}

/// Only the one who asked for a turn takes it along.
void session_state::on_viewer_gone(const caf::actor_addr& who) {
  auto was_owner = viewers.remove(who);
  if (!current)
    return;
  if (was_owner && !current->request().options.resumable) {
    cancel_calls("client");
    current->abort("client");
  }
  advance();
}

void session_state::on_abort(const abort_turn& ask) {
  if (!current && !ask.turn_id.empty() && self->current_sender() != self->ctrl())
    return self->send(self, ask); // it may have overtaken its turn
  if (!current || (!ask.turn_id.empty() && ask.turn_id != current->request().turn_id))
    return;
  cancel_calls(ask.reason);
  current->abort(ask.reason);
  if (ask.reason == replaced_reason)
    viewers.release_owner(); // the next turn waits for nobody
  advance();
}

/// Does what the turn wants done, and lets events out.
void session_state::advance() {
  if (!current)
    return;
  run_calls();
  if (current->take_model_request())
    start_model();
  viewers.append(current->take_events());
  if (viewers.full())
    end_at_log_limit();
  auto ends = current->over() && viewers.settles();
  if (ends) // before the client can know of it: its next turn must not find this one running
    self->send(hub, turn_ended{session_id});
  viewers.flush();
  control_flow();
  if (current->over())
    stop_stream();
  if (ends)
    end_turn();
}

/// What can not be replayed is not resumable, and nobody may be there to read it as it comes.
void session_state::end_at_log_limit() {
  if (current->over())
    return;
  cancel_calls("limit");
  current->fail(
      {errc::turn_limit_reached, "The turn has more events than can be kept for resuming."});
  viewers.append(current->take_events());
}

// -- the turn ends --------------------------------------------------------------------------------

void session_state::end_turn() {
  if (auto telemetry = whereis<telemetry_actor>(self->system(), telemetry_name))
    self->send(telemetry, current->take_report(now()));
  current.reset();
  viewers.close();
}

void session_state::on_exit(const caf::exit_msg& msg) {
  if (msg.source == self->address() || (hub && msg.source == hub->address()))
    return self->quit(msg.reason);
  if (stream && msg.source == stream->address()) {
    stream = nullptr;
    if (current && msg.reason != caf::exit_reason::normal)
      current->fail({errc::internal, ""});
    return advance();
  }
  on_viewer_gone(msg.source);
}

/// Viewers that have still to get something of an ended turn must not take this for its end.
void session_state::on_expire() {
  if (!current)
    self->quit(viewers.idle() ? caf::exit_reason::normal : caf::exit_reason::user_shutdown);
}

} // namespace troupe

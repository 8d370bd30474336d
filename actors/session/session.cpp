#include "actors/session/session.hpp"

#include <utility>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/session/session_state.hpp"
#include "messages/ids.hpp"

namespace troupe {

namespace {

handover_session_actor::behavior_type
session(handover_session_actor::stateful_pointer<session_state> self, session_hub_actor hub,
        std::string session_id, std::shared_ptr<const chat_settings> config) {
  auto& state = self->state;
  quiet(self);
  self->set_exit_handler([&state](caf::exit_msg& msg) { state.on_exit(msg); });
  self->set_exception_handler([&state](caf::scheduled_actor*, std::exception_ptr& thrown) {
    return state.on_crash(thrown);
  });
  state.hub = std::move(hub);
  state.session_id = std::move(session_id);
  state.config = std::move(config);
  state.persistence.configure(*state.config);
  return state.make_behavior();
}

std::string unknown_model_text(const chat_settings& config, const std::string& asked) {
  std::string text = "There is no model called '" + asked + "'; known are:";
  for (const auto& each : config.models)
    text += ' ' + each.first;
  return text;
}

} // namespace

session_actor spawn_session(session_hub_actor::pointer parent, std::string session_id,
                            std::shared_ptr<const chat_settings> config) {
  return parent->spawn<caf::monitored>(session, caf::actor_cast<session_hub_actor>(parent),
                                       std::move(session_id), std::move(config));
}

/// Handlers of messages that come with every token are first: CAF tries one after the other.
handover_session_actor::behavior_type session_state::make_behavior() {
  return {
      [this](model_output& output) { on_model(output); },
      [this](const fallback_due& due) { on_fallback(due); },
      [this](const tool_snapshot& tools) { preparation.on_tools(tools); },
      [this](start_turn& ask) { on_start(ask); },
      [this](const save_answer& answer) { on_saved(answer); },
      [this](tool_outcome& outcome) { calls.on_outcome(outcome); },
      [this](const tool_progress& report) { calls.on_progress(report); },
      [this](const abort_turn& ask) { on_abort(ask); },
      [this](const grant_credit& more) { on_credit(more); },
      [this](const watch_turn& ask) { on_watch(ask); },
      [this](const leave_turn& leaving) { on_leave(leaving); },
      [this](const answer_approvals& answers) { calls.on_approvals(answers); },
      [this](atom::tick) { calls.on_tick(); },
      [this](const client_ask& ask) { calls.on_client_ask(ask); },
      [this](atom::expire) { on_expire(); },
      [this](atom::restart) { on_hub_restart(); },
      [this](chat_record& record) { on_record(record); },
      [this](atom::save, const failure& why) { on_store(why); },
      [this](atom::restart, uint64_t incarnation) { on_node_lost(incarnation); },
      [this](const sink_handover& handover) {
        viewers.take_over(caf::actor_cast<caf::actor_addr>(self->current_sender()), handover);
      },
  };
}

// -- a turn begins --------------------------------------------------------------------------------

void session_state::on_start(start_turn& ask) {
  auto client = caf::actor_cast<subscriber_actor>(self->current_sender());
  if (current || persistence.waiting()) // the hub did not send it, and is not told
    return self->send(client, turn_refused{errc::session_busy, ""});
  if (ask.request.turn_id.empty())
    ask.request.turn_id = make_id("turn_");
  if (!persistence.prepare(ask.request))
    return accept(ask, client);
  self->link_to(client); // as to one whose turn runs
  waiting.owner = std::move(client);
  persistence.wait(std::move(ask));
  load();
}

/// @param client empty: it has left
void session_state::accept(start_turn& ask, const subscriber_actor& client,
                           const loading_turn* loaded) {
  // As the client sent it: where the turn has to begin once more, the chat's overrides are others.
  const auto is_again = loaded != nullptr && loaded->is_again;
  if (config->shares && persistence.keeps_turn() && !is_again)
    waiting.unclaimed = std::make_unique<unclaimed_turn>(unclaimed_turn{ask, client});
  choose_defaults(ask.request);
  const auto& asked = ask.request.options.model;
  model = config->models.find(asked);
  const auto bad = model == config->models.end()
                       ? failure{errc::model_unknown, unknown_model_text(*config, asked)}
                       : request_fault(ask.request);
  if (!bad)
    return begin(ask, client, loaded);
  waiting.unclaimed.reset();
  refuse(client, bad.code, bad.message);
}

void session_state::refuse(const subscriber_actor& client, errc error, std::string text) {
  if (client)
    self->send(client, turn_refused{error, std::move(text)});
  tell_over();
}

void session_state::begin(start_turn& ask, const subscriber_actor& client,
                          const loading_turn* loaded) {
  auto& request = ask.request;
  auto resumed = take_messages(request);
  viewers.open(session_id, request, config->chats.max_log_bytes);
  if (client)
    viewers.add_owner(client, ask.credit);
  persistence.begin(request, history.size(), loaded);
  current = std::make_unique<running_turn>(std::move(request), config->limits, history,
                                           [this] { return now(); });
  current->begins = history.size();
  current->begin(std::move(resumed));
  preparation.start();
  advance();
}

turn::time_point session_state::now() const {
  return self->clock().now();
}

// -- the turn goes on -----------------------------------------------------------------------------

void session_state::on_credit(const grant_credit& more) {
  const auto who = caf::actor_cast<caf::actor_addr>(self->current_sender());
  if (persistence.state() == chat_persistence::phase::loading)
    waiting.grant(who, more.events, persistence.waiting());
  viewers.grant(who, more.events);
  if (!current)
    return viewers.flush(); // of a turn that is over
  advance();
}

void session_state::on_watch(const watch_turn& ask) {
  auto client = caf::actor_cast<subscriber_actor>(self->current_sender());
  if (persistence.delays_viewers() && !current) {
    self->link_to(client); // it must hear of a crash
    waiting.viewers.push_back({std::move(client), ask});
    return load();
  }
  show(client, ask);
}

void session_state::show(const subscriber_actor& client, const watch_turn& ask) {
  if (!viewers.add(client, ask, !current || current->over()))
    self->send(client, turn_refused{errc::turn_not_running, ""});
}

void session_state::on_leave(const leave_turn&) {
  on_viewer_gone(caf::actor_cast<caf::actor_addr>(self->current_sender()));
}

/// Only the client that asked for a turn ends it by leaving.
void session_state::on_viewer_gone(const caf::actor_addr& who) {
  if (persistence.state() == chat_persistence::phase::loading)
    leave_early(who);
  auto was_owner = viewers.remove(who);
  if (!current)
    return;
  if (was_owner && !current->request().options.resumable) {
    calls.cancel_all("client");
    current->abort("client");
  }
  advance();
}

void session_state::on_abort(const abort_turn& ask) {
  if (auto* start = persistence.waiting())
    return start->abort(ask);
  if (!current && !ask.turn_id.empty() && self->current_sender() != self->ctrl())
    return self->send(self, ask); // it may have overtaken its turn
  if (!current || (!ask.turn_id.empty() && ask.turn_id != current->request().turn_id))
    return;
  calls.cancel_all(ask.reason);
  current->abort(ask.reason);
  if (ask.reason == replaced_reason)
    viewers.release_owner(); // the next turn waits for nobody
  advance();
}

/// The README of the room has a drawing. The turn's first and last events, calls and model requests
/// wait until the store has what comes before them.
void session_state::advance() {
  if (!current)
    return;
  take_events();
  if (persistence.keeps_turn())
    save();
  if (!waits())
    do_work();
  auto ends = current->over() && !waits() && viewers.settles();
  if (ends) // before the client can know of it: its next turn must not find this one running
    tell_over();
  viewers.flush();
  control_flow();
  if (current->over()) {
    stop_stream();
    preparation.stop();
  }
  if (ends)
    end_turn();
}

void session_state::take_events() {
  if (persistence.keeps_turn())
    note_changes();
  if (persistence.holds_begin(history.size()) && !current->over())
    return;
  auto more = current->take_events();
  if (current->over() && waits())
    persistence.hold_end(more);
  viewers.append(std::move(more));
  if (!viewers.full() || current->over())
    return;
  // A turn that cannot be replayed is not resumable, and it may have no viewer now.
  calls.cancel_all("limit");
  current->fail(
      {errc::turn_limit_reached, "The turn has more events than can be kept for resuming."});
  take_events();
}

void session_state::do_work() {
  calls.run();
  preparation.go_on();
  if (current->take_model_request())
    start_model();
  if (auto held = persistence.take_held(); !held.empty())
    viewers.append(std::move(held));
}

void session_state::on_hub_restart() {
  if (!current)
    return;
  calls.on_hub_restart();
  preparation.on_hub_restart();
  advance();
}

// -- the turn ends --------------------------------------------------------------------------------

void session_state::tell_over() {
  tell_rounds();
  self->send(hub, turn_ended{session_id, persistence.tell_over(history.size())});
}

void session_state::end_turn() {
  auto report = persistence.has_ended() ? persistence.take_report() : current->take_report();
  if (auto telemetry = whereis<telemetry_actor>(self->system(), telemetry_name))
    self->send(telemetry, std::move(report));
  current.reset();
  viewers.close();
  if (persistence.state() == chat_persistence::phase::outdated)
    forget_chat();
}

/// Reports a turn that cannot end any more: its session ends. Returns whether it did.
bool session_state::report_lost_turn() {
  if (!current)
    return false;
  auto report = persistence.has_ended() ? persistence.take_report() : current->take_report();
  if (report.error == errc::none) {
    report.error = errc::internal;
    report.reason = finish_reason::error;
  }
  current.reset();
  if (auto telemetry = whereis<telemetry_actor>(self->system(), telemetry_name))
    self->send(telemetry, std::move(report));
  return true;
}

/// The hub reports a turn that had not begun here, or that there was no memory to report.
caf::error session_state::on_crash(const std::exception_ptr& thrown) {
  try {
    auto why = fail_request(self, thrown);
    if (report_lost_turn())
      return why;
  } catch (...) { // NOLINT(bugprone-empty-catch): the reason tells the hub
  }
  return caf::exit_reason::unhandled_exception;
}

void session_state::on_exit(const caf::exit_msg& msg) {
  if (msg.source == self->address() || (hub && msg.source == hub->address())) {
    report_lost_turn();
    return self->quit(msg.reason);
  }
  if (stream && msg.source == stream->address()) {
    stream = nullptr;
    if (current && msg.reason != caf::exit_reason::normal)
      current->fail({errc::internal, ""});
    return advance();
  }
  on_viewer_gone(msg.source);
}

/// A viewer that has not got all of an ended turn must not take this exit for the turn's end.
void session_state::on_expire() {
  if (current || persistence.waiting())
    return;
  if (!persistence.may_expire()) {
    persistence.tell_unsaved();
    self->send(hub, expire_refused{session_id});
    return save();
  }
  refuse_waiting({errc::turn_not_running, ""});
  self->quit(viewers.idle() ? caf::exit_reason::normal : caf::exit_reason::user_shutdown);
}

} // namespace troupe

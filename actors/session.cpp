#include "actors/session.hpp"

#include <iterator>
#include <utility>

#include "actors/history.hpp"
#include "actors/ids.hpp"
#include "actors/message_extras.hpp"
#include "actors/model_stream.hpp"
#include "actors/quiet.hpp"
#include "actors/session_state.hpp"
#include "actors/urgent.hpp"

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
      [this](const grant_credit& more) { on_credit(more.events); },
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
  subscriber = std::move(client);
  self->link_to(subscriber);
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
  if (request.message_id.empty())
    request.message_id = make_id("msg_");
  take_messages(request);
  repair_history(history);
  if (!config->system_prompt.empty() && (history.empty() || history[0].who != role::system))
    history.insert(history.begin(), {role::system, config->system_prompt, {}, {}, {}});
  out.open(session_id, request.turn_id, ask.credit);
  current.emplace(std::move(request), config->limits, history);
  attaching = false;
  current->begin();
  ask_for_tools();
  advance();
}

void session_state::take_messages(turn_request& request) {
  auto& messages = request.messages;
  if (request.replaces_history) {
    has_extras = has_extras && carry_extras(history, messages);
    history = std::move(messages);
  } else {
    std::move(messages.begin(), messages.end(), std::back_inserter(history));
  }
  messages.clear();
}

// -- the turn goes on -----------------------------------------------------------------------------

void session_state::on_model(model_output& output) {
  if (current)
    current->on_model(output);
  advance();
}

void session_state::on_credit(uint32_t events) {
  out.grant(events);
  advance();
}

void session_state::on_abort(const abort_turn& ask) {
  if (!current || (!ask.turn_id.empty() && ask.turn_id != current->request().turn_id))
    return;
  cancel_calls(ask.reason);
  current->abort(ask.reason);
  advance();
}

/// Does what the turn wants done, and lets events out.
void session_state::advance() {
  if (!current)
    return;
  for (auto& call : current->take_calls())
    start_call(call);
  if (current->take_model_request())
    start_model();
  out.append(current->take_events());
  auto batch = out.take();
  auto ends = current->over() && out.waiting() == 0;
  if (ends) // before the client can know of it: its next turn must not find this one running
    self->send(hub, turn_ended{session_id});
  if (!batch.events.empty())
    self->send(subscriber, std::move(batch));
  control_flow();
  if (current->over())
    stop_stream();
  if (ends)
    end_turn();
}

void session_state::start_model() {
  const auto* provider = find_provider(model->second.provider);
  auto prefix = current->request().turn_id + '_' + std::to_string(current->round()) + '_';
  model_stream_config spec;
  spec.http = config->http;
  spec.request = provider->make_request({model->second, history, current->tools().rendered, 0});
  spec.decoder = provider->make_decoder(std::move(prefix));
  spec.round = current->round();
  paused = false;
  stream = spawn_model_stream(*self, caf::actor_cast<model_reader_actor>(self), std::move(spec));
}

/// A client without credit pauses its own upstream, nobody else's.
void session_state::control_flow() {
  auto full = out.waiting() > 0;
  if (full == paused || !stream)
    return;
  paused = full;
  self->send(stream, flow_control{paused});
}

// -- the turn ends --------------------------------------------------------------------------------

void session_state::stop_stream() {
  if (!stream)
    return;
  exit_now(stream, self->address(), caf::exit_reason::user_shutdown);
  stream = nullptr;
}

void session_state::end_turn() {
  current.reset();
  subscriber = nullptr;
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
  if (subscriber && msg.source == subscriber->address() && current) {
    cancel_calls("client");
    current->abort("client");
    out.release(); // nobody reads any more
    advance();
  }
}

void session_state::on_expire() {
  if (!current)
    self->quit();
}

} // namespace troupe

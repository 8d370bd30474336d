#include "actors/session_hub.hpp"

#include <iterator>
#include <utility>

#include "actors/quiet.hpp"
#include "actors/session_hub_state.hpp"

namespace troupe {

namespace {

session_hub_actor::behavior_type
session_hub(session_hub_actor::stateful_pointer<session_hub_state> self,
            session_hub_config config) {
  auto& state = self->state;
  quiet(self);
  self->set_exit_handler([&state](caf::exit_msg& msg) {
    if (msg.reason == caf::exit_reason::normal)
      return;
    state.end_sessions();
    state.self->quit(msg.reason);
  });
  self->set_exception_handler([&state](caf::scheduled_actor*, std::exception_ptr& thrown) {
    state.end_sessions();
    return error_of(thrown);
  });
  self->set_down_handler([&state](caf::down_msg& msg) { state.on_down(msg); });
  state.config = std::move(config);
  return state.make_behavior();
}

} // namespace

session_hub_actor spawn_session_hub(caf::local_actor& parent, session_hub_config config) {
  return parent.spawn<caf::linked>(session_hub, std::move(config));
}

session_hub_actor::behavior_type session_hub_state::make_behavior() {
  return {
      [this](start_turn& ask) { on_start(ask); },
      [this](const abort_turn& ask) { on_abort(ask); },
      [this](const grant_credit& more) { pass_on(more.session_id, more); },
      [this](const watch_turn& ask) { on_watch(ask); },
      [this](const leave_turn& leaving) { pass_on(leaving.session_id, leaving); },
      [this](const answer_approvals& answers) { pass_on(answers.session_id, answers); },
      [this](const turn_ended& ended) { on_ended(ended.session_id); },
      [this](atom::status) {
        return session_counts{sessions.size(), running, turns, draining};
      },
      [this](atom::drain, caf::timespan limit) { return on_drain(limit); },
      [this](atom::expire) { on_timer(); },
  };
}

// -- turns ----------------------------------------------------------------------------------------

void session_hub_state::on_start(start_turn& ask) {
  if (draining)
    return refuse(errc::shutting_down);
  auto known = find_or_add(ask.request.session_id);
  if (known == sessions.end())
    return refuse(errc::too_many_sessions);
  auto client = caf::actor_cast<subscriber_actor>(self->current_sender());
  if (known->second.running)
    return on_busy(known->second, std::move(client), ask);
  run(known->second, client, ask);
}

/// Hands over as from the client: the session is to answer it.
void session_hub_state::run(entry& where, const subscriber_actor& client, start_turn& ask) {
  idle.erase(where.place);
  where.running = true;
  where.ephemeral = ask.request.ephemeral;
  where.client = caf::actor_cast<caf::strong_actor_ptr>(client);
  ++running;
  ++turns;
  watch_tools();
  auto* session = caf::actor_cast<caf::abstract_actor*>(where.handle);
  session->eq_impl(caf::make_message_id(), where.client, self->context(), std::move(ask));
}

void session_hub_state::refuse(errc error) {
  refuse(caf::actor_cast<subscriber_actor>(self->current_sender()), error);
}

void session_hub_state::refuse(const subscriber_actor& client, errc error) {
  self->send(client, turn_refused{error, ""});
}

/// Hands over, so that the session sees who sent it.
template <class Message>
void session_hub_state::pass_on(const std::string& id, const Message& message) {
  if (auto found = sessions.find(id); found != sessions.end())
    self->delegate<caf::message_priority::high>(found->second.handle, message);
}

void session_hub_state::on_watch(const watch_turn& ask) {
  if (!sessions.count(ask.session_id))
    return refuse(errc::turn_not_running);
  pass_on(ask.session_id, ask);
}

void session_hub_state::on_ended(const std::string& id) {
  auto found = sessions.find(id);
  if (found == sessions.end() || !found->second.running)
    return;
  found->second.running = false;
  found->second.client = nullptr;
  found->second.idle_since = now();
  found->second.place = idle.insert(idle.end(), id);
  if (found->second.ephemeral)
    expire(found);
  turn_over(id);
  watch_idle();
}

void session_hub_state::turn_over(const std::string& id) {
  --running;
  run_next(id);
  if (running == 0)
    all_drained();
}

// -- turns of a chat that is still answering ------------------------------------------------------

void session_hub_state::on_busy(const entry& where, subscriber_actor client, start_turn& ask) {
  const auto& id = ask.request.session_id;
  auto policy = ask.request.options.when_busy;
  auto bound = config.session->max_waiting_turns;
  if (policy == busy_policy::abort)
    ++bound; // those who only wait do not stand in its way
  if (policy == busy_policy::refuse || waiting.count(id) >= bound)
    return refuse(client, errc::session_busy);
  if (policy == busy_policy::abort)
    replace(where, id);
  self->monitor(client);
  waiting.add(std::move(client), std::move(ask));
}

/// Not urgent: it must not overtake the start of the turn that it is for.
void session_hub_state::replace(const entry& where, const std::string& id) {
  self->send(where.handle, abort_turn{id, "", replaced_reason});
}

/// Starts the next turn of a chat whose turn is over, also when its session is gone.
void session_hub_state::run_next(const std::string& id) {
  auto next = waiting.take(id);
  if (!next)
    return;
  self->demonitor(next->client.address());
  auto known = find_or_add(id);
  if (known == sessions.end())
    return refuse(next->client, errc::too_many_sessions);
  run(known->second, next->client, next->ask);
  if (waiting.next_aborts(id))
    replace(known->second, id);
}

void session_hub_state::on_abort(const abort_turn& ask) {
  auto waited = waiting.take(ask.session_id, ask.turn_id);
  if (!waited)
    return pass_on(ask.session_id, ask);
  self->demonitor(waited->client.address());
  refuse(waited->client, errc::aborted);
}

void session_hub_state::refuse_waiting() {
  for (auto& each : waiting.take_all()) {
    self->demonitor(each.client.address());
    refuse(each.client, errc::shutting_down);
  }
}

// -- sessions -------------------------------------------------------------------------------------

session_hub_state::sessions_map::iterator session_hub_state::find_or_add(const std::string& id) {
  auto known = sessions.find(id);
  if (known != sessions.end() || !make_room())
    return known;
  auto handle = spawn_session(self, id, config.session);
  by_address.emplace(handle.address(), id);
  auto place = idle.insert(idle.end(), id);
  entry made{std::move(handle), false, false, place, now(), nullptr};
  return sessions.emplace(id, std::move(made)).first;
}

/// Lets the session that was idle for longest go, when there are too many.
bool session_hub_state::make_room() {
  if (sessions.size() < config.max_sessions)
    return true;
  if (idle.empty())
    return false;
  expire(sessions.find(idle.front()));
  return true;
}

void session_hub_state::expire(sessions_map::iterator which) {
  self->send(which->second.handle, atom::expire_v);
  forget(which);
}

void session_hub_state::forget(sessions_map::iterator gone) {
  if (!gone->second.running)
    idle.erase(gone->second.place);
  by_address.erase(gone->second.handle.address());
  sessions.erase(gone);
}

} // namespace troupe

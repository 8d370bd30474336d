#include "actors/session_hub/session_hub.hpp"

#include <utility>

#include "actors/quiet.hpp"
#include "actors/session_hub/session_hub_state.hpp"
#include "messages/chat/session_id.hpp"

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
    state.end_all();
    state.self->quit(msg.reason);
  });
  self->set_exception_handler([&state](caf::scheduled_actor* who, std::exception_ptr& thrown) {
    state.end_all();
    return fail_request(who, thrown);
  });
  self->set_down_handler([&state](caf::down_msg& msg) { state.on_down(msg); });
  state.config = std::move(config);
  *state.config.turns = 0; // the turns of a crashed hub are over
  state.places.clear();
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
      [this](const turn_ended& ended) { on_ended(ended); },
      [this](unseen_rounds& told) { on_rounds(told); },
      [this](const chat_saved& saved) { on_saved(saved); },
      [this](const expire_refused& refused) { on_expire_refused(refused); },
      [this](const end_session& ask) { return on_end_session(ask); },
      [this](atom::status) {
        const auto drains = unready() == errc::shutting_down;
        return session_counts{living(), *config.turns, turns, drains, is_cut_off()};
      },
      [this](atom::drain, caf::timespan limit) { return shutdown.on_drain(limit); },
      [this](atom::restart, uint64_t incarnation) { on_node_lost(incarnation); },
      [this](const find_busy_chats& ask) { return busy_of(ask); },
      [this](atom::expire) { on_timer(); },
  };
}

// -- turns ----------------------------------------------------------------------------------------

/// Gives no answer: the client hears of the turn by its events.
void session_hub_state::on_start(start_turn& ask) {
  begin(caf::actor_cast<subscriber_actor>(self->current_sender()), ask, false);
  self->make_response_promise(); // so that CAF sends no answer
}

/// @param has_place among all nodes; else it is asked for if the turn needs one
void session_hub_state::begin(const subscriber_actor& client, start_turn& ask, bool has_place) {
  if (const auto error = unready(); error != errc::none)
    return refuse(client, error);
  auto known = sessions.find(ask.request.session_id);
  if (known != sessions.end() && ask.request.ephemeral && config.session->keeps &&
      !known->second.stale && known->second.phase != session_phase::ending)
    return refuse(client, errc::session_busy); // an ephemeral turn must not touch a kept chat
  if (known != sessions.end() && (known->second.phase == session_phase::running ||
                                  known->second.phase == session_phase::ending))
    return on_busy(known->second, client, ask);
  if (!admits(ask.request))
    return refuse(client, errc::too_many_turns);
  if (!has_place && places.needs(ask.request)) {
    places.ask(client, ask);
    return;
  }
  if (known == sessions.end())
    known = find_or_add(ask.request.session_id);
  if (known == sessions.end())
    return refuse(client, errc::too_many_sessions);
  run(known->second, client, ask);
}

/// Returns whether the owner may have one more turn run.
bool session_hub_state::admits(const turn_request& request) const {
  return request.concurrent_turns == 0 ||
         running.of(owner_of(request.session_id)) < request.concurrent_turns;
}

/// Sends in the client's name: the session answers the client. A session at rest then runs on this
/// thread, near the client that asks now.
void session_hub_state::run(session_entry& where, const subscriber_actor& client, start_turn& ask) {
  leave_phase(where);
  where.phase = session_phase::running;
  where.stale |= ask.request.ephemeral;
  where.client = caf::actor_cast<caf::strong_actor_ptr>(client);
  where.turn_id = ask.request.turn_id;
  if (ask.request.ephemeral)
    where.asked = rounds.restore(ask.request, now());
  running.add(owner_of(ask.request.session_id));
  ++*config.turns;
  ++turns;
  services.watch_tools();
  services.watch_store();
  caf::send_as(client, where.handle, std::move(ask));
}

void session_hub_state::refuse(const subscriber_actor& client, errc error) {
  self->send(client, turn_refused{error, ""});
}

/// Delegates, so that the session sees the sender.
template <class Message>
void session_hub_state::pass_on(const std::string& id, const Message& message) {
  if (auto found = sessions.find(id); found != sessions.end())
    self->delegate<caf::message_priority::high>(found->second.handle, message);
}

// -- turns that wait ------------------------------------------------------------------------------

/// The chat's turn still runs, or its session ends. In the second case only the next session may
/// run the turn, because it loads what the old session has saved.
void session_hub_state::on_busy(const session_entry& where, subscriber_actor client,
                                start_turn& ask) {
  const auto& id = ask.request.session_id;
  auto policy = ask.request.options.when_busy;
  auto leaving = where.phase == session_phase::ending || where.deleted;
  auto bound = config.session->chats.max_waiting_turns;
  if (policy == busy_policy::abort)
    ++bound; // turns that only wait do not stand in its way
  auto is_next = leaving && waiting.count(id) == 0;
  if (!is_next && (policy == busy_policy::refuse || waiting.count(id) >= bound))
    return refuse(client, errc::session_busy);
  if (policy == busy_policy::abort && !leaving)
    self->send(where.handle, abort_turn{id, "", replaced_reason});
  self->monitor(client);
  waiting.add(std::move(client), std::move(ask));
}

/// Not urgent, as in on_busy(): it must not overtake the start of the turn that it aborts.
void session_hub_state::replace_if_next_aborts(const std::string& id) {
  if (waiting.next_aborts(id))
    self->send(sessions.find(id)->second.handle, abort_turn{id, "", replaced_reason});
}

/// Starts the next turn of a chat whose turn is over, also when its session is gone.
void session_hub_state::run_next(const std::string& id) {
  auto known = sessions.find(id);
  if (known != sessions.end() && (known->second.phase == session_phase::running ||
                                  known->second.phase == session_phase::ending))
    return;
  while (auto next = waiting.take(id)) {
    handing = next->client;
    self->demonitor(next->client.address());
    auto admitted = admits(next->ask.request);
    if (admitted && places.needs(next->ask.request)) {
      handing = nullptr;
      if (places.ask(next->client, next->ask))
        return; // continues when there is an answer
      continue;
    }
    if (admitted)
      known = find_or_add(id);
    if (!admitted || known == sessions.end()) {
      refuse(next->client, admitted ? errc::too_many_sessions : errc::too_many_turns);
      handing = nullptr;
      continue;
    }
    run(known->second, next->client, next->ask);
    handing = nullptr;
    return replace_if_next_aborts(id);
  }
}

void session_hub_state::on_abort(const abort_turn& ask) {
  auto known = sessions.find(ask.session_id);
  auto runs = known != sessions.end() && known->second.phase == session_phase::running;
  auto waited = waiting.take(ask.session_id, ask.turn_id);
  if (!waited && !runs && ask.turn_id.empty())
    waited = waiting.take(ask.session_id); // the turn waits for the end of the old session
  if (!waited)
    if (const auto client = places.take([&](const turn_request& is) {
          return is.session_id == ask.session_id &&
                 (ask.turn_id.empty() ? !runs : is.turn_id == ask.turn_id);
        }))
      return refuse(client, errc::aborted);
  if (waited) {
    self->demonitor(waited->client.address());
    return refuse(waited->client, errc::aborted);
  }
  if (runs && (ask.turn_id.empty() || ask.turn_id == known->second.turn_id))
    return pass_on(ask.session_id, abort_turn{ask.session_id, known->second.turn_id, ask.reason});
  if (self->current_sender() != self->ctrl())
    self->send(self, ask); // it may have overtaken the start of its turn
  else
    pass_on(ask.session_id, ask);
}

void session_hub_state::refuse_waiting(errc error) {
  while (const auto client = places.take([](const auto&) { return true; }))
    refuse(client, error);
  for (auto& each : waiting.take_all()) {
    self->demonitor(each.client.address());
    refuse(each.client, error);
  }
}

// -- viewers --------------------------------------------------------------------------------------

void session_hub_state::on_watch(const watch_turn& ask) {
  auto known = sessions.find(ask.session_id);
  if (known == sessions.end()) {
    if (!config.session->keeps || shutdown.begun())
      return refuse(caf::actor_cast<subscriber_actor>(self->current_sender()),
                    errc::turn_not_running);
    return wake(ask, self->make_response_promise());
  }
  if (known->second.phase != session_phase::ending)
    return pass_on(ask.session_id, ask);
  held.emplace_back(ask, self->make_response_promise());
}

/// The last turn of the chat may have been interrupted: only a session that has loaded it knows.
void session_hub_state::wake(const watch_turn& ask, caf::response_promise viewer) {
  auto made = shutdown.begun() ? sessions.end() : find_or_add(ask.session_id, true);
  if (made != sessions.end()) {
    watch_idle();
    services.watch_store();
    viewer.delegate(made->second.handle, ask);
    return;
  }
  refuse(caf::actor_cast<subscriber_actor>(viewer.source()),
         shutdown.begun() ? errc::turn_not_running : errc::too_many_sessions);
  viewer.deliver(caf::unit);
}

void session_hub_state::wake_held(const std::string& id) {
  for (auto each = held.begin(); each != held.end();) {
    if (each->first.session_id != id) {
      ++each;
      continue;
    }
    wake(each->first, each->second);
    each = held.erase(each);
  }
}

// -- sessions -------------------------------------------------------------------------------------

session_hub_state::sessions_map::iterator session_hub_state::find_or_add(const std::string& id,
                                                                         bool woken) {
  auto known = sessions.find(id);
  if (known != sessions.end() || !make_room())
    return known;
  auto handle = spawn_session(self, id, config.session);
  known = sessions.try_emplace(id).first;
  auto& [key, made] = *known;
  made.handle = std::move(handle);
  made.place = idle.add(key, now(), woken);
  by_address.emplace(made.handle.address(), &key);
  return known;
}

/// Lets a session without a turn go, when there are too many.
bool session_hub_state::make_room() {
  if (living() < config.session->chats.max_sessions)
    return true;
  if (idle.empty())
    return false;
  expire(sessions.find(*idle.first_to_go().id));
  return true;
}

} // namespace troupe

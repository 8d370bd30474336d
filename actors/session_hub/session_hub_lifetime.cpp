// How sessions end: after their idle time, because somebody asks, by a crash, with the hub.
#include <algorithm>

#include "actors/registry.hpp"
#include "actors/session_hub/free_memory.hpp"
#include "actors/session_hub/session_hub_state.hpp"
#include "actors/urgent.hpp"

namespace troupe {

namespace {

constexpr auto deleted_reason = "deleted";

/// Below this a map is not worth shrinking.
constexpr size_t few_buckets = 1024;

/// Gives buckets back: a map keeps those of all entries that it ever had. Returns whether it did.
template <class Map>
bool shrink(Map& map) {
  if (map.bucket_count() <= few_buckets || map.size() >= map.bucket_count() / 8)
    return false;
  map.rehash(0);
  return true;
}

} // namespace

/// Sessions are not linked to the hub: a link is an entry in the hub's list of attachables, which
/// every monitor and demonitor walks. So the hub calls this wherever it ends. A client that has
/// heard from its session ignores the refusal.
void session_hub_state::end_all() {
  refuse_waiting(errc::internal);
  if (handing)
    refuse(handing, errc::internal);
  for (auto& [ask, viewer] : held)
    refuse(caf::actor_cast<subscriber_actor>(viewer.source()), errc::internal);
  for (auto& [id, where] : sessions) {
    if (where.client)
      refuse(caf::actor_cast<subscriber_actor>(where.client), errc::internal);
    exit_now(where.handle, self->address(), caf::exit_reason::user_shutdown);
  }
}

/// Moves a session on that has no turn any more, or that was told to end and cannot yet.
void session_hub_state::settle(sessions_map::iterator which, bool has_unsaved) {
  auto& where = which->second;
  auto before = where.phase;
  if (where.deleted && (has_unsaved || before == session_phase::ending))
    return kill(which);
  if (has_unsaved) {
    where.stale |= answer_ends(which->first, {errc::session_busy, ""});
    leave_phase(where);
    where.phase = session_phase::unsaved;
    ++unsaved;
    return services.watch_store();
  }
  if (before == session_phase::idle)
    return;
  if (where.stale || where.deleted || before == session_phase::ending)
    return expire(which);
  leave_phase(where);
  where.phase = session_phase::idle;
  where.place = idle.add(which->first, now(), false);
  watch_idle();
}

void session_hub_state::expire(sessions_map::iterator which) {
  leave_phase(which->second);
  which->second.phase = session_phase::ending;
  ++ending;
  self->send(which->second.handle, atom::expire_v);
  services.watch_store(); // its last save may be under way
}

/// Ends a session that has nothing to save.
void session_hub_state::kill(sessions_map::iterator which) {
  leave_phase(which->second);
  which->second.phase = session_phase::ending;
  ++ending;
  exit_now(which->second.handle, self->address(), caf::exit_reason::user_shutdown);
}

void session_hub_state::leave_phase(session_entry& where) {
  if (where.phase == session_phase::idle)
    idle.remove(where.place);
  else if (where.phase == session_phase::unsaved)
    --unsaved;
  else if (where.phase == session_phase::ending)
    --ending;
}

void session_hub_state::forget(sessions_map::iterator gone) {
  leave_phase(gone->second);
  by_address.erase(gone->second.handle.address());
  sessions.erase(gone);
  shrink(by_address);
  if (shrink(sessions)) // the process would keep the memory of the many sessions before
    give_back_free_memory();
}

// -- because somebody asks ------------------------------------------------------------------------

caf::result<failure> session_hub_state::on_end_session(const end_session& ask) {
  auto found = sessions.find(ask.session_id);
  if (found == sessions.end())
    return failure{};
  auto& where = found->second;
  if (ask.aborts) {
    delete_session(found);
  } else if (where.phase == session_phase::idle) {
    expire(found);
  } else if (where.phase != session_phase::ending && !where.deleted) {
    where.stale = true; // the next turn will see the change
    return failure{errc::session_busy, ""};
  }
  auto answer = self->make_response_promise<failure>();
  ends[ask.session_id].push_back(answer);
  return answer;
}

/// The running turn may tell its clients that it ends. Unsaved changes are not needed any more.
void session_hub_state::delete_session(sessions_map::iterator which) {
  auto& [id, where] = *which;
  where.deleted = true;
  while (auto waits = waiting.take(id)) {
    self->demonitor(waits->client.address());
    refuse(waits->client, errc::aborted);
  }
  if (where.phase == session_phase::unsaved)
    return kill(which);
  if (where.phase == session_phase::idle)
    expire(which);
  else if (where.phase == session_phase::running)
    self->send<caf::message_priority::high>(where.handle,
                                            abort_turn{id, where.turn_id, deleted_reason});
  overdue.emplace_back(now() + abort_grace, where.handle.address());
  self->delayed_send(self, abort_grace, atom::expire_v);
}

/// Returns whether there was anybody to answer.
bool session_hub_state::answer_ends(const std::string& id, const failure& with) {
  auto asked = ends.extract(id);
  if (asked.empty())
    return false;
  for (auto& each : asked.mapped())
    each.deliver(with);
  return true;
}

void session_hub_state::end_overdue() {
  auto later = [this](const auto& each) { return each.first > now(); };
  auto end = std::find_if(overdue.begin(), overdue.end(), later);
  for (auto each = overdue.begin(); each != end; ++each)
    if (auto known = by_address.find(each->second); known != by_address.end())
      exit_now(sessions.find(*known->second)->second.handle, self->address(),
               caf::exit_reason::user_shutdown);
  overdue.erase(overdue.begin(), end);
}

// -- idle sessions --------------------------------------------------------------------------------

// Sessions never end on their own. If they did, a start_turn already in the mailbox could arrive at
// a dead session.

void session_hub_state::watch_idle() {
  if (idle.empty() || idle_alarm != never)
    return;
  idle_alarm = idle.oldest().since + config.session->chats.session_idle;
  self->delayed_send(self, idle_alarm - now(), atom::expire_v);
}

void session_hub_state::end_idle() {
  if (idle_alarm > now())
    return;
  idle_alarm = never;
  while (!idle.empty() && idle.oldest().since + config.session->chats.session_idle <= now())
    expire(sessions.find(*idle.oldest().id));
  watch_idle();
}

// -- rounds that clients do not have --------------------------------------------------------------

/// Rounds are kept as long as an idle session would be.
void session_hub_state::tidy_rounds() {
  if (const auto next = rounds.tidy(now(), config.session->chats.session_idle))
    self->delayed_send(self, *next - now(), atom::expire_v);
}

// -- timers ---------------------------------------------------------------------------------------

/// All timers send the same message, so each part looks whether its time has come.
void session_hub_state::on_timer() {
  end_idle();
  tidy_rounds();
  end_overdue();
  services.on_timer();
  shutdown.on_timer();
}

// -- crashes --------------------------------------------------------------------------------------

void session_hub_state::on_down(const caf::down_msg& msg) {
  auto known = by_address.find(msg.source);
  if (known != by_address.end())
    on_session_down(sessions.find(*known->second), msg.reason);
  else if (!waiting.drop(msg.source) && !places.drop(msg.source))
    services.on_down(msg);
}

void session_hub_state::on_session_down(sessions_map::iterator gone, const caf::error& reason) {
  auto id = gone->first;
  if (gone->second.phase == session_phase::running &&
      reason == caf::exit_reason::unhandled_exception)
    report_crashed_turn(gone->first, gone->second);
  auto was_running = gone->second.phase == session_phase::running;
  auto client = caf::actor_cast<subscriber_actor>(gone->second.client);
  forget(gone);
  answer_ends(id, {});
  if (was_running) {
    refuse(client, errc::internal); // a client that has heard from its session ignores this
    turn_over(id);
  } else {
    run_next(id);
    shutdown.look_if_drained();
  }
  wake_held(id);
}

/// A session reports the turn with which it crashes, unless it had not begun it, or had no memory.
void session_hub_state::report_crashed_turn(const std::string& id, const session_entry& of) {
  turn_report report;
  report.session_id = id;
  report.turn_id = of.turn_id;
  report.error = errc::internal;
  report.reason = finish_reason::error;
  if (auto telemetry = whereis<telemetry_actor>(self->system(), telemetry_name))
    self->send(telemetry, std::move(report));
}

} // namespace troupe

#include <algorithm>
#include <utility>

#include "actors/store/conversation_store_state.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

/// Time from a failure to the next probe.
constexpr milliseconds probe_delay{1000};
/// The shortest time between two pieces of upkeep while there is something to write.
constexpr milliseconds shortest_pause{15};
/// A pause is this many times as long as the upkeep before it: writes have most of the time.
constexpr int pause_factor = 4;
/// How often the store looks whether its database is still there.
constexpr milliseconds look_delay{1000};
/// The shortest time between two log lines about single writes that failed.
constexpr milliseconds log_pause{1000};

} // namespace

void conversation_store_state::start() {
  if (auto bad = repair())
    fail(bad);
  else
    wake_after(tidy_delay); // the last process may have left something to do
  self->delayed_send(self, look_delay, atom::look_v);
}

/// An open file that was deleted can be written as before, so that no write would fail.
void conversation_store_state::on_look() {
  self->delayed_send(self, look_delay, atom::look_v);
  if (!connection || status.error)
    return;
  commit();
  if (auto bad = connection->in_place())
    fail(bad);
}

/// Opens the connection or probes it. Returns why writing is not possible.
failure conversation_store_state::repair() {
  if (connection) {
    if (auto bad = connection->in_place())
      return bad;
    if (auto bad = connection->probe())
      return bad;
    return close_turns();
  }
  failure why;
  status.path = config.port->path();
  connection = config.port->open(config.durable, why);
  if (!connection)
    return why ? why : failure{errc::store_failed, ""};
  status.notice = config.port->notice();
  batch.emplace(*connection, status);
  return close_turns();
}

/// Marks turns that the last process left running as interrupted.
failure conversation_store_state::close_turns() {
  auto& memory = *config.memory;
  if (memory.turns_closed)
    return {};
  auto bad = connection->close_running_turns(memory.interrupted_turns);
  memory.turns_closed = !bad;
  return bad;
}

/// An unclassified error may be the fault of a single write; the store is fine if a probe succeeds.
bool conversation_store_state::works_after(const failure& bad) {
  return bad.code == errc::store_failed && !connection->probe();
}

void conversation_store_state::fail(const failure& why) {
  auto known = static_cast<bool>(status.error);
  status.error = why;
  wake_after(probe_delay);
  if (!known)
    log_state(log_level::error, "failing");
}

void conversation_store_state::on_tick() {
  waking = false;
  if (status.error)
    recover();
  else
    tidy();
}

void conversation_store_state::recover() {
  if (auto bad = repair())
    return fail(bad);
  status.error = {};
  log_state(log_level::warning, "recovered");
  wake_after(tidy_delay);
}

void conversation_store_state::tidy() {
  commit(); // upkeep is done outside of a transaction
  const auto before = std::exchange(tidied_writes, writes());
  const auto begin = now();
  auto more = false;
  if (connection->tidy(more))
    return wake_after(probe_delay); // if the error lasts, the next write reports it
  const auto pause = std::chrono::ceil<milliseconds>((now() - begin) * pause_factor);
  if (more)
    wake_after(tidied_writes == before ? milliseconds{0} : std::max(pause, shortest_pause));
}

/// Returns the number of writes taken up so far: committed, failed or in the batch.
uint64_t conversation_store_state::writes() const {
  return status.saves + status.failures + (batch ? batch->size() : 0);
}

void conversation_store_state::wake_after(milliseconds delay) {
  if (std::exchange(waking, true))
    return;
  if (delay == milliseconds{0})
    self->send(self, atom::tick_v);
  else
    self->delayed_send(self, delay, atom::tick_v);
}

void conversation_store_state::log_state(log_level level, std::string_view state) {
  if (!takes(config.log.get(), level))
    return;
  log_line line;
  line.add("state", state).add("path", status.path);
  if (status.error)
    line.add("error", status.error.code).add("message", status.error.text());
  write_log(config.log.get(), level, "store", line);
}

void conversation_store_state::log_failures(uint64_t count) {
  unlogged += count;
  if (!takes(config.log.get(), log_level::warning) || (logged && now() - *logged < log_pause))
    return;
  logged = now();
  const auto& last = batch->last_failure();
  log_line line;
  line.add("failures", std::exchange(unlogged, 0));
  line.add("error", last.code).add("message", last.text());
  write_log(config.log.get(), log_level::warning, "save_failed", line);
}

} // namespace troupe

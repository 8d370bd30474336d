#include "actors/supervisor.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "actors/quiet.hpp"
#include "actors/urgent.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

namespace {

using std::chrono::steady_clock;

struct supervisor_state {
  static inline const char* name = "troupe.supervisor";

  struct child {
    child_spec spec;
    caf::actor_addr running;
  };

  void start(child& which) {
    auto handle = which.spec.start(*self);
    which.running = caf::actor_cast<caf::actor_addr>(handle);
    self->system().registry().put(which.spec.name, handle);
  }

  void on_exit(const caf::exit_msg& msg) {
    auto found = std::find_if(children.begin(), children.end(), [&](const auto& each) {
      return each.running && each.running == msg.source;
    });
    if (found == children.end())
      return stop(msg.reason);
    self->system().registry().erase(found->spec.name);
    found->running = nullptr;
    if (msg.reason == caf::exit_reason::user_shutdown)
      return; // somebody told it to end
    auto restarting = may_restart();
    log_crash(*found, msg.reason, restarting);
    if (!restarting)
      return stop(msg.reason);
    auto delay = intensity.first_delay * (1 << (restarts.size() - 1));
    self->delayed_send(self, delay, atom::restart_v, found->spec.name);
  }

  void log_crash(const child& which, const caf::error& reason, bool restarting) {
    if (!takes(log.get(), log_level::error))
      return;
    log_line line;
    line.add("actor", caf::to_string(which.spec.name)).add("restarting", restarting);
    line.add("reason", self->system().render(reason));
    write_log(log.get(), log_level::error, "crash", line);
  }

  /// Counts the restart and returns whether it is within bounds.
  bool may_restart() {
    auto now = self->system().scheduler().clock().now();
    restarts.push_back(now);
    while (restarts.front() + intensity.period < now)
      restarts.pop_front();
    return restarts.size() <= intensity.restarts;
  }

  void on_restart(caf::atom_value name_of_child) {
    for (auto& each : children)
      if (each.spec.name == name_of_child && !each.running)
        start(each);
  }

  void end(const child_spec& which, const caf::actor& handle) {
    if (which.drops_queue)
      exit_now(handle, self->address(), caf::exit_reason::user_shutdown);
    else
      self->send_exit(handle, caf::exit_reason::user_shutdown);
  }

  /// Ends the children, the last started first, and then itself.
  void stop(const caf::error& reason) {
    for (auto each = children.rbegin(); each != children.rend(); ++each) {
      self->system().registry().erase(each->spec.name);
      if (auto handle = caf::actor_cast<caf::actor>(each->running))
        end(each->spec, handle);
    }
    self->quit(reason);
  }

  caf::event_based_actor* self = nullptr;
  std::vector<child> children;
  restart_intensity intensity;
  std::shared_ptr<log_port> log;
  std::deque<steady_clock::time_point> restarts; ///< within the period
};

caf::behavior supervisor(caf::stateful_actor<supervisor_state>* self,
                         std::vector<child_spec> children, restart_intensity intensity,
                         std::shared_ptr<log_port> log) {
  auto& state = self->state;
  quiet(self);
  self->set_exit_handler([&state](caf::exit_msg& msg) { state.on_exit(msg); });
  state.self = self;
  state.intensity = intensity;
  state.log = std::move(log);
  for (auto& each : children)
    state.children.push_back({std::move(each), nullptr});
  for (auto& each : state.children)
    state.start(each);
  return {
      [&state](atom::restart, caf::atom_value child) { state.on_restart(child); },
      [](atom::status) { return atom::done_v; },
  };
}

} // namespace

caf::actor spawn_supervisor(caf::actor_system& system, std::vector<child_spec> children,
                            restart_intensity intensity, std::shared_ptr<log_port> log) {
  return system.spawn(supervisor, std::move(children), intensity, std::move(log));
}

} // namespace troupe

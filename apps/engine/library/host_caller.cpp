#include "apps/engine/library/host_caller.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"

namespace troupe {

namespace {

struct host_caller_state {
  static inline const char* name = "troupe.host_caller";

  explicit host_caller_state(host_caller_actor::pointer ptr) : self{ptr} {}

  struct running_ask {
    caf::actor_addr whom;
    std::shared_ptr<pending<mcp_answer>> result;
  };

  host_caller_actor::behavior_type make_behavior() {
    quiet(self);
    self->set_down_handler([this](const caf::down_msg& msg) { on_down(msg.source); });
    return {
        [](const tool_snapshot&) {},
        [](const tool_outcome&) {}, // sinks get these
        [](const tool_progress&) {},
        [](const client_ask&) {},
        [this](request_job& job) { on_ask<mcp_hub_actor>(mcp_hub_name, job); },
        [this](read_job& job) { on_ask<resource_store_actor>(resource_store_name, job); },
    };
  }

  template <class Hub, class Job>
  void on_ask(caf::atom_value hub_name, Job& job) {
    auto& watching = hub_name == mcp_hub_name ? hub_watched : store_watched;
    auto hub = watched<Hub>(hub_name, watching);
    if (!hub)
      return;
    auto number = ++last_number;
    asks.emplace(number, running_ask{hub->address(), std::move(job.result)});
    // No deadline: connections have theirs, and on_down() sees the death of the hub.
    self->request(hub, caf::infinite, std::move(job.ask))
        .then([this, number](mcp_answer& answer) { answer_ask(number, std::move(answer)); },
              [this, number](const caf::error&) {
                answer_ask(number, {{errc::internal, ""}, {}});
              });
  }

  /// Returns a registered actor and monitors it for on_down().
  template <class Hub>
  Hub watched(caf::atom_value hub_name, caf::actor_addr& watching) {
    auto hub = whereis<Hub>(self->system(), hub_name);
    if (hub && hub->address() != watching) {
      watching = hub->address();
      self->monitor(hub);
    }
    return hub;
  }

  void answer_ask(uint64_t number, mcp_answer answer) {
    auto ask = asks.extract(number);
    if (!ask.empty())
      ask.mapped().result->answer(std::move(answer));
  }

  void on_down(const caf::actor_addr& who) {
    std::vector<uint64_t> lost;
    for (const auto& [number, ask] : asks)
      if (ask.whom == who)
        lost.push_back(number);
    for (auto number : lost)
      answer_ask(number, {{errc::server_lost, ""}, {}});
  }

  host_caller_actor::pointer self;
  uint64_t last_number = 0;
  std::unordered_map<uint64_t, running_ask> asks;
  caf::actor_addr hub_watched;
  caf::actor_addr store_watched;
};

host_caller_actor::behavior_type
host_caller(host_caller_actor::stateful_pointer<host_caller_state> self) {
  return self->state.make_behavior();
}

} // namespace

void result_sink::progress(const tool_progress& report) {
  try {
    if (progress_)
      progress_(report);
  } catch (...) {
    progress_ = nullptr; // it must not end the calls of others
  }
}

void result_sink::outcome(tool_outcome& how) {
  failure error{how.error, how.error == errc::none ? "" : how.text};
  result_->answer({std::move(error), std::move(how.text), std::move(how.result)});
}

host_caller_actor spawn_host_caller(caf::actor_system& system) {
  return system.spawn(host_caller);
}

} // namespace troupe

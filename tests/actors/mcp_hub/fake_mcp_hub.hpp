// An MCP hub that is the test: it takes note of what it is asked and answers when it is told to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/registry.hpp"
#include "tests/support/deterministic.hpp"

namespace troupe::test {

/// What a fake hub was told, in order, and what it answers at once.
struct hub_notes {
  struct pending {
    mcp_ask what;
    caf::typed_response_promise<mcp_answer> answer;
  };

  std::vector<pending> asks;
  std::vector<std::pair<size_t, mcp_answer>> ready; ///< answers to asks, given at the next tick
  std::vector<attachment_news> news;
  std::vector<mcp_event> events;
  std::vector<list_tools> lists;
  std::vector<std::pair<call_tool, caf::strong_actor_ptr>> calls;
  std::vector<cancel_call> cancels;
  std::vector<std::pair<client_answer, failure>> sampled;
  uint64_t sampled_tokens = 0;
  std::function<void(caf::local_actor&)> act; ///< done by the hub, once, at the next tick
  server_list servers;
  tool_snapshot tools;

  std::vector<std::string> kinds() const {
    std::vector<std::string> out;
    for (const auto& each : events)
      out.push_back(each.kind);
    return out;
  }
};

using shared_notes = std::shared_ptr<hub_notes>;

/// What a session, the resource_store and a sampling_responder send, and what the test does.
using fake_hub_actor =
    mcp_hub_for_resources::extend_with<mcp_hub_for_sampling>::extend<caf::reacts_to<watch_mcp>,
                                                                     caf::reacts_to<atom::tick>>;

inline fake_hub_actor::behavior_type fake_mcp_hub(fake_hub_actor::pointer self,
                                                  shared_notes notes) {
  return {
      [=](const list_tools& ask) {
        notes->lists.push_back(ask);
        auto answer = notes->tools;
        answer.turn_id = ask.turn_id;
        self->send(caf::actor_cast<tool_client_actor>(self->current_sender()), std::move(answer));
      },
      [=](const call_tool& call) { notes->calls.emplace_back(call, self->current_sender()); },
      [](const local_tool_call&) {},
      [=](const cancel_call& cancel) { notes->cancels.push_back(cancel); },
      [=](const mcp_ask& ask) -> caf::result<mcp_answer> {
        auto answer = self->make_response_promise<mcp_answer>();
        notes->asks.push_back({ask, answer});
        return answer;
      },
      [](const watch_mcp&) {},
      [=](const attachment_news& news) { notes->news.push_back(news); },
      [=](const mcp_event& what) { notes->events.push_back(what); },
      [=](atom::status) { return notes->servers; },
      [=](const client_answer& answer, const failure& why, uint64_t tokens) {
        notes->sampled.emplace_back(answer, why);
        notes->sampled_tokens += tokens;
      },
      [=](atom::tick) {
        if (auto act = std::exchange(notes->act, nullptr))
          act(*self);
        for (auto& [at, answer] : std::exchange(notes->ready, {}))
          notes->asks.at(at).answer.deliver(std::move(answer));
      },
  };
}

/// Spawns one and registers it as the MCP hub.
inline fake_hub_actor start_fake_hub(deterministic& world, const shared_notes& notes) {
  auto hub = world.sys.spawn(fake_mcp_hub, notes);
  world.sys.registry().put(mcp_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub));
  return hub;
}

} // namespace troupe::test

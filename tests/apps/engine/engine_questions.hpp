// An engine without a server, and its turns as a program that embeds it takes them.
#pragma once

#include <future>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "apps/engine/engine.hpp"

namespace troupe::test {

inline engine_config small(const std::string& scheduler = "loop") {
  engine_config config; // no model: the scripted ones answer
  config.shards = 1;
  config.scheduler = scheduler;
  return config;
}

inline turn_request ask(const std::string& session, const std::string& model,
                        const std::string& text = "hi") {
  turn_request request;
  request.session_id = session;
  request.options.model = model;
  request.messages.push_back({role::user, text, {}, {}, {}});
  return request;
}

/// Runs a turn by callback and returns its events.
inline std::vector<event> run(engine& running, turn_request request) {
  std::vector<event> events;
  std::promise<void> over;
  running.start_turn(std::move(request), [&](const event_batch& batch) {
    events.insert(events.end(), batch.events.begin(), batch.events.end());
    if (is_terminal(batch.events.back()))
      over.set_value();
  });
  over.get_future().wait();
  return events;
}

inline std::string text_of(const std::vector<event>& events) {
  std::string text;
  for (const auto& each : events)
    if (const auto* delta = std::get_if<text_delta>(&each))
      text += delta->text;
  return text;
}

} // namespace troupe::test

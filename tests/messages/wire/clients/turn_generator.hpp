// Random turns, the same for the same seed.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"

namespace troupe::test {

class turn_generator {
public:
  explicit turn_generator(uint32_t seed) : random_{seed} {}

  /// Returns the events of one turn in an order that design allows, with one terminal sequence.
  std::vector<event> legal_turn();

  /// Returns events in any order with ids that repeat, and a terminal event at the end.
  std::vector<event> any_events();

  /// Cuts events into batches of 1 to 5.
  std::vector<event_batch> cut(const std::vector<event>& events);

private:
  struct call {
    std::string id;
    std::string name;
    bool client_side;
    bool refused;
    bool asked = false;   ///< the client was asked for its approval
    bool pending = false; ///< and decides in the next turn
  };

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  std::string text() { return texts_[below(std::size(texts_))]; }

  void continued(std::vector<event>& out);
  bool round(std::vector<event>& out);
  std::vector<call> answer(std::vector<event>& out);
  void args(const call& which, std::vector<event>& out);
  void run(const std::vector<call>& calls, std::vector<event>& out);
  event any_event();

  static inline const std::string texts_[] = {
      "a",        "word ",          "line\nend\r", "\"quoted\" \\", "\xC3\xA9", "\xF0\x9F\x98\x80",
      "\x01\x7F", "broken \xFF\xC3"};
  std::mt19937 random_;
  uint32_t next_id_ = 0;
};

inline void turn_generator::args(const call& which, std::vector<event>& out) {
  if (chance(90)) {
    out.push_back(tool_args_start{which.id, which.name, which.client_side});
    for (auto n = below(4); n > 0; --n)
      out.push_back(tool_args_delta{which.id, text()});
  }
  tool_args_complete complete{which.id,          which.name, {R"({"n":1})"},
                              which.client_side, errc::none, ""};
  if (which.refused) {
    complete.arguments.text = "\"{oops\"";
    complete.error = errc::tool_arguments_invalid;
    complete.error_text = text();
  } else if (chance(20)) {
    complete.provider_metadata.text = R"({"google":{"thought_signature":"x"}})";
  }
  out.push_back(std::move(complete));
  if (which.asked)
    out.push_back(tool_approval_request{"a" + which.id, which.id, which.name, {"{}"}, 1000});
}

inline std::vector<turn_generator::call> turn_generator::answer(std::vector<event>& out) {
  std::vector<call> calls;
  for (auto n = below(6); n > 0; --n) {
    auto what = below(3);
    if (what == 0) {
      out.push_back(text_delta{text()});
    } else if (what == 1) {
      out.push_back(reasoning_delta{text()});
    } else {
      calls.push_back({"c" + std::to_string(++next_id_), "tool" + std::to_string(below(3)),
                       chance(20), chance(15)});
      auto& made = calls.back();
      made.asked = !made.client_side && !made.refused && chance(25);
      made.pending = made.asked && chance(40);
      args(made, out);
    }
  }
  return calls;
}

inline void turn_generator::run(const std::vector<call>& calls, std::vector<event>& out) {
  std::vector<call> rest;
  for (const auto& each : calls) {
    if ((each.client_side && !each.refused) || each.pending)
      continue;
    out.push_back(mcp_tool_start{each.id, each.name, each.refused ? "" : "server"});
    rest.push_back(each);
  }
  std::shuffle(rest.begin(), rest.end(), random_);
  for (const auto& each : rest) {
    for (auto n = below(3); n > 0; --n)
      out.push_back(mcp_tool_progress{each.id, 1.5, static_cast<double>(below(2) * 3), text()});
    if (each.asked && chance(50))
      out.push_back(mcp_tool_error{each.id, each.name, "server", errc::tool_denied, text()});
    else if (each.refused || chance(30))
      out.push_back(mcp_tool_error{each.id, each.name, "server", errc::tool_failed, text()});
    else
      out.push_back(mcp_tool_success{
          each.id, each.name, "server", {chance(80) ? "{\n\"content\":[]}" : ""}, text()});
  }
}

/// Adds calls of the turn before, which the client decided about.
inline void turn_generator::continued(std::vector<event>& out) {
  std::vector<call> calls;
  for (auto n = below(3); n > 0; --n)
    calls.push_back({"k" + std::to_string(n), "tool", false, false, true});
  run(calls, out);
}

/// Adds one model request; returns whether another one follows.
inline bool turn_generator::round(std::vector<event>& out) {
  out.push_back(model_response_waiting{0, "model"});
  auto calls = answer(out);
  run(calls, out);
  auto waits_for_client = std::any_of(calls.begin(), calls.end(), [](const call& each) {
    return (each.client_side && !each.refused) || each.pending;
  });
  return !calls.empty() && !waits_for_client && chance(80);
}

inline std::vector<event> turn_generator::legal_turn() {
  std::vector<event> out;
  out.push_back(session_start{chance(90) ? "m1" : ""});
  if (chance(20))
    continued(out);
  while (round(out)) {
  }
  auto ending = below(4);
  if (ending >= 2) {
    auto reason = static_cast<finish_reason>(below(6));
    out.push_back(model_generation_stop{reason, {}});
    out.push_back(session_end{reason, {}, below(5)});
    return out;
  }
  // Failures and aborts come at any moment.
  out.resize(1 + below(static_cast<uint32_t>(out.size())));
  if (ending == 0) {
    out.push_back(session_error{errc::model_stream_cut, chance(50) ? text() : "", true});
    return out;
  }
  out.push_back(abort_event{"client"});
  out.push_back(session_end{finish_reason::other, {}, 0});
  return out;
}

inline event turn_generator::any_event() {
  auto id = "c" + std::to_string(below(3));
  auto flag = chance(30);
  switch (below(15)) {
  case 0:
    return session_start{"m"};
  case 1:
    return model_response_waiting{};
  case 2:
    return text_delta{chance(90) ? text() : ""};
  case 3:
    return reasoning_delta{text()};
  case 4:
    return tool_args_start{id, "t", flag};
  case 5:
    return tool_args_delta{id, text()};
  case 6:
    return tool_args_complete{id, "t", {"{}"}, flag, errc::none, ""};
  case 7:
    return tool_args_complete{id, "t", {"{}"}, flag, errc::tool_unknown, "x"};
  case 8:
    return mcp_tool_start{id, "t", "s"};
  case 9:
    return mcp_tool_progress{id, 1, 2, "m"};
  case 10:
    return mcp_tool_success{id, "t", "s", {"{}"}, ""};
  case 11:
    return mcp_tool_error{id, "t", "s", errc::tool_failed, "x"};
  case 12:
    return mcp_tool_error{id, "t", "s", errc::tool_denied, "x"};
  case 13:
    return tool_approval_request{"a", id, "t", {"{}"}, 1};
  default:
    return chance(20) ? event{abort_event{"stop"}} : event{model_generation_stop{}};
  }
}

inline std::vector<event> turn_generator::any_events() {
  std::vector<event> out;
  for (auto n = below(30); n > 0; --n)
    out.push_back(any_event());
  if (chance(50))
    out.push_back(session_error{errc::internal, "", false});
  else
    out.push_back(session_end{finish_reason::stop, {}, 0});
  return out;
}

inline std::vector<event_batch> turn_generator::cut(const std::vector<event>& events) {
  std::vector<event_batch> out;
  size_t at = 0;
  while (at < events.size()) {
    auto end = std::min(events.size(), at + 1 + below(5));
    auto& batch = out.emplace_back();
    batch.first_seq = at + 1;
    for (; at < end; ++at)
      batch.events.push_back(events[at]);
  }
  return out;
}

} // namespace troupe::test

// One turn without a session: the test is its model, its tools and its client.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "actors/turn/turn.hpp"

namespace troupe::test {

/// Makes turns of one chat; "echo" and "sum" are tools of servers.
class turn_fixture {
public:
  turn_fixture() {
    history.push_back({role::user, "hi", {}, {}, {}});
    limits.max_tool_roundtrips = 3;
    limits.max_tool_text_bytes = 100;
    tools.tools = {{"echo", "", "{}", "one", "echo"}, {"sum", "", "{}", "two", "add"}};
  }

  /// Returns a turn whose tools are known.
  turn make(int32_t roundtrips = -1, std::vector<planned_call> resumed = {}) {
    turn_request request;
    request.session_id = "s";
    request.turn_id = "t";
    request.message_id = "m";
    request.ephemeral = ephemeral;
    request.options = options;
    request.options.model = "default";
    request.options.max_tool_roundtrips = roundtrips;
    turn made{std::move(request), limits, history, [this] { return now; }};
    made.begin(std::move(resumed));
    made.tools_ready(frozen<tool_set>{tools});
    return made;
  }

  static void answer(turn& t, std::vector<event> events, finish_reason why = finish_reason::stop) {
    model_output output;
    output.events = std::move(events);
    output.over = true;
    output.reason = why;
    output.used.total_tokens = 10;
    t.on_model(output);
  }

  static std::vector<event> call(const std::string& id, const std::string& name,
                                 const std::string& arguments = "{}") {
    return {tool_args_start{id, name}, tool_args_delta{id, arguments},
            tool_args_complete{id, name, {arguments}, false, errc::none, {}}};
  }

  /// Returns all events of several calls.
  static std::vector<event> calls(std::vector<std::vector<event>> each) {
    std::vector<event> all;
    for (auto& one : each)
      all.insert(all.end(), one.begin(), one.end());
    return all;
  }

  turn::time_point now{std::chrono::hours{1}};
  turn_limits limits;
  turn_options options;
  bool ephemeral = false; ///< the client keeps the history
  tool_set tools;
  std::vector<chat_message> history;
};

/// Returns the last event of its kind; throws where there is none.
template <class Event>
Event last(const std::vector<event>& events) {
  for (auto each = events.rbegin(); each != events.rend(); ++each)
    if (const auto* found = std::get_if<Event>(&*each))
      return *found;
  throw std::runtime_error{"there is no such event"};
}

inline std::vector<std::string> names(const std::vector<event>& events) {
  std::vector<std::string> out;
  for (const auto& each : events)
    out.emplace_back(name_of(each));
  return out;
}

using strings = std::vector<std::string>;

/// As turn_fixture; between its tools stands "mine", which the client runs.
class with_client_tool : public turn_fixture {
public:
  with_client_tool() { tools.tools.insert(tools.tools.begin() + 1, {"mine", "", "{}", "", ""}); }
};

} // namespace troupe::test

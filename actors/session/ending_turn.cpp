#include "actors/session/ending_turn.hpp"

#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

namespace troupe {

namespace {

/// Returns how many of the last events tell that the turn is over.
size_t closing_events(const std::vector<event>& events) {
  if (events.empty() || !is_terminal(events.back()))
    return 0;
  return std::holds_alternative<session_end>(events.back()) ? 2 : 1;
}

} // namespace

void ending_turn::hold(std::vector<event>& events, bool all) {
  auto first =
      all ? events.begin() : events.end() - static_cast<std::ptrdiff_t>(closing_events(events));
  std::move(first, events.end(), std::back_inserter(held));
  events.erase(first, events.end());
}

bool ending_turn::fail(const failure& why) {
  if (held.empty())
    return false;
  held.resize(held.size() - closing_events(held));
  held.push_back(session_error{why.code, why.text(), retryable(why.code)});
  report.error = why.code;
  report.reason = finish_reason::error;
  return true;
}

} // namespace troupe

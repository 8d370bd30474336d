#include "apps/bench/target/event_observations.hpp"

#include <optional>
#include <variant>

#include "messages/utf8.hpp"

namespace troupe::bench {

namespace {

/// Returns the observation of an event that has one and is not terminal.
std::optional<observed> observed_in(const event& what) {
  if (std::holds_alternative<text_delta>(what))
    return observed::text;
  if (std::holds_alternative<tool_args_complete>(what))
    return observed::arguments_end;
  if (std::holds_alternative<mcp_tool_start>(what))
    return observed::tool_start;
  if (std::holds_alternative<mcp_tool_success>(what) ||
      std::holds_alternative<mcp_tool_error>(what))
    return observed::tool_end;
  if (std::holds_alternative<model_response_waiting>(what))
    return observed::model_request;
  return std::nullopt;
}

/// Returns the last observation, if the event is the last one.
std::optional<turn_observation> last_observation(const event& what, bool ends_well) {
  turn_observation made;
  if (const auto* failed = std::get_if<session_error>(&what)) {
    made.what = observed::failed;
    made.code = failed->error;
    made.text = utf8_prefix(failed->error_text, max_observed_text_bytes);
    return made;
  }
  const auto* ended = std::get_if<session_end>(&what);
  if (ended == nullptr)
    return std::nullopt;
  made.used = ended->used;
  made.what = ends_well ? observed::end : observed::failed;
  made.code = ends_well ? errc::none : errc::aborted;
  return made;
}

} // namespace

void event_observations::read(const event_batch& batch, time_point at, bool stop_expected,
                              std::vector<turn_observation>& out) {
  const auto add = [&](turn_observation made) {
    made.at = at;
    made.bytes = bytes_;
    out.push_back(std::move(made));
  };
  if (!begun_ && !batch.events.empty()) {
    begun_ = true;
    add({});
  }
  for (const auto& each : batch.events) {
    if (const auto* said = std::get_if<text_delta>(&each))
      bytes_ += said->text.size();
    aborted_ = aborted_ || std::holds_alternative<abort_event>(each);
    if (auto last = last_observation(each, !aborted_ || stop_expected)) {
      add(std::move(*last));
    } else if (auto what = observed_in(each)) {
      if (what == observed::text && !out.empty() && out.back().what == observed::text) {
        ++out.back().count;
        out.back().bytes = bytes_;
        continue;
      }
      turn_observation made;
      made.what = *what;
      add(std::move(made));
    }
  }
}

} // namespace troupe::bench

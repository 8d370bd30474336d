#include "apps/bench/target/event_signs.hpp"

#include <optional>
#include <variant>

#include "messages/utf8.hpp"

namespace troupe::bench {

namespace {

/// Returns the sign of an event that has one and is not terminal.
std::optional<sign> sign_within(const event& what) {
  if (std::holds_alternative<text_delta>(what))
    return sign::text;
  if (std::holds_alternative<tool_args_complete>(what))
    return sign::arguments_end;
  if (std::holds_alternative<mcp_tool_start>(what))
    return sign::tool_start;
  if (std::holds_alternative<mcp_tool_success>(what) ||
      std::holds_alternative<mcp_tool_error>(what))
    return sign::tool_end;
  if (std::holds_alternative<model_response_waiting>(what))
    return sign::model_request;
  return std::nullopt;
}

/// Returns the last sign, if the event is the last one.
std::optional<turn_sign> last_sign(const event& what, bool ends_well) {
  turn_sign made;
  if (const auto* failed = std::get_if<session_error>(&what)) {
    made.what = sign::failed;
    made.code = failed->error;
    made.text = utf8_prefix(failed->error_text, max_sign_text_bytes);
    return made;
  }
  const auto* ended = std::get_if<session_end>(&what);
  if (ended == nullptr)
    return std::nullopt;
  made.used = ended->used;
  made.what = ends_well ? sign::end : sign::failed;
  made.code = ends_well ? errc::none : errc::aborted;
  return made;
}

} // namespace

void event_signs::read(const event_batch& batch, time_point at, bool stop_expected,
                       std::vector<turn_sign>& out) {
  const auto add = [&](turn_sign made) {
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
    if (auto last = last_sign(each, !aborted_ || stop_expected)) {
      add(std::move(*last));
    } else if (auto what = sign_within(each)) {
      if (what == sign::text && !out.empty() && out.back().what == sign::text) {
        ++out.back().count;
        out.back().bytes = bytes_;
        continue;
      }
      turn_sign made;
      made.what = *what;
      add(std::move(made));
    }
  }
}

} // namespace troupe::bench

#include "apps/engine/http/clients/foreign_turn.hpp"

#include <chrono>

#include "apps/engine/http/request_trace.hpp"

namespace troupe {

void describe_foreign_turn(const http_call& in, turn_request& out) {
  out.options.request_id = request_id_of(in.request.fields);
  out.options.traceparent = traceparent_of(in.request.fields);
  out.concurrent_turns = in.who.concurrent_turns;
}

std::string shown_model(const http_call& in, const turn_request& turn) {
  if (!turn.options.model.empty())
    return turn.options.model;
  if (!in.config.default_model.empty() || in.config.models.empty())
    return in.config.default_model;
  return in.config.models.begin()->first; // as the sessions do
}

int64_t unix_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

} // namespace troupe

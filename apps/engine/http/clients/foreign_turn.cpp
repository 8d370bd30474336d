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

const model_config* find_model(const engine_config& config, const std::string& asked) {
  const auto& models = config.models;
  const auto& aliases = config.model_aliases;
  if (models.empty())
    return nullptr;
  auto found = models.find(asked.empty() ? config.default_model : asked);
  if (found != models.end())
    return &found->second;
  if (asked.empty())
    return &models.begin()->second; // as the sessions do
  auto alias = aliases.find(asked);
  if (alias == aliases.end())
    alias = aliases.find("*");
  if (alias != aliases.end())
    found = models.find(alias->second);
  return found == models.end() ? nullptr : &found->second;
}

int64_t unix_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

} // namespace troupe

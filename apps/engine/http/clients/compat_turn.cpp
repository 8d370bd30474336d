#include "apps/engine/http/clients/compat_turn.hpp"

#include <chrono>
#include <utility>

#include "apps/engine/http/requests/request_trace.hpp"
#include "messages/chat/model_names.hpp"
#include "messages/wire/clients/ollama/ollama_catalog.hpp"

namespace troupe {

namespace {

/// Returns the key of the model of turns that name none, as the sessions have it.
const std::string& usual_model(const engine_config& config) {
  return config.default_model.empty() && !config.models.empty() ? config.models.begin()->first
                                                                : config.default_model;
}

} // namespace

std::set<std::string> model_names(const engine_config& config) {
  std::set<std::string> names;
  for (const auto& each : config.models)
    names.insert(each.first);
  for (const auto& each : config.model_aliases)
    if (each.first != "*")
      names.insert(each.first);
  return names;
}

std::string without_tag(const engine_config& config, std::string asked) {
  if (asked.ends_with(ollama_tag) && !config.models.contains(asked) &&
      !config.model_aliases.contains(asked))
    asked.resize(asked.size() - ollama_tag.size());
  return asked;
}

void describe_compat_turn(const http_call& in, turn_request& out) {
  out.options.model = without_tag(in.config, std::move(out.options.model));
  out.options.request_id = request_id_of(in.known);
  out.options.traceparent = traceparent_of(in.known);
  out.concurrent_turns = in.who.concurrent_turns;
}

std::string shown_model(const http_call& in, const turn_request& turn) {
  return turn.options.model.empty() ? usual_model(in.config) : turn.options.model;
}

const model_config* find_model(const engine_config& config, const std::string& asked) {
  const auto& models = config.models;
  const auto found = models.find(
      model_key(without_tag(config, asked), usual_model(config), models, config.model_aliases));
  return found == models.end() ? nullptr : &found->second;
}

int64_t unix_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

} // namespace troupe

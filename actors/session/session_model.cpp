// The model of a session's turns: its requests, and what comes back.
#include <utility>

#include "actors/model/model_stream.hpp"
#include "actors/session/chat_files.hpp"
#include "actors/session/session_state.hpp"
#include "actors/urgent.hpp"
#include "messages/ports/inner_errors.hpp"

namespace troupe {

void session_state::start_model() {
  const auto& asked = model->second;
  model_stream_config spec;
  spec.http = config->http;
  spec.model = share_model(config, asked);
  spec.request = request_to(asked);
  spec.fallbacks = fallbacks_of(config, asked);
  spec.id_prefix = current->request().turn_id + '_' + std::to_string(current->round()) + '_';
  spec.number = ++model_requests;
  paused = false;
  stream = spawn_model_stream(*self, caf::actor_cast<model_reader_actor>(self), std::move(spec));
}

/// The chat's overrides count where the request says nothing.
void session_state::choose_defaults(turn_request& request) const {
  auto& options = request.options;
  const auto& chosen = persistence.overrides();
  if (options.model.empty() && request.resumes && config->models.count(persistence.row().model) > 0)
    options.model = persistence.row().model;
  if (const auto& known = config->model_for(options.model.empty() ? chosen.model : options.model);
      known != options.model)
    options.model = known;
  if (options.limits_servers || !chosen.limits_servers)
    return;
  options.limits_servers = true;
  options.mcp_servers = chosen.mcp_servers;
}

http_request session_state::request_to(const model_config& asked,
                                       bool without_sealed_reasoning) const {
  const auto& options = current->request().options;
  std::vector<chat_message> filled;
  if (!current->files.empty())
    filled = with_contents(history, current->files);
  const auto& tools = current->tools();
  const bool fits = asked.max_tools == 0 || tools.tools.size() <= asked.max_tools;
  const auto fewer = fits ? tool_set{} : fewer_tools(tools, asked.max_tools); // of a fallback
  return request_for({.model = asked,
                      .history = filled.empty() ? history : filled,
                      .tools = fits ? &tools : &fewer,
                      .streaming = options.streaming,
                      .parameters = options.parameters,
                      .system = config->system_prompt,
                      .has_results = current->has_results(),
                      .without_sealed_reasoning = without_sealed_reasoning},
                     options.traceparent, config->log.get());
}

/// The history is what it was for the first model: it changes when the answer is over.
void session_state::on_fallback(const fallback_due& due) {
  if (current && stream && due.request == model_requests)
    self->send(stream, fallback_request{request_to(*due.model, due.without_sealed_reasoning)});
}

/// A client without credit pauses its own upstream, nobody else's.
void session_state::control_flow() {
  auto full = viewers.blocked();
  if (full == paused || !stream)
    return;
  paused = full;
  self->send(stream, flow_control{paused});
}

/// Output of an earlier request may still be on its way: it is dropped.
void session_state::on_model(model_output& output) {
  if (!current || output.request != model_requests)
    return;
  if (output.error != errc::none && !config->error_details)
    hide_inner_text(config->log.get(), "model", session_id, output.error, output.error_text);
  current->on_model(output);
  advance();
}

void session_state::stop_stream() {
  if (!stream)
    return;
  exit_now(stream, self->address(), caf::exit_reason::user_shutdown);
  stream = nullptr;
}

} // namespace troupe

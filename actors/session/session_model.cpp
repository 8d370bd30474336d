// The model of a session's turns: its requests, and what comes back.
#include <utility>

#include "actors/model/model_stream.hpp"
#include "actors/session/session_state.hpp"
#include "actors/urgent.hpp"

namespace troupe {

void session_state::start_model() {
  const auto& options = current->request().options;
  const auto& tools = current->tools();
  const auto& asked = model->second;
  model_prompt prompt{asked,
                      history,
                      tools.rendered,
                      0,
                      options.streaming,
                      options.parameters,
                      config->system_prompt,
                      current->has_results()};
  model_stream_config spec;
  spec.http = config->http;
  spec.model = share_model(config, asked);
  spec.request = request_for(prompt, options.traceparent);
  spec.fallbacks = fallbacks_of(config, asked);
  if (!spec.fallbacks.empty())
    spec.request_for = [kept = model_question{history, tools.tools, 0, options.streaming,
                                              options.parameters, options.traceparent,
                                              config->system_prompt, current->has_results()}](
                           const model_config& other) { return request_for(other, kept); };
  spec.id_prefix = current->request().turn_id + '_' + std::to_string(current->round()) + '_';
  spec.number = ++model_requests;
  paused = false;
  stream = spawn_model_stream(*self, caf::actor_cast<model_reader_actor>(self), std::move(spec));
}

/// A client without credit pauses its own upstream, nobody else's.
void session_state::control_flow() {
  auto full = viewers.blocked();
  if (full == paused || !stream)
    return;
  paused = full;
  self->send(stream, flow_control{paused});
}

/// What is still on its way from a request of an earlier turn or round is nobody's any more.
void session_state::on_model(model_output& output) {
  if (!current || output.request != model_requests)
    return;
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

#include "actors/model/model_stream.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/model/model_stream_state.hpp"
#include "actors/quiet.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/wire/providers.hpp"

namespace troupe {

// -- fallback chain -------------------------------------------------------------------------------

shared_model share_model(const std::shared_ptr<const chat_settings>& config,
                         const model_config& model) {
  return {config, &model};
}

std::vector<shared_model> fallbacks_of(const std::shared_ptr<const chat_settings>& config,
                                       const model_config& first) {
  std::vector<shared_model> chain;
  const auto* last = &first;
  while (!last->fallback.empty() && chain.size() + 1 < max_targets) {
    auto found = config->models.find(last->fallback);
    if (found == config->models.end())
      break;
    last = &found->second;
    auto is_known = std::ranges::any_of(chain, [&](const auto& one) { return one.get() == last; });
    if (last == &first || is_known)
      break;
    chain.push_back(share_model(config, *last));
  }
  return chain;
}

namespace {

bool has_sealed_reasoning(const chat_message& message) {
  return !message.provider_metadata.empty() ||
         std::ranges::any_of(message.tool_calls,
                             [](const auto& call) { return !call.provider_metadata.empty(); });
}

void tell_left_out(const model_config& model, const std::string& parameter, log_port* log) {
  log_line line;
  line.add("model", model.name).add("provider", model.provider).add("parameter", parameter);
  line.add("message",
           fmt::format("{} is left out of requests: the API of this model cannot take it. See "
                       "docs/providers.md, or take it out of the parameters",
                       parameter));
  write_log(log, log_level::warning, "parameter_left_out", line);
}

} // namespace

http_request request_for(const model_request& asked, const std::string& traceparent,
                         log_port* log) {
  if (asked.without_sealed_reasoning && std::ranges::none_of(asked.history, has_sealed_reasoning))
    return {};
  auto request = find_provider(asked.model.provider)->make_request(asked);
  if (!traceparent.empty())
    request.fields.push_back({"traceparent", traceparent});
  for (const auto& each : asked.model.lessons.take_left_out())
    tell_left_out(asked.model, each, log);
  return request;
}

// -- model stream ---------------------------------------------------------------------------------

namespace {

/// Returns what the end of an exchange means; an empty failure where the decoder knows best.
failure meaning_of(const http_part& part) {
  switch (part.error) {
  case errc::connect_failed:
    return {errc::model_unreachable, part.error_text};
  case errc::connect_timeout:
    return {errc::connect_timeout, part.error_text};
  case errc::deadline_exceeded:
    return {errc::model_timeout, part.error_text};
  case errc::encoding_unsupported:
    return {errc::model_answer_invalid, part.error_text};
  default:
    return {};
  }
}

/// Returns the path of a URL, without a slash at its end.
std::string_view path_of(std::string_view url) {
  const auto scheme = url.find("://");
  const auto path = url.find('/', scheme == url.npos ? 0 : scheme + 3);
  url = path == url.npos ? std::string_view{} : url.substr(path);
  while (url.ends_with('/'))
    url.remove_suffix(1);
  return url;
}

/// Returns whether a text speaks of the model, and not only of a path with its name.
bool names_model(std::string_view text, std::string_view name) {
  const auto at = name.empty() ? text.npos : text.find(name);
  return at != text.npos && (at == 0 || text[at - 1] != '/');
}

/// A 404 is often that of a base URL without the path that the provider's has, or with one that it
/// has not. A server that knows its models is the right one. Names no address: clients may see it.
std::string address_hint(const model_config& model, std::string_view told) {
  if (names_model(told, model.model))
    return {};
  const auto usual = find_provider(model.provider)->base_url;
  const auto path = path_of(usual);
  if (path.empty() ? path_of(model.base_url).empty() : path_of(model.base_url).ends_with(path))
    return {};
  return fmt::format(" (HTTP 404; is base_url right? As a rule it is like {})", usual);
}

model_stream_actor::behavior_type
model_stream(model_stream_actor::stateful_pointer<model_stream_state> self,
             model_reader_actor reader, model_stream_config config) {
  auto& state = self->state;
  quiet(self);
  state.reader = std::move(reader);
  state.spec = std::move(config);
  state.start();
  return state.make_behavior();
}

} // namespace

model_stream_actor spawn_model_stream(caf::local_actor& parent, model_reader_actor reader,
                                      model_stream_config config) {
  return parent.spawn<caf::linked>(model_stream, std::move(reader), std::move(config));
}

model_stream_actor::behavior_type model_stream_state::make_behavior() {
  return {
      [this](const http_part& part) { on_part(part); },
      [this](const flow_control& flow) { on_flow(flow); },
      [this](const slot_answer& answer) { on_slot(answer); },
      [this](fallback_request& made) { on_fallback(made); },
      [this](atom::tick) { on_tick(); },
  };
}

int64_t model_stream_state::since(time_point start) const {
  return std::chrono::duration_cast<std::chrono::microseconds>(now() - start).count();
}

void model_stream_state::on_part(const http_part& part) {
  if (part.exchange != attempts.total() || !exchange)
    return; // of an attempt that was given up
  if (part.status != 0) {
    status = part.status;
    retry_after = part.retry_after;
    should_retry = part.should_retry;
  }
  if (!part.bytes.empty())
    deadlines.on_bytes(now());
  std::vector<event> events;
  const auto from = intake; // a failure may begin another attempt
  auto end = from->read(part, events);
  if (end.finished != deadlines.is_done() && !end.over && !part.last) {
    deadlines.set_done(end.finished, now());
    wake_in_time();
  }
  if (!end.over && part.last)
    end = finish({part.error, part.error_text}, meaning_of(part), events);
  take(end, events);
  from->told();
}

/// The decoder knows of a cut only, or finds that the answer was complete; what cut it is known
/// here.
model_end model_stream_state::finish(const failure& cut, failure meaning,
                                     std::vector<event>& events) {
  auto end = intake->finish(cut, events);
  if (end.error && cut.code == errc::encoding_unsupported && status >= 300)
    end.error.message = end.error.text() + " (" + cut.message + ')'; // the status says more
  else if (end.error && meaning)
    end.error = std::move(meaning);
  return end;
}

void model_stream_state::take(model_end& end, std::vector<event>& events) {
  if (!events.empty() && !telling)
    begin_telling();
  if (end.error && !telling) {
    if (retry_after.empty() && end.retry_after_ms >= 0)
      retry_after = fmt::format("{:.3f}", static_cast<double>(end.retry_after_ms) / 1000);
    if (status == 404)
      end.error.message = end.error.text() + address_hint(*spec.model, end.error.text());
    if (end.error.code != errc::model_request_invalid || !ask_otherwise(end))
      fail(std::move(end.error));
  } else if (end.over || !events.empty())
    tell(end, std::move(events));
}

void model_stream_state::begin_telling() {
  telling = true;
  deadlines.on_event();
  report.first_token_us = since(started);
  spec.request = {}; // it is not sent again
}

void model_stream_state::tell(model_end& end, std::vector<event> events) {
  model_output output;
  output.request = spec.number;
  output.events = std::move(events);
  output.over = end.over;
  output.reason = end.reason;
  output.stop_sequence = std::move(end.stop_sequence);
  output.goes_on = end.goes_on;
  output.used = end.used;
  output.error = end.error.code;
  output.error_text = std::move(end.error.message);
  output.retry_after_ms = end.error.retry_after_ms;
  output.provider_metadata = std::move(end.provider_metadata);
  output.refused = end.refused;
  if (end.over) {
    output.report = report_of(end);
    exchange.reset();
    leave_slot(); // before the reader asks the model again
  }
  self->send(reader, std::move(output));
  if (end.over)
    self->quit();
  else
    intake->go_on(reader, spec.number);
}

model_report model_stream_state::report_of(model_end& end) {
  if (queued)
    leave_queue();
  report.model = spec.model->name;
  report.attempts = attempts.total();
  report.total_us = since(started);
  report.error = end.error.code;
  report.reason = end.reason;
  report.raw_reason = std::move(end.raw_reason);
  report.used = end.used;
  report.full_context = end.full_context;
  return std::move(report);
}

/// Learns when the last bytes came that did not come here.
void model_stream_state::look_at_reads() {
  if (auto at = intake ? intake->last_read() : time_point{}; at > seen_read)
    deadlines.on_bytes(seen_read = at);
}

void model_stream_state::on_flow(const flow_control& flow) {
  if (std::exchange(paused, flow.paused) == flow.paused)
    return;
  look_at_reads();
  if (exchange && paused)
    exchange->pause();
  else if (exchange)
    exchange->resume();
  if (paused)
    return deadlines.pause(now());
  deadlines.resume(now());
  wake_in_time();
}

} // namespace troupe

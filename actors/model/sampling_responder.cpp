#include "actors/model/sampling_responder.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string_view>
#include <utility>

#include <caf/all.hpp>

#include "actors/model/model_stream.hpp"
#include "actors/monitors.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/turn/history.hpp"
#include "actors/turn/open_request.hpp"
#include "actors/urgent.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/wire/mcp/sampling.hpp"
#include "messages/wire/provider/call_repairs.hpp"

namespace troupe {

namespace {

constexpr std::chrono::minutes answer_limit{5};

bool holds(std::string_view name, std::string_view hint) {
  auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return !hint.empty() &&
         std::search(name.begin(), name.end(), hint.begin(), hint.end(), same) != name.end();
}

/// Returns the model that the first good hint means, else the default one; nullptr if that is not
/// configured.
const model_config* choose_model(const chat_settings& config,
                                 const std::vector<std::string>& hints) {
  for (const auto& hint : hints)
    for (const auto& [key, model] : config.models)
      if (holds(key, hint) || holds(model.model, hint))
        return &model;
  auto found = config.models.find(config.default_model);
  return found == config.models.end() ? nullptr : &found->second;
}

struct sampling_responder_state {
  static inline const char* name = "troupe.sampling_responder";

  explicit sampling_responder_state(sampling_responder_actor::pointer ptr) : self{ptr} {}

  sampling_responder_actor::behavior_type make_behavior() {
    return {
        [this](model_output& output) { on_output(output); },
        [this](const fallback_due& due) {
          self->send(stream,
                     fallback_request{request_to(*due.model, due.without_sealed_reasoning)});
        },
        [this](atom::expire) {
          fail({errc::model_timeout, "The model took too long."});
        },
    };
  }

  void start() {
    if (auto bad = mcp::parse(ask.params.text, request))
      return fail(bad);
    model = choose_model(*config, request.model_hints);
    if (model == nullptr)
      return fail({errc::model_unknown, ""});
    repair_history(request.messages);
    tools.tools = std::move(request.tools);
    std::ranges::sort(tools.tools, {}, &tool_definition::name);
    model_stream_config spec;
    spec.http = config->http;
    spec.model = share_model(config, *model);
    spec.request = request_to(*model);
    spec.fallbacks = fallbacks_of(config, *model);
    spec.id_prefix = ask.request_id + '_';
    running.begin(self->clock().now());
    stream = spawn_model_stream(*self, caf::actor_cast<model_reader_actor>(self), std::move(spec));
    self->delayed_send(self, answer_limit, atom::expire_v);
  }

  http_request request_to(const model_config& asked, bool without_sealed_reasoning = false) const {
    return request_for({.model = asked,
                        .history = request.messages,
                        .tools = &tools,
                        .max_tokens = request.max_tokens,
                        .parameters = request.parameters,
                        .without_sealed_reasoning = without_sealed_reasoning},
                       "", config->log.get());
  }

  struct reader {
    sampling_responder_state& self;
    void operator()(text_delta& e) {
      self.answer.text += e.text;
      self.read_bytes += e.text.size();
    }
    void operator()(reasoning_delta& e) { self.read_bytes += e.text.size(); }
    void operator()(tool_args_complete& e) { self.add_call(e); }
    template <class Other>
    void operator()(Other&) {}
  };

  void add_call(tool_args_complete& e) {
    read_bytes += e.arguments.text.size();
    call_repairs how;
    const auto* tool = matching_tool(e.tool_name, tools, how);
    auto arguments = repair_arguments(e.arguments.text, how) ? std::move(e.arguments.text) : "{}";
    answer.tool_calls.push_back({e.tool_call_id, tool ? tool->name : e.tool_name, arguments});
    if (how.any())
      write_log(config->log.get(), log_level::info, "call_mended",
                log_line{}
                    .add("model", model->name)
                    .add("tool", answer.tool_calls.back().name)
                    .add("mended", how.text()));
  }

  void on_output(model_output& output) {
    for (auto& each : output.events)
      std::visit(reader{*this}, each);
    if (!output.events.empty())
      running.read(std::exchange(read_bytes, 0), [this] { return self->clock().now(); });
    if (!output.over)
      return;
    report(output.report);
    if (output.error != errc::none)
      return fail({output.error, output.error_text, output.retry_after_ms});
    if (is_cut(output.reason))
      answer.tool_calls.clear(); // what their arguments lack does not show
    tell({ask.request_id,
          "accept",
          {mcp::sampling_result(name_of_model(output.report), answer, output.reason)}},
         {});
  }

  /// Returns what the provider calls the model that answered, which may be a fallback.
  const std::string& name_of_model(const model_report& report) const {
    auto found = config->models.find(report.model);
    const auto& answered = found == config->models.end() ? *model : found->second;
    return answered.model.empty() ? answered.name : answered.model;
  }

  void fail(const failure& why) { tell({ask.request_id, "", {}}, why); }

  void tell(client_answer what, failure why) {
    report_open();
    self->send(hub, std::move(what), std::move(why), tokens);
    end();
  }

  /// A request that was broken off is paid for all the same.
  void report_open() {
    if (running.is_open())
      report(running.report(model->name, errc::aborted, request.messages, self->clock().now()));
  }

  void report(model_report made) {
    if (made.used.total_tokens == 0 && made.error == errc::none) // the provider counts none
      made.used =
          running.report(made.model, made.error, request.messages, self->clock().now()).used;
    running.end();
    tokens = std::max(made.used.total_tokens, made.used.input_tokens + made.used.output_tokens);
    if (auto telemetry = whereis<telemetry_actor>(self->system(), telemetry_name))
      self->send(telemetry, sampling_report{ask.server, ask.session_id, std::move(made)});
  }

  /// A linked actor outlives the normal end of the other.
  void end() {
    report_open();
    over = true;
    if (stream)
      exit_now(stream, self->address(), caf::exit_reason::user_shutdown);
    stream = nullptr;
    self->quit();
  }

  void on_exit(const caf::exit_msg& msg) {
    if (stream && msg.source == stream->address() && msg.reason == caf::exit_reason::normal)
      return; // it has said all
    if (!over)
      fail({errc::internal, ""});
  }

  sampling_responder_actor::pointer self;
  monitors watched{self};
  mcp_hub_for_sampling hub;
  std::shared_ptr<const chat_settings> config;
  client_ask ask;
  mcp::sampling_request request;
  tool_set tools;                      ///< of the request
  const model_config* model = nullptr; ///< in config
  model_stream_actor stream;
  chat_message answer{role::assistant, {}, {}, {}, {}};
  open_request running;  ///< until it is reported
  size_t read_bytes = 0; ///< of the answer, since `running` was told
  uint64_t tokens = 0;   ///< that it took
  bool over = false;
};

sampling_responder_actor::behavior_type
sampling_responder(sampling_responder_actor::stateful_pointer<sampling_responder_state> self,
                   mcp_hub_for_sampling hub, std::shared_ptr<const chat_settings> config,
                   client_ask ask) {
  auto& state = self->state;
  quiet(self);
  self->set_down_handler([&state](caf::down_msg&) { state.end(); }); // the hub's
  self->set_exit_handler([&state](caf::exit_msg& msg) { state.on_exit(msg); });
  self->set_exception_handler([&state](caf::scheduled_actor* who, std::exception_ptr& thrown) {
    state.fail({errc::internal, ""});
    return fail_request(who, thrown);
  });
  state.watched.add(hub);
  state.hub = std::move(hub);
  state.config = std::move(config);
  state.ask = std::move(ask);
  state.start();
  return state.make_behavior();
}

} // namespace

caf::actor spawn_sampling_responder(caf::local_actor& hub,
                                    std::shared_ptr<const chat_settings> config,
                                    const client_ask& ask) {
  auto handle = caf::actor_cast<mcp_hub_for_sampling>(caf::actor_cast<caf::strong_actor_ptr>(&hub));
  return caf::actor_cast<caf::actor>(
      hub.spawn(sampling_responder, std::move(handle), std::move(config), ask));
}

} // namespace troupe

#include "actors/telemetry/telemetry.hpp"

#include <array>
#include <chrono>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

// -- turn figures ---------------------------------------------------------------------------------

namespace {

// Bounds in seconds. The bounds of gen_ai.* are OpenTelemetry's recommended ones.
constexpr std::array operation_bounds{0.01, 0.02, 0.04, 0.08,  0.16,  0.32,  0.64,
                                      1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92};
constexpr std::array first_chunk_bounds{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1,
                                        0.25,  0.5,   0.75, 1.0,  2.5,  5.0,  7.5,  10.0};
constexpr std::array turn_bounds{0.01, 0.05, 0.1,  0.25, 0.5,   1.0,   2.5,
                                 5.0,  10.0, 30.0, 60.0, 120.0, 300.0, 600.0};
constexpr std::array queue_bounds{0.001, 0.01, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0};
constexpr std::array token_bounds{1.0,       4.0,       16.0,       64.0,      256.0,
                                  1024.0,    4096.0,    16384.0,    65536.0,   262144.0,
                                  1048576.0, 4194304.0, 16777216.0, 67108864.0};

constexpr std::string_view others = "other";

double seconds(int64_t microseconds) {
  return static_cast<double>(microseconds) / 1e6;
}

/// Returns the row called `name`, or that of the others when there is no room for a new one.
template <class Rows>
typename Rows::mapped_type& row_of(Rows& rows, std::string_view name, bool has_room) {
  if (auto found = rows.find(name); found != rows.end())
    return found->second;
  return rows.try_emplace(std::string{has_room ? name : others}).first->second;
}

void observe(std::map<errc, histogram>& by_end, errc end, int64_t microseconds) {
  by_end.try_emplace(end, operation_bounds).first->second.observe(seconds(microseconds));
}

/// Returns the value of `error_type`; "", no label, for a success.
std::string error_type(errc end) {
  return end == errc::none ? "" : to_string(end);
}

} // namespace

turn_figures::model_row::model_row()
    : turn_duration{turn_bounds}, first_chunk{first_chunk_bounds}, input_tokens{token_bounds},
      output_tokens{token_bounds}, queued{queue_bounds} {}

turn_figures::model_row& turn_figures::model(std::string_view name) {
  return row_of(models_, name, models_.size() < max_names);
}

void turn_figures::add(const turn_report& turn) {
  auto& row = model(turn.model);
  ++row.turns[turn.error];
  row.turn_duration.observe(seconds(turn.total_us));
  for (const auto& each : turn.requests)
    add(each);
  for (const auto& each : turn.tools)
    add(each);
}

void turn_figures::add(const model_report& request) {
  auto& row = model(request.model);
  observe(row.requests, request.error, request.total_us);
  row.queued.observe(seconds(request.queued_us));
  if (request.first_token_us > 0)
    row.first_chunk.observe(seconds(request.first_token_us));
  if (request.used.input_tokens > 0)
    row.input_tokens.observe(static_cast<double>(request.used.input_tokens));
  if (request.used.output_tokens > 0)
    row.output_tokens.observe(static_cast<double>(request.used.output_tokens));
  if (request.attempts > 1)
    row.retries += request.attempts - 1;
}

void turn_figures::add(const sampling_report& sampled) {
  add(sampled.request);
  auto& server = row_of(servers_, sampled.server, servers_.size() < max_names);
  ++server.sampled[sampled.request.error];
  server.sampled_input += sampled.request.used.input_tokens;
  server.sampled_output += sampled.request.used.output_tokens;
}

void turn_figures::add(const tool_report& call) {
  auto& server = row_of(servers_, call.server, servers_.size() < max_names);
  ++server.calls[call.error];
  auto before = server.tools.size();
  observe(row_of(server.tools, call.tool, tools_ < max_names), call.error, call.total_us);
  tools_ += server.tools.size() - before;
}

void turn_figures::write(prometheus_text& out) const {
  write_requests(out);
  write_tools(out);
  write_sampling(out);
  write_turns(out);
}

void turn_figures::write_requests(prometheus_text& out) const {
  constexpr metric_label chat{"gen_ai_operation_name", "chat"};
  out.family("gen_ai_client_operation_duration_seconds", metric_kind::histogram,
             "Model requests, retries included, from the start to the last byte.");
  for (const auto& [name, row] : models_)
    for (const auto& [end, values] : row.requests)
      out.sample({chat, {"gen_ai_request_model", name}, {"error_type", error_type(end)}}, values);
  out.family("gen_ai_client_operation_time_to_first_chunk_seconds", metric_kind::histogram,
             "From the start of a model request to the first event of its answer.");
  for (const auto& [name, row] : models_)
    out.sample({chat, {"gen_ai_request_model", name}}, row.first_chunk);
  out.family("gen_ai_client_token_usage", metric_kind::histogram,
             "Tokens of model requests, as their providers count them.");
  for (const auto& [name, row] : models_) {
    const metric_label model{"gen_ai_request_model", name};
    out.sample({chat, model, {"gen_ai_token_type", "input"}}, row.input_tokens);
    out.sample({chat, model, {"gen_ai_token_type", "output"}}, row.output_tokens);
  }
  out.family("troupe_model_retries_total", metric_kind::counter,
             "Further HTTP requests that model requests needed.");
  for (const auto& [name, row] : models_)
    out.sample({{"model", name}}, static_cast<double>(row.retries));
  out.family("troupe_model_queue_seconds", metric_kind::histogram,
             "How long model requests waited for one of the model's places.");
  for (const auto& [name, row] : models_)
    out.sample({{"model", name}}, row.queued);
}

void turn_figures::write_tools(prometheus_text& out) const {
  out.family("gen_ai_execute_tool_duration_seconds", metric_kind::histogram,
             "Tool calls on MCP servers.");
  for (const auto& [server, row] : servers_)
    for (const auto& [tool, by_end] : row.tools)
      for (const auto& [end, values] : by_end)
        out.sample({{"gen_ai_operation_name", "execute_tool"},
                    {"gen_ai_tool_name", tool},
                    {"server", server},
                    {"error_type", error_type(end)}},
                   values);
  out.family("troupe_tool_calls_total", metric_kind::counter,
             "Tool calls on MCP servers, by how they ended.");
  for (const auto& [server, row] : servers_)
    for (const auto& [end, count] : row.calls)
      out.sample({{"server", server}, {"outcome", end == errc::none ? "success" : to_string(end)}},
                 static_cast<double>(count));
}

void turn_figures::write_sampling(prometheus_text& out) const {
  out.family("troupe_mcp_sampling_requests_total", metric_kind::counter,
             "Model requests that MCP servers have caused, by how they ended.");
  for (const auto& [server, row] : servers_)
    for (const auto& [end, count] : row.sampled)
      out.sample({{"server", server}, {"outcome", end == errc::none ? "success" : to_string(end)}},
                 static_cast<double>(count));
  out.family("troupe_mcp_sampling_tokens_total", metric_kind::counter, "Tokens of these requests.");
  for (const auto& [server, row] : servers_) {
    if (row.sampled.empty())
      continue;
    out.sample({{"server", server}, {"type", "input"}}, static_cast<double>(row.sampled_input));
    out.sample({{"server", server}, {"type", "output"}}, static_cast<double>(row.sampled_output));
  }
}

void turn_figures::write_turns(prometheus_text& out) const {
  out.family("troupe_turns_total", metric_kind::counter, "Turns that are over, by how they ended.");
  for (const auto& [name, row] : models_)
    for (const auto& [end, count] : row.turns)
      out.sample({{"model", name}, {"outcome", end == errc::none ? "success" : to_string(end)}},
                 static_cast<double>(count));
  out.family("troupe_turn_duration_seconds", metric_kind::histogram,
             "From the acceptance of a turn to its last event.");
  for (const auto& [name, row] : models_)
    out.sample({{"model", name}}, row.turn_duration);
}

// -- telemetry ------------------------------------------------------------------------------------

namespace {

/// How long a hub, or the store, may take to say how it is; then the metrics go out without it.
constexpr std::chrono::seconds hub_limit{2};

double milliseconds(int64_t microseconds) {
  return static_cast<double>(microseconds) / 1e3;
}

/// Ids, names and numbers; no text of the conversation.
log_line line_of(const turn_report& turn) {
  log_line line;
  line.add_if_given("owner", owner_of(turn.session_id));
  line.add_if_given("session", public_id(turn.session_id)).add_if_given("turn", turn.turn_id);
  line.add_if_given("request", turn.request_id).add_if_given("model", turn.model);
  line.add("outcome", turn.error == errc::none ? "success" : to_string(turn.error));
  line.add_if_given("abortReason", turn.abort_reason).add("finishReason", turn.reason);
  line.add("roundtrips", turn.roundtrips).add("usage", turn.used);
  line.add("totalMs", milliseconds(turn.total_us));
  int64_t queued_us = 0;
  uint32_t attempts = 0;
  for (const auto& each : turn.requests) {
    queued_us += each.queued_us;
    attempts += each.attempts;
  }
  if (!turn.requests.empty() && turn.requests.front().first_token_us > 0)
    line.add("firstTokenMs", milliseconds(turn.requests.front().first_token_us));
  line.add("queuedMs", milliseconds(queued_us)).add("requests", turn.requests.size());
  line.add("attempts", attempts).add("toolCalls", turn.tools.size());
  return line;
}

/// Names and what was repaired; not what the model had written, which is a text of the
/// conversation.
log_line line_of(const turn_report& turn, const repaired_call& call) {
  log_line line;
  line.add_if_given("owner", owner_of(turn.session_id));
  line.add_if_given("session", public_id(turn.session_id)).add_if_given("turn", turn.turn_id);
  line.add_if_given("model", turn.model).add("tool", call.tool).add("mended", call.what);
  return line;
}

/// Ollama, for one, cuts a prompt that is too long, and does not say so.
log_line line_of(const turn_report& turn, const model_report& request) {
  log_line line;
  line.add_if_given("owner", owner_of(turn.session_id));
  line.add_if_given("session", public_id(turn.session_id)).add_if_given("turn", turn.turn_id);
  line.add("model", request.model).add("inputTokens", request.used.input_tokens);
  line.add("contextTokens", request.full_context);
  line.add("message", "The prompt nearly fills the model's context: its server may have left out "
                      "the oldest messages in silence. Raise contextTokens, or begin another chat");
  return line;
}

/// Names and numbers of a model request that an MCP server has caused.
log_line line_of(const sampling_report& sampled) {
  const auto& request = sampled.request;
  log_line line;
  line.add("server", sampled.server).add_if_given("owner", owner_of(sampled.session_id));
  line.add_if_given("session", public_id(sampled.session_id)).add("model", request.model);
  line.add("outcome", request.error == errc::none ? "success" : to_string(request.error));
  line.add("usage", request.used).add("totalMs", milliseconds(request.total_us));
  line.add("attempts", request.attempts);
  return line;
}

bool failed(errc end) {
  return end != errc::none && end != errc::aborted;
}

void write_counts(prometheus_text& out, const session_counts& counts) {
  out.single("troupe_turns_running", metric_kind::gauge, "Turns that run now.",
             static_cast<double>(counts.running_turns));
  out.single("troupe_sessions", metric_kind::gauge, "Chats in memory.",
             static_cast<double>(counts.sessions));
}

void write_servers(prometheus_text& out, const server_list& list) {
  out.single("troupe_mcp_active_flows", metric_kind::gauge, "MCP requests that run now.",
             static_cast<double>(list.active_flows));
  out.family("troupe_mcp_server_up", metric_kind::gauge, "1 for a connected MCP server, else 0.");
  for (const auto& each : list.servers)
    out.sample({{"server", each.name}}, each.health == server_health::success ? 1 : 0);
}

void write_store(prometheus_text& out, const store_status& store) {
  auto counter = [&](std::string_view name, std::string_view help, double value) {
    out.single(name, metric_kind::counter, help, value);
  };
  out.single("troupe_store_up", metric_kind::gauge, "1 while chats can be kept, else 0.",
             store.error ? 0 : 1);
  counter("troupe_store_saves_total", "Writes of chats, settings and keys.",
          static_cast<double>(store.saves));
  counter("troupe_store_commits_total", "Transactions that these writes shared.",
          static_cast<double>(store.commits));
  counter("troupe_store_failures_total", "Writes that failed.",
          static_cast<double>(store.failures));
  counter("troupe_store_commit_seconds_total", "Time spent in commits.",
          static_cast<double>(store.commit_us) / 1e6);
  out.single("troupe_store_largest_commit", metric_kind::gauge, "Most writes in one transaction.",
             static_cast<double>(store.largest_commit));
  out.single("troupe_store_interrupted_turns", metric_kind::gauge,
             "Turns that the end of the process before cut off.",
             static_cast<double>(store.interrupted_turns));
}

struct telemetry_state {
  static inline const char* name = "troupe.telemetry";

  explicit telemetry_state(telemetry_actor::pointer ptr) : self{ptr} {}

  void on_turn(const turn_report& turn) {
    figures.add(turn);
    if (takes(log.get(), log_level::info))
      for (const auto& each : turn.repaired)
        write_log(log.get(), log_level::info, "call_mended", line_of(turn, each));
    if (!turn.requests.empty() && turn.requests.back().full_context > 0)
      write_log(log.get(), log_level::warning, "context_full", line_of(turn, turn.requests.back()));
    auto level = failed(turn.error) ? log_level::warning : log_level::info;
    if (takes(log.get(), level))
      write_log(log.get(), level, "turn", line_of(turn));
  }

  void on_sampling(const sampling_report& sampled) {
    figures.add(sampled);
    auto level = failed(sampled.request.error) ? log_level::warning : log_level::info;
    if (takes(log.get(), level))
      write_log(log.get(), level, "sampling", line_of(sampled));
  }

  /// Asks the hubs and the store at the same time. Gauges of an actor that does not answer are left
  /// out, which is how Prometheus wants unknown values.
  caf::result<std::string> on_status() {
    auto pending = std::make_shared<answer>();
    pending->promise = self->make_response_promise<std::string>();
    figures.write(pending->text);
    ask<session_counts, session_hub_actor>(session_hub_name, pending, write_counts);
    ask<server_list, mcp_hub_for_callers>(mcp_hub_name, pending, write_servers);
    ask<store_status, conversation_store_actor>(conversation_store_name, pending, write_store);
    arrived(*pending);
    return pending->promise;
  }

  struct answer {
    prometheus_text text;
    int missing = 1; ///< answers still to come, plus one until all questions are asked
    caf::typed_response_promise<std::string> promise;
  };

  template <class Counts, class Hub>
  void ask(caf::atom_value hub_name, const std::shared_ptr<answer>& pending,
           void (*write)(prometheus_text&, const Counts&)) {
    auto hub = whereis<Hub>(self->system(), hub_name);
    if (!hub)
      return;
    ++pending->missing;
    self->request(hub, hub_limit, atom::status_v)
        .then(
            [=](const Counts& counts) {
              write(pending->text, counts);
              arrived(*pending);
            },
            [=](const caf::error&) { arrived(*pending); });
  }

  static void arrived(answer& pending) {
    if (--pending.missing == 0)
      pending.promise.deliver(pending.text.take());
  }

  telemetry_actor::pointer self;
  std::shared_ptr<log_port> log;
  turn_figures figures;
};

telemetry_actor::behavior_type telemetry(telemetry_actor::stateful_pointer<telemetry_state> self,
                                         std::shared_ptr<log_port> log) {
  auto& state = self->state;
  quiet(self);
  state.log = std::move(log);
  return {
      [&state](const turn_report& turn) { state.on_turn(turn); },
      [&state](const sampling_report& sampled) { state.on_sampling(sampled); },
      [&state](atom::status) { return state.on_status(); },
  };
}

} // namespace

telemetry_actor spawn_telemetry(caf::local_actor& parent, std::shared_ptr<log_port> log) {
  return parent.spawn<caf::linked>(telemetry, std::move(log));
}

} // namespace troupe

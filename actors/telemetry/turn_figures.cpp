#include "actors/telemetry/turn_figures.hpp"

#include <array>
#include <span>

namespace troupe {

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

} // namespace troupe

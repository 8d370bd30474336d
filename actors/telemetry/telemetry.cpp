#include "actors/telemetry/telemetry.hpp"

#include <chrono>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/telemetry/turn_figures.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

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

/// Names and what was mended; not what the model had written, which is a text of the conversation.
log_line line_of(const turn_report& turn, const mended_call& call) {
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

bool failed(const turn_report& turn) {
  return turn.error != errc::none && turn.error != errc::aborted;
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
      for (const auto& each : turn.mended)
        write_log(log.get(), log_level::info, "call_mended", line_of(turn, each));
    if (!turn.requests.empty() && turn.requests.back().full_context > 0)
      write_log(log.get(), log_level::warning, "context_full", line_of(turn, turn.requests.back()));
    auto level = failed(turn) ? log_level::warning : log_level::info;
    if (takes(log.get(), level))
      write_log(log.get(), level, "turn", line_of(turn));
  }

  /// Asks the hubs and the store at the same time. Gauges of an actor that does not answer are left
  /// out, which is how Prometheus wants unknown values.
  caf::result<std::string> on_status() {
    auto pending = std::make_shared<answer>();
    pending->promise = self->make_response_promise<std::string>();
    figures.write(pending->text);
    ask<session_counts, session_hub_actor>(session_hub_name, pending, write_counts);
    ask<server_list, mcp_hub_actor>(mcp_hub_name, pending, write_servers);
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
      [&state](atom::status) { return state.on_status(); },
  };
}

} // namespace

telemetry_actor spawn_telemetry(caf::local_actor& parent, std::shared_ptr<log_port> log) {
  return parent.spawn<caf::linked>(telemetry, std::move(log));
}

} // namespace troupe

#include "actors/telemetry/telemetry.hpp"

#include "actors/registry.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kept_log.hpp"

namespace telemetry_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class one_telemetry : public deterministic {
public:
  one_telemetry() { open(log_level::debug); }
  ~one_telemetry() {
    close();
    for (auto name : {session_hub_name, mcp_hub_name})
      sys.registry().erase(name);
  }

  void open(log_level least) {
    log = std::make_shared<kept_log>(least);
    parent = make_parent(*this, std::make_shared<std::vector<caf::error>>(),
                         [this](caf::local_actor& on) { made = spawn_telemetry(on, log); });
  }

  void close() { crash(*this, parent); }

  void report(turn_report turn) {
    self->send(made, std::move(turn));
    run();
  }

  /// Registers an actor that answers atom::status like a hub, or not at all.
  template <class Counts>
  void play_hub(caf::atom_value name, Counts counts, bool answers = true) {
    auto hub = sys.spawn([=](caf::event_based_actor* on) -> caf::behavior {
      return {[=](atom::status) -> caf::result<Counts> {
        if (answers)
          return counts;
        return on->make_response_promise<Counts>();
      }};
    });
    sys.registry().put(name, caf::actor_cast<caf::strong_actor_ptr>(hub));
  }

  std::string text() { return ask<std::string>(made, atom::status_v); }

  std::shared_ptr<kept_log> log;
  telemetry_actor made;
  caf::actor parent;
};

turn_report some_turn() {
  turn_report out;
  out.session_id = "chat \"1\"";
  out.turn_id = "turn_1";
  out.request_id = "req_1";
  out.model = "m";
  out.total_us = 1500;
  out.requests.resize(2);
  out.requests[0].attempts = 1;
  out.requests[0].first_token_us = 250;
  out.requests[1].attempts = 2;
  out.requests[1].queued_us = 500;
  out.tools.resize(1);
  out.used.input_tokens = 7;
  out.reason = finish_reason::stop;
  return out;
}

bool holds(const std::string& text, const std::string& what) {
  UNSCOPED_INFO(text);
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE_METHOD(one_telemetry, "a turn becomes one line with its ids and numbers",
                 "[actors][telemetry]") {
  report(some_turn());
  auto lines = log->lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].level == log_level::info);
  CHECK(lines[0].what == "turn");
  CHECK(lines[0].members ==
        R"("session":"chat \"1\"","turn":"turn_1","request":"req_1","model":"m",)"
        R"("outcome":"success","finishReason":"stop","roundtrips":0,)"
        R"("usage":{"inputTokens":7,"outputTokens":0,"totalTokens":0,"reasoningTokens":0,)"
        R"("cachedInputTokens":0},"totalMs":1.5,"firstTokenMs":0.25,"queuedMs":0.5,"requests":2,)"
        R"("attempts":3,"toolCalls":1)");
}

TEST_CASE_METHOD(one_telemetry, "each call that was mended has a line", "[actors][telemetry]") {
  auto turn = some_turn();
  turn.repaired = {{"echo", "repeated"}, {"sum", "case of the name, trailing comma"}};
  report(turn);
  auto lines = log->lines("call_mended");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].level == log_level::info);
  CHECK(lines[0].members == R"("session":"chat \"1\"","turn":"turn_1","model":"m",)"
                            R"("tool":"echo","mended":"repeated")");
  CHECK(holds(lines[1].members, R"("mended":"case of the name, trailing comma")"));
  CHECK(log->lines("turn").size() == 1);
}

TEST_CASE_METHOD(one_telemetry, "a turn that failed is a warning, one that was stopped is not",
                 "[actors][telemetry]") {
  auto failed = some_turn();
  failed.error = errc::model_timeout;
  report(failed);
  auto stopped = some_turn();
  stopped.error = errc::aborted;
  stopped.abort_reason = "client";
  report(stopped);
  auto lines = log->lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].level == log_level::warning);
  CHECK(holds(lines[0].members, R"("outcome":"model_timeout")"));
  CHECK(lines[1].level == log_level::info);
  CHECK(holds(lines[1].members, R"("outcome":"aborted","abortReason":"client")"));
}

TEST_CASE_METHOD(one_telemetry, "without a log turns are counted all the same",
                 "[actors][telemetry]") {
  close();
  SECTION("as nobody takes the lines") {
    open(log_level::error);
  }
  SECTION("as there is none") {
    parent = make_parent(*this, std::make_shared<std::vector<caf::error>>(),
                         [this](caf::local_actor& on) { made = spawn_telemetry(on, nullptr); });
  }
  report(some_turn());
  CHECK(log->lines().empty());
  CHECK(holds(text(), "troupe_turns_total{model=\"m\",outcome=\"success\"} 1\n"));
}

TEST_CASE_METHOD(one_telemetry, "the metrics have what the hubs say", "[actors][telemetry]") {
  server_list list;
  list.active_flows = 3;
  list.servers.resize(2);
  list.servers[0].name = "up";
  list.servers[0].health = server_health::success;
  list.servers[1].name = "down";
  play_hub(session_hub_name, session_counts{5, 2, 9, false});
  play_hub(mcp_hub_name, list);
  auto got = text();
  CHECK(holds(got, "\ntroupe_sessions 5\n"));
  CHECK(holds(got, "\ntroupe_turns_running 2\n"));
  CHECK(holds(got, "\ntroupe_mcp_active_flows 3\n"));
  CHECK(holds(got, "\ntroupe_mcp_server_up{server=\"up\"} 1\n"));
  CHECK(holds(got, "\ntroupe_mcp_server_up{server=\"down\"} 0\n"));
}

TEST_CASE_METHOD(one_telemetry, "a hub that is gone or silent costs its own figures only",
                 "[actors][telemetry]") {
  report(some_turn());
  CHECK(holds(text(), "troupe_turns_total{"));
  play_hub(session_hub_name, session_counts{5, 2, 9, false});
  play_hub(mcp_hub_name, server_list{}, false);
  auto pending = self->request(made, caf::infinite, atom::status_v);
  advance(2s);
  std::string got;
  pending.receive([&](std::string& text) { got = std::move(text); }, [](caf::error&) {});
  CHECK(holds(got, "troupe_sessions 5\n"));
  CHECK_FALSE(got.find("troupe_mcp_active_flows") != got.npos);
}

TEST_CASE_METHOD(one_telemetry, "a prompt that nearly fills the context is a warning",
                 "[actors][telemetry]") {
  report(some_turn());
  CHECK(log->lines("context_full").empty());
  auto full = some_turn();
  full.requests.back().model = "local";
  full.requests.back().full_context = 4096;
  full.requests.back().used.input_tokens = 4000;
  report(full);
  const auto lines = log->lines("context_full");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].level == log_level::warning);
  CHECK(holds(lines[0].members, R"("session":"chat \"1\"","turn":"turn_1","model":"local",)"
                                R"("inputTokens":4000,"contextTokens":4096)"));
}

TEST_CASE_METHOD(one_telemetry, "a model request of an MCP server becomes one line",
                 "[actors][telemetry]") {
  sampling_report sampled{"files", "chat", {}};
  sampled.request.model = "m";
  sampled.request.attempts = 1;
  sampled.request.total_us = 1500;
  sampled.request.used.input_tokens = 7;
  self->send(made, sampled);
  sampled.request.error = errc::model_timeout;
  self->send(made, sampled);
  sampled.request.error = errc::aborted;
  self->send(made, sampled);
  run();
  const auto lines = log->lines("sampling");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].level == log_level::info);
  CHECK(lines[0].members ==
        R"("server":"files","session":"chat","model":"m","outcome":"success",)"
        R"("usage":{"inputTokens":7,"outputTokens":0,"totalTokens":0,"reasoningTokens":0,)"
        R"("cachedInputTokens":0},"totalMs":1.5,"attempts":1)");
  CHECK(lines[1].level == log_level::warning);
  CHECK(holds(lines[1].members, R"("outcome":"model_timeout")"));
  CHECK(lines[2].level == log_level::info);
}

} // namespace telemetry_test

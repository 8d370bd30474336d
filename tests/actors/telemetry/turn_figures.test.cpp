#include "actors/telemetry/telemetry.hpp"

#include <algorithm>
#include <string>

#include "tests/support/catch.hpp"

namespace turn_figures_test {

using namespace troupe;

namespace {

std::string text_of(const turn_figures& figures) {
  prometheus_text out;
  figures.write(out);
  return out.take();
}

bool says(const turn_figures& figures, const std::string& line) {
  auto text = "\n" + text_of(figures);
  UNSCOPED_INFO(text);
  return text.find("\n" + line + "\n") != std::string::npos;
}

size_t lines_with(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

model_report answer(const std::string& model) {
  model_report out;
  out.model = model;
  out.attempts = 1;
  out.queued_us = 20'000;
  out.first_token_us = 300'000;
  out.total_us = 2'000'000;
  out.used.input_tokens = 1000;
  out.used.output_tokens = 20;
  return out;
}

turn_report turn(const std::string& model) {
  turn_report out;
  out.model = model;
  out.total_us = 3'000'000;
  return out;
}

} // namespace

TEST_CASE("a turn counts for its model, once, with how it ended", "[actors][turn_figures]") {
  turn_figures figures;
  auto failed = turn("a");
  failed.error = errc::model_timeout;
  auto aborted = turn("a");
  aborted.error = errc::aborted;
  for (const auto& each : {turn("a"), turn("a"), turn("b"), failed, aborted})
    figures.add(each);
  CHECK(says(figures, R"(troupe_turns_total{model="a",outcome="success"} 2)"));
  CHECK(says(figures, R"(troupe_turns_total{model="b",outcome="success"} 1)"));
  CHECK(says(figures, R"(troupe_turns_total{model="a",outcome="model_timeout"} 1)"));
  CHECK(says(figures, R"(troupe_turns_total{model="a",outcome="aborted"} 1)"));
  CHECK(says(figures, R"(troupe_turn_duration_seconds_bucket{model="a",le="2.5"} 0)"));
  CHECK(says(figures, R"(troupe_turn_duration_seconds_bucket{model="a",le="5"} 4)"));
  CHECK(says(figures, R"(troupe_turn_duration_seconds_sum{model="a"} 12)"));
}

TEST_CASE("each model request counts for the model that answered", "[actors][turn_figures]") {
  turn_figures figures;
  auto one = turn("a");
  one.requests = {answer("a"), answer("spare")};
  one.requests[1].attempts = 3;
  one.requests[1].error = errc::model_overloaded;
  one.requests[1].first_token_us = 0;
  one.requests[1].used = {};
  figures.add(one);
  const std::string chat = R"({gen_ai_operation_name="chat",gen_ai_request_model=)";
  const std::string duration = "gen_ai_client_operation_duration_seconds";
  CHECK(says(figures, duration + "_bucket" + chat + R"("a",le="1.28"} 0)"));
  CHECK(says(figures, duration + "_bucket" + chat + R"("a",le="2.56"} 1)"));
  CHECK(says(figures, duration + "_count" + chat + R"("spare",error_type="model_overloaded"} 1)"));
  const std::string first = "gen_ai_client_operation_time_to_first_chunk_seconds";
  CHECK(says(figures, first + "_sum" + chat + R"("a"} 0.3)"));
  CHECK(says(figures, first + "_count" + chat + R"("spare"} 0)"));
  const std::string tokens = "gen_ai_client_token_usage";
  CHECK(says(figures, tokens + "_sum" + chat + R"("a",gen_ai_token_type="input"} 1000)"));
  CHECK(says(figures, tokens + "_bucket" + chat + R"("a",gen_ai_token_type="output",le="16"} 0)"));
  CHECK(says(figures, tokens + "_bucket" + chat + R"("a",gen_ai_token_type="output",le="64"} 1)"));
  CHECK(says(figures, tokens + "_count" + chat + R"("spare",gen_ai_token_type="input"} 0)"));
  CHECK(says(figures, R"(troupe_model_retries_total{model="a"} 0)"));
  CHECK(says(figures, R"(troupe_model_retries_total{model="spare"} 2)"));
  CHECK(says(figures, R"(troupe_model_queue_seconds_sum{model="a"} 0.02)"));
}

TEST_CASE("each tool call counts for its server and its tool", "[actors][turn_figures]") {
  turn_figures figures;
  auto one = turn("a");
  one.tools = {{"files", "read", 30'000, errc::none},
               {"files", "read", 30'000, errc::none},
               {"files", "write", 10'000, errc::tool_timeout}};
  figures.add(one);
  CHECK(says(figures, R"(troupe_tool_calls_total{server="files",outcome="success"} 2)"));
  CHECK(says(figures, R"(troupe_tool_calls_total{server="files",outcome="tool_timeout"} 1)"));
  const std::string read = R"({gen_ai_operation_name="execute_tool",gen_ai_tool_name="read",)";
  CHECK(says(figures, "gen_ai_execute_tool_duration_seconds_bucket" + read +
                          R"(server="files",le="0.02"} 0)"));
  CHECK(says(figures, "gen_ai_execute_tool_duration_seconds_bucket" + read +
                          R"(server="files",le="0.04"} 2)"));
  CHECK(
      says(figures, "gen_ai_execute_tool_duration_seconds_count" +
                        std::string{R"({gen_ai_operation_name="execute_tool",)"} +
                        R"(gen_ai_tool_name="write",server="files",error_type="tool_timeout"} 1)"));
}

TEST_CASE("names beyond the bound share a row", "[actors][turn_figures]") {
  turn_figures figures;
  for (size_t i = 0; i < turn_figures::max_names + 50; ++i) {
    auto one = turn("model" + std::to_string(i));
    one.tools = {{i % 2 ? "odd" : "even", "tool" + std::to_string(i), 1, errc::none}};
    figures.add(one);
  }
  CHECK(says(figures, R"(troupe_turns_total{model="model199",outcome="success"} 1)"));
  CHECK(says(figures, R"(troupe_turns_total{model="other",outcome="success"} 50)"));
  CHECK(says(figures, R"(troupe_tool_calls_total{server="odd",outcome="success"} 125)"));
  auto text = text_of(figures);
  CHECK(lines_with(text, "\ntroupe_turns_total{") == turn_figures::max_names + 1);
  // The last bucket is the count, so that each row has one such line.
  CHECK(lines_with(text, "\ngen_ai_execute_tool_duration_seconds_count{") ==
        turn_figures::max_names + 2);
  figures.add(turn("model0"));
  CHECK(says(figures, R"(troupe_turns_total{model="model0",outcome="success"} 2)"));
}

TEST_CASE("a model request of an MCP server counts for its model and its server",
          "[actors][turn_figures]") {
  turn_figures figures;
  sampling_report failed{"s", "", answer("m")};
  failed.request.error = errc::model_timeout;
  failed.request.used = {};
  figures.add(sampling_report{"s", "", answer("m")});
  figures.add(sampling_report{"s", "chat", answer("m")});
  figures.add(failed);
  const std::string duration = "gen_ai_client_operation_duration_seconds_count";
  CHECK(says(figures, duration + R"({gen_ai_operation_name="chat",gen_ai_request_model="m"} 2)"));
  CHECK(says(figures, duration + R"({gen_ai_operation_name="chat",gen_ai_request_model="m",)"
                                 R"(error_type="model_timeout"} 1)"));
  CHECK(says(figures, R"(troupe_mcp_sampling_requests_total{server="s",outcome="success"} 2)"));
  CHECK(
      says(figures, R"(troupe_mcp_sampling_requests_total{server="s",outcome="model_timeout"} 1)"));
  CHECK(says(figures, R"(troupe_mcp_sampling_tokens_total{server="s",type="input"} 2000)"));
  CHECK(says(figures, R"(troupe_mcp_sampling_tokens_total{server="s",type="output"} 40)"));
  CHECK(lines_with(text_of(figures), "troupe_turns_total{") == 0);
}

} // namespace turn_figures_test

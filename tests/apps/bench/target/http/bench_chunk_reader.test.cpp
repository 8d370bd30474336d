#include "apps/bench/target/http/answer_readers.hpp"

#include <set>

#include "tests/apps/bench/target/http/bench_answers.hpp"
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/support/catch.hpp"

namespace bench_chunk_reader_test {

using namespace troupe;
using namespace troupe::test;
using bench::chunk_answer_reader;

namespace {

/// What the reader does on purpose otherwise than the engine's decoder, by the fixture's name.
bool is_read_otherwise(const std::string& name) {
  static const std::set<std::string> framed_badly{"sse_blank_line_missing", "sse_line_end_missing",
                                                  "sse_text_between_json", "sse_two_in_one_event",
                                                  "text_of_head"};
  return name.starts_with("think_tags") || // tags are text as far as a client can see
         name.starts_with("plain_json") || // no stream
         name.starts_with("array_") || name.starts_with("lines_") || framed_badly.contains(name) ||
         name == "stream_as_json" || name == "tool_call_as_text" || name == "html" ||
         name == "finish_then_cut" ||     // the bytes end in order here
         name == "surrogates_split_text"; // each chunk is a piece, half a character or not
}

/// Returns "text*N end" or "text*N failed" of what the engine makes of a body.
std::string expected_signs(const answer_fixture& expected) {
  size_t texts = 0;
  bool well = false;
  for (const auto& line : expected.lines) {
    texts += line.starts_with("TEXT ") ? 1 : 0;
    well = well || line.starts_with("END ");
  }
  auto out = texts > 0 ? fmt::format("text*{} ", texts) : std::string{};
  return out + (well ? "end" : "failed");
}

/// Returns "input=N output=N" as the engine reads them; "" if the answer did not end well.
std::string expected_usage(const answer_fixture& expected) {
  for (const auto& line : expected.lines)
    if (line.starts_with("END "))
      return line.substr(line.find("input="), line.find(" total=") - line.find("input="));
  return {};
}

std::string without_code(const std::string& observations) {
  return observations.substr(0, observations.find('('));
}

} // namespace

TEST_CASE("recorded answers have the text and the count that the engine finds, at every cut",
          "[apps][bench]") {
  size_t read = 0;
  const answer_fixtures corpus{"openai"};
  for (const auto& each : corpus.all()) {
    if (each.frame.status != 200 || is_read_otherwise(each.name))
      continue;
    INFO(each.name);
    ++read;
    CHECK(without_code(observations_at_every_cut<chunk_answer_reader>(each.body)) ==
          expected_signs(each));
    const auto used = read_by<chunk_answer_reader>({each.body}).used;
    if (const auto counted = expected_usage(each); !counted.empty())
      CHECK(fmt::format("input={} output={}", used.input_tokens, used.output_tokens) == counted);
  }
  CHECK(read > 60);
}

TEST_CASE("chunks that differ in their text alone are each one piece", "[apps][bench]") {
  std::string body;
  for (const auto* said : {"a", "b\\\"", "", "\\u00e4"})
    body += fmt::format("data: {{\"id\":\"1\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":"
                        "\"{}\"}},\"finish_reason\":null}}]}}\n\n",
                        said);
  const auto read = read_by<chunk_answer_reader>({body + "data: [DONE]\n\n"});
  CHECK(read.observations == "text*3 end");
  CHECK(read.text == "ab\\\"\\u00e4");
}

TEST_CASE("a finish reason and an orderly end are as good as [DONE]", "[apps][bench]") {
  const std::string chunk =
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  CHECK(read_by<chunk_answer_reader>({chunk}).observations == "end");
  CHECK(read_by<chunk_answer_reader>({"data: {\"choices\":[]}\n\n"}).observations ==
        "failed(model_stream_cut)");
}

TEST_CASE("an error in the middle of chunks ends the turn at once", "[apps][bench]") {
  const auto read = read_by<chunk_answer_reader>(
      {"data: {\"error\":{\"message\":\"slow down\",\"code\":429}}\n\ndata: [DONE]\n\n"});
  CHECK(read.observations == "failed(model_rate_limited)");
  CHECK(read.failure.find("slow down") != std::string::npos);
}

} // namespace bench_chunk_reader_test

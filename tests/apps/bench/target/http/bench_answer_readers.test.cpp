#include "apps/bench/target/engine_target.hpp"
#include "apps/bench/target/http/answer_readers.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/clients/ui/ui_message_stream.hpp"
#include "tests/apps/bench/target/http/bench_answers.hpp"
#include "tests/support/catch.hpp"

namespace bench_answer_readers_test {

using namespace troupe;
using namespace troupe::test;
using bench::native_answer_reader;
using bench::ui_answer_reader;

namespace {

std::string ui_body(const event_batch& batch) {
  json_buffer out;
  ui_message_stream stream{ui_profile::v7};
  stream.encode(batch, out);
  return std::string{view(out)};
}

std::string native_body(const event_batch& batch) {
  json_buffer out;
  append_native_sse(out, batch);
  return std::string{view(out)};
}

event_batch batch_of(std::vector<event> events) {
  event_batch out;
  out.first_seq = 1;
  out.events = std::move(events);
  return out;
}

} // namespace

TEST_CASE("a UI message stream gives the same observations however it is cut", "[apps][bench]") {
  CHECK(observations_at_every_cut<ui_answer_reader>(ui_body(tool_turn())) ==
        "model_request text*2 arguments_end tool_end model_request text*3 end");
}

TEST_CASE("native events give the same observations however they are cut", "[apps][bench]") {
  CHECK(observations_at_every_cut<native_answer_reader>(native_body(tool_turn())) ==
        "model_request text*2 arguments_end tool_start tool_end model_request text*3 end");
}

TEST_CASE("events in the process give the observations that their stream gives", "[apps][bench]") {
  std::vector<turn_observation> observations;
  bench::event_observations events;
  events.read(tool_turn(), {}, false, observations);
  CHECK(as_text(observations) ==
        "event model_request text*2 arguments_end tool_start tool_end model_request text*3 end");
  CHECK(observations.back().bytes == 28);
}

TEST_CASE("the model's count of a turn comes with its end", "[apps][bench]") {
  const auto ui = read_by<ui_answer_reader>({ui_body(tool_turn())});
  CHECK(ui.used.input_tokens == 30);
  CHECK(ui.used.output_tokens == 12);
  const auto native = read_by<native_answer_reader>({native_body(tool_turn())});
  CHECK(native.used.input_tokens == 30);
  CHECK(native.used.output_tokens == 12);
  std::vector<turn_observation> observations;
  bench::event_observations events;
  events.read(tool_turn(), {}, false, observations);
  CHECK(observations.back().used.output_tokens == 12);
}

TEST_CASE("a server on the AI SDK may give its own name to the count", "[apps][bench]") {
  const auto read = read_by<ui_answer_reader>(
      {R"(data: {"type":"finish","messageMetadata":{"usage":{"outputTokens":1},"totalUsage":{"inputTokens":3,"outputTokens":4}}})"
       "\n\ndata: [DONE]\n\n"});
  CHECK(read.observations == "end");
  CHECK(read.used.input_tokens == 3);
  CHECK(read.used.output_tokens == 4);
}

TEST_CASE("pieces of text that came with one read are one sign", "[apps][bench]") {
  ui_answer_reader reader{0};
  std::vector<turn_observation> observations;
  reader.feed("data: {\"type\":\"text-delta\",\"id\":\"1\",\"delta\":\"a\"}\n\n"
              "data: {\"type\":\"text-delta\",\"id\":\"1\",\"delta\":\"b\"}\n\n",
              observations);
  REQUIRE(observations.size() == 1);
  CHECK(observations[0].count == 2);
}

TEST_CASE("a UI stream's text and message id are kept as they will be sent again",
          "[apps][bench]") {
  const auto read = read_by<ui_answer_reader>({ui_body(tool_turn())});
  CHECK(read.text == "Let \\\"me\\\" look. \xF0\x9F\x98\x80It is 1.\\n");
  CHECK(read.message_id == "msg_1");
}

TEST_CASE("text that is too long to keep is counted and not kept", "[apps][bench]") {
  ui_answer_reader reader{4};
  std::vector<turn_observation> observations;
  for (int i = 0; i < 3; ++i)
    reader.feed("data: {\"type\":\"text-delta\",\"id\":\"1\",\"delta\":\"abc\"}\n\n", observations);
  CHECK(as_text(observations) == "text*3");
  CHECK(reader.take_text().empty());
}

TEST_CASE("empty pieces, thoughts and other strings are no text", "[apps][bench]") {
  const auto* body = "data: {\"type\":\"text-start\",\"id\":\"1\"}\n\n"
                     "data: {\"type\":\"text-delta\",\"id\":\"1\",\"delta\":\"\"}\n\n"
                     "data: {\"type\":\"reasoning-delta\",\"id\":\"2\",\"delta\":\"a\"}\n\n"
                     "data: {\"type\":\"tool-input-delta\",\"toolCallId\":\"text-delta\","
                     "\"inputTextDelta\":\"{\"}\n\n"
                     "data: {\"type\":\"data-x\",\"data\":{\"type\":\"text-delta\",\"delta\":"
                     "\"a\"}}\n\ndata: [DONE]\n\n";
  CHECK(observations_at_every_cut<ui_answer_reader>(body) == "end");
}

TEST_CASE("a text chunk is told by its members, wherever they stand", "[apps][bench]") {
  CHECK(read_by<ui_answer_reader>(
            {"data: { \"delta\" : \"a\" , \"id\":\"1\", \"type\" : \"text-delta\" }\n\n"
             "data: {\"type\":\"text-delta\",\"providerMetadata\":{\"x\":{\"delta\":1}},"
             "\"delta\":\"b\",\"id\":\"1\"}\n\n"
             "data: {\"type\":\"text-delta\",\"delta\":null,\"id\":\"1\"}\n\ndata: [DONE] \n\n"})
            .observations == "text*2 end");
}

TEST_CASE("an output that is not the last one of its tool is not its end", "[apps][bench]") {
  CHECK(read_by<ui_answer_reader>(
            {"data: {\"type\":\"tool-output-available\",\"toolCallId\":\"c\",\"output\":1,"
             "\"preliminary\":true}\n\n"
             "data: {\"type\":\"tool-output-available\",\"toolCallId\":\"c\",\"output\":2}\n\n"
             "data: [DONE]\n\n"})
            .observations == "tool_end end");
}

TEST_CASE("a turn that failed tells why in every protocol", "[apps][bench]") {
  const auto turn = batch_of({session_start{}, model_response_waiting{}, text_delta{"a"},
                              session_error{errc::model_overloaded, "too \"busy\"", true}});
  const auto ui = read_by<ui_answer_reader>({ui_body(turn)});
  CHECK(ui.observations == "model_request text*1 failed(model_overloaded)");
  CHECK(ui.failure == "too \"busy\"");
  const auto native = read_by<native_answer_reader>({native_body(turn)});
  CHECK(native.observations == "model_request text*1 failed(model_overloaded)");
  CHECK(native.failure == "too \"busy\"");
  std::vector<turn_observation> observations;
  bench::event_observations{}.read(turn, {}, false, observations);
  CHECK(as_text(observations) == "event model_request text*1 failed(model_overloaded)");
}

TEST_CASE("an error part of another server is a failure of the model", "[apps][bench]") {
  CHECK(read_by<ui_answer_reader>(
            {"data: {\"type\":\"error\",\"errorText\":\"no\"}\n\ndata: [DONE]\n\n"})
            .observations == "failed(model_failed)");
  CHECK(read_by<ui_answer_reader>({"data: {\"type\":\"error\",\"errorText\":\"no\"}\n\n"})
            .observations == "failed(model_failed)");
}

TEST_CASE("a stop is the proper end of a turn that was stopped, and of no other", "[apps][bench]") {
  const auto turn =
      batch_of({session_start{}, text_delta{"a"}, abort_event{"stop"}, session_end{}});
  for (const bool expected : {false, true}) {
    const std::string last = expected ? "end" : "failed(aborted)";
    CHECK(read_by<ui_answer_reader>({ui_body(turn)}, expected).observations ==
          "model_request text*1 " + last);
    CHECK(read_by<native_answer_reader>({native_body(turn)}, expected).observations ==
          "text*1 " + last);
    std::vector<turn_observation> observations;
    bench::event_observations{}.read(turn, {}, expected, observations);
    CHECK(as_text(observations) == "event text*1 " + last);
  }
}

TEST_CASE("an answer that ends before its terminator has failed", "[apps][bench]") {
  const auto ui = ui_body(tool_turn());
  const auto native = native_body(tool_turn());
  CHECK(read_by<ui_answer_reader>({ui.substr(0, ui.rfind("data: [DONE]"))})
            .observations.ends_with("failed(model_stream_cut)"));
  CHECK(read_by<native_answer_reader>({native.substr(0, native.rfind("event: SESSION_END"))})
            .observations.ends_with("failed(model_stream_cut)"));
  CHECK(read_by<ui_answer_reader>({}).observations == "failed(model_stream_cut)");
}

TEST_CASE("garbage is a failure, and nothing behind the end counts", "[apps][bench]") {
  CHECK(
      read_by<ui_answer_reader>({"<html>\n\ndata: {\"type\":\n\ndata: nothing\n\n"}).observations ==
      "failed(model_stream_cut)");
  CHECK(read_by<ui_answer_reader>(
            {"data: [DONE]\n\ndata: {\"type\":\"text-delta\",\"delta\":\"a\"}\n\n"})
            .observations == "end");
}

} // namespace bench_answer_readers_test

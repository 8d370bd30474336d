#include "messages/wire/openai_chat/openai_answer.hpp"
#include "messages/wire/provider/answer_decoder.hpp"

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/providers.hpp"
#include "tests/support/catch.hpp"

namespace openai_decoder_test {

using namespace troupe;

namespace {

struct answer {
  std::vector<event> events;
  model_end end;
};

answer decode(std::string_view body, uint16_t status = 200,
              std::string_view content_type = "text/event-stream") {
  answer_decoder decoder{std::make_unique<openai_answer>("made-")};
  decoder.head(status, content_type, "");
  answer result;
  result.end = decoder.feed(body, result.events);
  if (!result.end.over)
    result.end = decoder.finish({}, result.events);
  return result;
}

std::string delta(std::string_view json) {
  return fmt::format("data: {{\"choices\":[{{\"index\":0,\"delta\":{}}}]}}\n\n", json);
}

std::string call(std::string_view index, std::string_view name, std::string_view arguments) {
  return delta(
      fmt::format(R"({{"tool_calls":[{{"index":{},"function":{{"name":"{}","arguments":{}}}}}]}})",
                  index, name, to_json(arguments)));
}

} // namespace

TEST_CASE("nothing is read and nothing is said after the end", "[messages][openai_chat]") {
  answer_decoder decoder{std::make_unique<openai_answer>("made-")};
  decoder.head(200, "text/event-stream", "");
  std::vector<event> out;
  CHECK_FALSE(decoder.feed(delta(R"({"content":"a"})"), out).over);
  CHECK(decoder.feed("data: [DONE]\n\n", out).over);
  auto before = out.size();
  CHECK(decoder.feed(delta(R"({"content":"b"})"), out).over);
  auto end = decoder.finish({errc::connection_cut, "late"}, out);
  CHECK(end.over);
  CHECK_FALSE(end.error);
  CHECK(end.reason == finish_reason::stop);
  CHECK(out.size() == before);
}

TEST_CASE("an answer is finished with its reason, unless more of it follows",
          "[messages][openai_chat]") {
  answer_decoder decoder{std::make_unique<openai_answer>("made-")};
  decoder.head(200, "text/event-stream", "");
  std::vector<event> out;
  auto finished = [&](const std::string& bytes) {
    auto end = decoder.feed(bytes, out);
    CHECK_FALSE(end.over);
    return end.finished;
  };
  const std::string finish =
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  CHECK_FALSE(finished(delta(R"({"content":"a"})")));
  CHECK(finished(finish));
  CHECK(finished(": ping\n\n"));
  CHECK(finished("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\n"));
  CHECK(finished(delta(R"({"content":""})")));
  CHECK_FALSE(finished(delta(R"({"content":"b"})")));
  CHECK_FALSE(finished(finish));
  CHECK(decoder.feed("data: [DONE]\n\n", out).over);
}

TEST_CASE("what is no answer is finished when it is seen to be none", "[messages][openai_chat]") {
  auto finished = [](uint16_t status, std::string_view bytes) {
    answer_decoder decoder{std::make_unique<openai_answer>("made-")};
    decoder.head(status, "text/plain", "");
    std::vector<event> out;
    auto end = decoder.feed(bytes, out);
    CHECK_FALSE(end.over);
    return end.finished;
  };
  CHECK(finished(401, "{"));
  CHECK(finished(200, "<html>"));
  CHECK(finished(200, "no slot"));
  CHECK(finished(200, "["));
  CHECK_FALSE(finished(200, "dat"));
  CHECK_FALSE(finished(200, R"({"choices":[{"index":0,"message":{"content":"a"}}]})"));
}

TEST_CASE("an answer of a model whose prompt opened the tag begins with thoughts",
          "[messages][openai_chat]") {
  model_config model;
  model.start_with_reasoning = true;
  auto read = [&](const std::string& body) {
    auto decoder = find_provider("openai")->make_decoder(model, "made-");
    decoder->head(200, "", "");
    std::vector<event> out;
    CHECK(decoder->feed(body + "data: [DONE]\n\n", out).over);
    std::string all; // thoughts in brackets
    for (const auto& each : out)
      if (const auto* thought = std::get_if<reasoning_delta>(&each))
        all += '(' + thought->text + ')';
      else
        all += std::get<text_delta>(each).text;
    return all;
  };
  const auto part = delta(R"({"content":"a"})");
  CHECK(read(part + delta(R"({"content":"</think>\n\n"})") + delta(R"({"content":"b"})")) ==
        "(a)b");
  // A server with a reasoning parser of its own.
  CHECK(read(delta(R"({"reasoning_content":"a"})") + delta(R"({"content":"b"})")) == "(a)b");
  CHECK(read(part) == "(a)");
}

TEST_CASE("more tool calls than the bound fail the answer", "[messages][openai_chat]") {
  std::string body;
  for (size_t i = 0; i < tool_call_assembler::max_calls; ++i)
    body += call(std::to_string(i), "t", "{}");
  CHECK_FALSE(decode(body + "data: [DONE]\n\n").end.error);
  auto over = decode(body + call("1000", "t", "{}") + "data: [DONE]\n\n");
  CHECK(over.end.error.code == errc::model_answer_invalid);
  CHECK(over.end.reason == finish_reason::error);
}

TEST_CASE("more arguments than the bound fail the answer", "[messages][openai_chat]") {
  const std::string piece(200'000, 'x');
  std::string body = call("0", "t", "{\"a\":\"");
  for (int i = 0; i < 5; ++i)
    body += call("0", "", piece);
  CHECK_FALSE(decode(body + "data: [DONE]\n\n").end.error);
  CHECK(decode(body + call("0", "", piece)).end.error.code == errc::model_answer_invalid);
}

TEST_CASE("an event beyond the bound fails the answer, and what came before stands",
          "[messages][openai_chat]") {
  auto body =
      delta(R"({"content":"ok"})") + "data: " + std::string(answer_decoder::max_event_bytes, ' ');
  auto over = decode(body);
  CHECK(over.end.error.code == errc::model_answer_invalid);
  CHECK(over.events.size() == 1);
}

TEST_CASE("a plain answer beyond the bound fails", "[messages][openai_chat]") {
  auto body = "{\"a\":\"" + std::string(answer_decoder::max_document_bytes, 'x');
  CHECK(decode(body).end.error.code == errc::model_answer_invalid);
}

TEST_CASE("deep JSON is refused or passed over, in every place", "[messages][openai_chat]") {
  std::string deep(300'000, '[');
  std::string closed = deep + std::string(300'000, ']');
  for (const auto& json : {deep, closed}) {
    CHECK(decode("data: " + json + "\n\n").end.error);
    CHECK(decode(json).end.error);
    CHECK(decode(json, 500, "application/json").end.error);
    CHECK(decode(delta(R"({"content":)" + json + "}")).end.error);
    CHECK(decode(delta(R"({"tool_calls":)" + json + "}")).end.error);
    CHECK(decode(R"(data: {"choices":[],"error":)" + json + "}\n\n").end.error);
    CHECK(decode(R"(data: {"choices":[],"usage":)" + json + "}\n\n").end.error);
  }
}

TEST_CASE("a known shape with a bad escape is read like any other bad text",
          "[messages][openai_chat]") {
  auto good = delta(R"({"content":"a"})");
  auto result = decode(good + delta(R"({"content":"b\"}, x"})") + good + "data: [DONE]\n\n");
  REQUIRE(result.events.size() == 3);
  CHECK(std::get<text_delta>(result.events[1]).text == "b\"}, x");
  auto two = decode(good + delta(R"({"content":"b","reasoning":"r"})") + "data: [DONE]\n\n");
  REQUIRE(two.events.size() == 3);
  CHECK(std::get<reasoning_delta>(two.events[1]).text == "r");
}

TEST_CASE("text that interrupts tool calls comes after their completion",
          "[messages][openai_chat]") {
  auto result = decode(call("0", "t", "{}") + delta(R"({"content":"so"})") + "data: [DONE]\n\n");
  REQUIRE(result.events.size() == 4);
  CHECK(std::holds_alternative<tool_args_complete>(result.events[2]));
  CHECK(std::holds_alternative<text_delta>(result.events[3]));
  CHECK(result.end.reason == finish_reason::tool_calls);
}

TEST_CASE("reasons mean the same however a server writes them", "[messages][openai_chat]") {
  auto ended = [](const std::string& reason) {
    return decode(R"(data: {"choices":[{"delta":{"content":"a"},"finish_reason":")" + reason +
                  "\"}]}\n\ndata: [DONE]\n\n")
        .end.reason;
  };
  CHECK(ended("MAX_TOKENS") == finish_reason::length);
  CHECK(ended("STOP") == finish_reason::stop);
  CHECK(ended("content_filter: PROHIBITED_CONTENT") == finish_reason::content_filter);
  CHECK(ended("function_call_filter: MALFORMED_FUNCTION_CALL") == finish_reason::error);
  CHECK(ended("insufficient_system_resource") == finish_reason::error);
  CHECK(ended("sensitive") == finish_reason::content_filter);
  CHECK(ended("stopped") == finish_reason::other);
}

TEST_CASE("the reason is also kept as the server spelled it", "[messages][openai_chat]") {
  auto ended = [](const std::string& reason) {
    return decode(R"(data: {"choices":[{"delta":{"content":"a"},"finish_reason":)" + reason +
                  "}]}\n\ndata: [DONE]\n\n")
        .end;
  };
  CHECK(ended(R"("eos_token")").raw_reason == "eos_token");
  CHECK(ended(R"("eos_token")").reason == finish_reason::stop);
  CHECK(ended(R"("tool_calls")").raw_reason == "tool_calls");
  CHECK(ended(R"("tool_calls")").reason == finish_reason::stop);
  CHECK(ended(R"("m\u00fcde")").raw_reason == "m\u00fcde");
  CHECK(ended("null").raw_reason.empty());
}

TEST_CASE("much sealed reasoning is dropped, and the answer goes on", "[messages][openai_chat]") {
  auto details = delta(R"({"content":"a","reasoning_details":[{"type":"x","data":")" +
                       std::string(300'000, 'A') + R"("}]})");
  CHECK(decode(details + "data: [DONE]\n\n").end.provider_metadata.size() > 300'000);
  auto much = decode(details + details + details + details + "data: [DONE]\n\n");
  CHECK_FALSE(much.end.error);
  CHECK(much.events.size() == 4);
  CHECK(much.end.provider_metadata.empty());
}

TEST_CASE("chunks of one shape that hold more than text are read each", "[messages][openai_chat]") {
  auto chunk = delta(R"({"content":"a","reasoning_details":[{"type":"t","text":"x"}]})");
  CHECK(decode(chunk + chunk + "data: [DONE]\n\n").end.provider_metadata ==
        R"({"openai":{"reasoning_details":[{"type":"t","text":"xx"}]}})");
  auto first = delta(R"({"content":"a"})");
  auto signed_one = delta(R"({"content":"a","extra_content":{"g":{"s":"1"}}})");
  CHECK(decode(first + signed_one + first + "data: [DONE]\n\n").end.provider_metadata ==
        R"({"g":{"s":"1"}})");
}

TEST_CASE("broken metadata are left out", "[messages][openai_chat]") {
  for (const char* extra : {"[]", "{\"a\":1}", "{\"a\":{\"b\":tru}}", "\"s\"", "null"}) {
    auto result = decode(delta(std::string{R"({"tool_calls":[{"function":{"name":"t"},)"} +
                               R"("extra_content":)" + extra + "}]}") +
                         "data: [DONE]\n\n");
    REQUIRE(result.events.size() == 2);
    CHECK(std::get<tool_args_complete>(result.events[1]).provider_metadata.text.empty());
  }
}

TEST_CASE("the status decides who is to blame", "[messages][openai_chat]") {
  auto code = [](int status) { return decode("no", static_cast<uint16_t>(status)).end.error.code; };
  for (int status : {300, 301, 401, 403, 404})
    CHECK(code(status) == errc::model_refused);
  for (int status : {400, 413, 422})
    CHECK(code(status) == errc::model_request_invalid);
  CHECK(code(402) == errc::model_quota_exhausted);
  CHECK(code(429) == errc::model_rate_limited);
  for (int status : {503, 529})
    CHECK(code(status) == errc::model_overloaded);
  for (int status : {408, 500, 502, 504})
    CHECK(code(status) == errc::model_failed);
}

TEST_CASE("an endless refusal is read up to a bound", "[messages][openai_chat]") {
  answer_decoder decoder{std::make_unique<openai_answer>("made-")};
  decoder.head(500, "text/plain", "");
  std::vector<event> out;
  CHECK_FALSE(decoder.feed(std::string(8000, 'x'), out).over);
  auto end = decoder.feed(std::string(8000, 'x'), out);
  CHECK(end.over);
  CHECK(end.error.message.size() < 300);
}

} // namespace openai_decoder_test

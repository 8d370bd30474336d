// What a refusal says about trying again, and what it leaves to find out.
#include "tests/actors/model/stream_listener.hpp"
#include "tests/support/kept_log.hpp"

namespace model_stream_hints_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(stream_listener, "a delay that an error's body names is kept",
                 "[actors][model_stream]") {
  open();
  call().head(429, "application/json");
  call().bytes(R"({"error":{"code":429,"message":"slow","details":[{"retryDelay":"3.5s"}]}})");
  call().end();
  run();
  advance(3499ms);
  CHECK(http.calls.size() == 1);
  advance(1ms);
  CHECK(http.calls.size() == 2);
}

TEST_CASE_METHOD(stream_listener, "a delay that an error inside of a stream names is kept",
                 "[actors][model_stream]") {
  open();
  call().head(200, "text/event-stream");
  call().bytes("data: {\"error\":{\"code\":429,\"message\":\"slow\","
               "\"details\":[{\"retryDelay\":\"3.5s\"}]}}\n\n");
  run();
  advance(3499ms);
  CHECK(http.calls.size() == 1);
  advance(1ms);
  CHECK(http.calls.size() == 2);
}

TEST_CASE_METHOD(stream_listener, "a 404 asks whether the base URL is right where it is unusual",
                 "[actors][model_stream]") {
  const std::string hint =
      " (HTTP 404; is base_url right? As a rule it is like https://api.openai.com/v1)";
  const auto text_for = [this](const std::string& base_url,
                               const std::string& told = "There is nothing.") {
    model().base_url = base_url;
    model().model = "some-model";
    const auto& asker = open();
    call().head(404, "application/json");
    call().bytes(R"({"error":{"message":")" + told + R"("}})");
    call().end();
    run();
    return asker.outputs.back().error_text;
  };
  CHECK(text_for("http://127.0.0.1:9") == "There is nothing." + hint);
  CHECK(text_for("http://127.0.0.1:9/v2/") == "There is nothing." + hint);
  CHECK(text_for("http://127.0.0.1:9/v1/") == "There is nothing.");
  CHECK(text_for("https://a.example/api/v1") == "There is nothing.");
  CHECK(text_for("http://127.0.0.1:9", "No model 'some-model'.") == "No model 'some-model'.");
  CHECK(text_for("http://127.0.0.1:9", "No /some-model here.") == "No /some-model here." + hint);
}

TEST_CASE_METHOD(stream_listener, "a quota that is used up is not asked again",
                 "[actors][model_stream]") {
  open();
  call().head(429, "application/json");
  call().bytes(R"({"error":{"message":"You are out.","code":"insufficient_quota"}})");
  call().end();
  run();
  advance(1h);
  CHECK(http.calls.size() == 1);
  CHECK(end().error == errc::model_quota_exhausted);
}

TEST_CASE_METHOD(stream_listener, "a server that says not to try again is believed",
                 "[actors][model_stream]") {
  open();
  http_part part;
  part.status = 529;
  part.content_type = "application/json";
  part.should_retry = 0;
  call().deliver(std::move(part));
  call().bytes(R"({"error":{"message":"no"}})");
  call().end();
  run();
  advance(1h);
  CHECK(http.calls.size() == 1);
  CHECK(end().error == errc::model_overloaded);
}

TEST_CASE_METHOD(stream_listener, "a request that is refused is made once without its seals",
                 "[actors][model_stream]") {
  sealed_reasoning =
      R"({"openai":{"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]}})";
  open();
  CHECK(http.calls[0]->request.body.find("reasoning_details") != std::string::npos);
  refuse(400);
  REQUIRE(http.calls.size() == 2);
  CHECK(http.calls[1]->request.body.find("reasoning_details") == std::string::npos);
  SECTION("which the model may take") {
    answer({"hello"});
    CHECK(text() == "hello");
    CHECK(end().report.attempts == 2);
  }
  SECTION("which may be refused, too") {
    refuse(400);
    CHECK(http.calls.size() == 2);
    CHECK(end().error == errc::model_request_invalid);
  }
  SECTION("which is tried again like any other") {
    refuse(503, "1");
    advance(1s);
    REQUIRE(http.calls.size() == 3);
    CHECK(http.calls[2]->request.body == http.calls[1]->request.body);
  }
}

TEST_CASE_METHOD(stream_listener, "a bound that a server does not know is sent by its other name",
                 "[actors][model_stream]") {
  constexpr auto refused = R"({"error":{"message":"Unsupported parameter: 'max_tokens'"}})";
  model().generation.max_output_tokens = 7;
  open();
  CHECK(http.calls[0]->request.body.find(R"("max_tokens":7)") != std::string::npos);
  auto refuse_bound = [&](const char* body) {
    call().head(400, "application/json");
    call().bytes(body);
    call().end();
    run();
  };
  refuse_bound(refused);
  REQUIRE(http.calls.size() == 2);
  CHECK(http.calls[1]->request.body.find(R"("max_completion_tokens":7)") != std::string::npos);
  SECTION("which it takes") {
    answer({"hello"});
    CHECK(text() == "hello");
    CHECK(end().report.attempts == 2);
  }
  SECTION("which is done once for an answer") {
    refuse_bound(R"({"error":{"message":"Unknown parameter: 'max_completion_tokens'"}})");
    CHECK(http.calls.size() == 2);
    CHECK(end().error == errc::model_request_invalid);
  }
}

TEST_CASE("a parameter that is left out is told once", "[actors][model_stream]") {
  model_config model;
  model.name = "claude";
  model.provider = "anthropic";
  model.parameters = R"({"seed":1})";
  const std::vector<chat_message> history{user_message("hi")};
  kept_log log;
  for (auto n = 0; n < 2; ++n)
    request_for({.model = model, .history = history}, "", &log);
  const auto told = log.lines("parameter_left_out");
  REQUIRE(told.size() == 1);
  CHECK(told[0].level == log_level::warning);
  CHECK(told[0].members.find(R"("model":"claude","provider":"anthropic","parameter":"seed")") !=
        std::string::npos);
}

TEST_CASE_METHOD(stream_listener, "a request without seals that is refused is not made again",
                 "[actors][model_stream]") {
  open();
  refuse(400);
  CHECK(http.calls.size() == 1);
  CHECK(end().error == errc::model_request_invalid);
  CHECK(end().error_text == "try later");
}

TEST_CASE_METHOD(stream_listener, "a fallback gets its own seals, and one request without them",
                 "[actors][model_stream]") {
  sealed_reasoning =
      R"({"openai":{"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]}})";
  add("spare");
  model().fallback = "spare";
  model().max_attempts = 1;
  open();
  refuse(503);
  REQUIRE(http.calls.size() == 2);
  CHECK(http.calls[1]->request.body.find("reasoning_details") != std::string::npos);
  refuse(422);
  REQUIRE(http.calls.size() == 3);
  CHECK(http.calls[2]->request.body.find("reasoning_details") == std::string::npos);
}

} // namespace model_stream_hints_test

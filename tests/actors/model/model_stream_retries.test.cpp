#include "tests/actors/model/stream_listener.hpp"

namespace model_stream_retries_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(stream_listener, "a refusal that passes is not seen by the reader",
                 "[actors][model_stream]") {
  open();
  refuse(429, "2");
  CHECK(http.calls.size() == 1);
  CHECK(call().cancelled);
  advance(1999ms);
  CHECK(http.calls.size() == 1);
  advance(1ms);
  REQUIRE(http.calls.size() == 2);
  CHECK(http.calls[1]->request.body == http.calls[0]->request.body);
  CHECK(http.calls[1]->request.url == http.calls[0]->request.url);
  CHECK(outputs().empty());
  advance(1500ms);
  answer({"hel", "lo"});
  CHECK(text() == "hello");
  CHECK(end().error == errc::none);
  CHECK(end().report.attempts == 2);
  CHECK(end().report.model == "default");
  CHECK(end().report.first_token_us == 3'500'000);
  CHECK(end().report.total_us == 3'500'000);
}

TEST_CASE_METHOD(stream_listener, "an answer in a coding that is not read is named, once",
                 "[actors][model_stream]") {
  open();
  const uint16_t status = GENERATE(200, 400);
  call().head(status, "application/json");
  http_part part;
  part.last = true;
  part.error = errc::encoding_unsupported;
  part.error_text = "the answer of default.test is br encoded";
  call().deliver(std::move(part));
  run();
  CHECK(http.calls.size() == 1);
  CHECK(end().error == (status == 200 ? errc::model_answer_invalid : errc::model_request_invalid));
  CHECK_THAT(end().error_text, Catch::Contains("is br encoded"));
  if (status == 400)
    CHECK_THAT(end().error_text, Catch::Contains("400"));
}

TEST_CASE_METHOD(stream_listener, "failures before the first event are tried again with a jitter",
                 "[actors][model_stream]") {
  open();
  SECTION("no connection") {
    call().end(errc::connect_failed);
  }
  SECTION("no connection in time") {
    call().end(errc::connect_timeout);
  }
  SECTION("a cut before the head") {
    call().end(errc::connection_cut);
  }
  SECTION("a cut stream that has said nothing yet") {
    call().head(200, "text/event-stream");
    call().bytes("data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"}}]}\n\n");
    call().end(errc::connection_cut);
  }
  SECTION("a cut document") {
    call().head(200, "application/json");
    call().bytes(R"({"choices":[{"message":{"content":"hel)");
    call().end(errc::connection_cut);
  }
  SECTION("an error in the stream") {
    call().head(200, "text/event-stream");
    call().bytes("data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n");
  }
  run();
  advance(249ms);
  CHECK(http.calls.size() == 1);
  advance(1ms); // half of retry_delay
  REQUIRE(http.calls.size() == 2);
  refuse(500);
  advance(499ms);
  CHECK(http.calls.size() == 2);
  advance(1ms);
  REQUIRE(http.calls.size() == 3);
  answer({"there"});
  CHECK(text() == "there");
  CHECK(end().error == errc::none);
  CHECK(end().report.attempts == 3);
}

TEST_CASE_METHOD(stream_listener, "the last attempt's error is the answer",
                 "[actors][model_stream]") {
  model().max_attempts = 2;
  open();
  refuse(503);
  advance(1min);
  refuse(500);
  advance(1h);
  CHECK(http.calls.size() == 2);
  REQUIRE(outputs().size() == 1);
  CHECK(end().error == errc::model_failed);
  CHECK(end().error_text.find("try later") != std::string::npos);
  CHECK(end().report.error == errc::model_failed);
  CHECK(end().report.attempts == 2);
}

TEST_CASE_METHOD(stream_listener, "what would fail again is not tried again",
                 "[actors][model_stream]") {
  add("spare");
  model().fallback = "spare";
  open();
  auto status = GENERATE(uint16_t{400}, uint16_t{401}, uint16_t{403}, uint16_t{404}, uint16_t{422});
  refuse(status);
  advance(1h);
  CHECK(http.calls.size() == 1);
  const auto is_of_request = status == 400 || status == 422;
  CHECK(end().error == (is_of_request ? errc::model_request_invalid : errc::model_refused));
}

TEST_CASE_METHOD(stream_listener, "nothing is tried again once the reader has an event",
                 "[actors][model_stream]") {
  add("spare");
  model().fallback = "spare";
  open();
  call().head(200, "text/event-stream");
  call().bytes("data: " + text_chunk("once") + "\n\n");
  run();
  REQUIRE(outputs().size() == 1);
  errc expected = errc::model_stream_cut;
  SECTION("when it is cut") {
    call().end(errc::connection_cut);
  }
  SECTION("when the model reports an error") {
    call().bytes("data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n");
    expected = errc::model_overloaded;
  }
  run();
  advance(1h);
  CHECK(http.calls.size() == 1);
  CHECK(text() == "once");
  CHECK(end().error == expected);
}

TEST_CASE_METHOD(stream_listener, "an event and an error in one read are both told",
                 "[actors][model_stream]") {
  open();
  call().head(200, "text/event-stream");
  call().bytes("data: " + text_chunk("once") +
               "\n\ndata: {\"error\":{\"message\":\"no\",\"code\":503}}\n\n");
  run();
  CHECK(text() == "once");
  CHECK(end().error == errc::model_overloaded);
  CHECK(http.calls.size() == 1);
}

TEST_CASE_METHOD(stream_listener, "a Retry-After that is too long is the end at once",
                 "[actors][model_stream]") {
  model().timeouts.total = 45s;
  open();
  SECTION("longer than max_retry_delay") {
    refuse(429, "31");
  }
  SECTION("longer than what is left of the total") {
    refuse(429, "25");
    advance(25s);
    REQUIRE(http.calls.size() == 2);
    refuse(429, "25"); // 20 s are left
  }
  CHECK(end().error == errc::model_rate_limited);
  CHECK(end().error_text.find("Retry-After") != std::string::npos);
}

TEST_CASE_METHOD(stream_listener, "late parts of an attempt that was given up are dropped",
                 "[actors][model_stream]") {
  open();
  auto late = call().deliver;
  refuse(429, "0");
  REQUIRE(http.calls.size() == 2);
  http_part part;
  part.bytes = "data: " + text_chunk("from the dead") + "\n\n";
  late(std::move(part));
  run();
  CHECK(outputs().empty());
  answer({"alive"});
  CHECK(text() == "alive");
}

TEST_CASE_METHOD(stream_listener, "the fallback answers with attempts of its own",
                 "[actors][model_stream]") {
  add("spare").max_attempts = 2;
  model().fallback = "spare";
  model().max_attempts = 1;
  open();
  refuse(500);
  REQUIRE(http.calls.size() == 2); // at once
  CHECK(call().request.url == "http://spare.test/v1/chat/completions");
  CHECK(call().request.body.find("\"hi\"") != std::string::npos);
  refuse(500);
  advance(1s);
  REQUIRE(http.calls.size() == 3);
  answer({"instead"});
  CHECK(text() == "instead");
  CHECK(end().report.model == "spare");
  CHECK(end().report.attempts == 3);
}

TEST_CASE_METHOD(stream_listener, "a circle of fallbacks ends with the last model's error",
                 "[actors][model_stream]") {
  for (auto [from, to] : {std::pair{"default", "a"}, {"a", "b"}, {"b", "a"}}) {
    auto& made = from == std::string{"default"} ? model() : add(from);
    made.fallback = to;
    made.max_attempts = 1;
  }
  open();
  refuse(500);
  refuse(500);
  refuse(503);
  CHECK(http.calls.size() == 3);
  CHECK(end().error == errc::model_overloaded);
  CHECK(end().report.model == "b");
}

TEST_CASE("at most five models are asked", "[actors][model_targets]") {
  auto config = std::make_shared<chat_settings>();
  for (char name = 'a'; name < 'i'; ++name) {
    auto& model = config->models[std::string(1, name)];
    model.name = name;
    model.fallback = static_cast<char>(name + 1);
  }
  auto names_after = [&](const std::string& first) {
    std::string names;
    for (const auto& each : fallbacks_of(config, config->models.at(first)))
      names += each->name;
    return names;
  };
  CHECK(names_after("a") == "bcde");
  CHECK(names_after("g") == "h"); // "i" does not exist
  config->models["h"].fallback = "g";
  CHECK(names_after("g") == "h");
  config->models["g"].fallback = "g";
  CHECK(names_after("g").empty());
}

TEST_CASE("the trace context goes along, and only where there is one", "[actors][model_targets]") {
  model_config model;
  model.base_url = "http://model.test/v1";
  std::vector<chat_message> history{{role::user, "hi", {}, {}, {}}};
  auto field = [&](const std::string& traceparent) {
    auto request = request_for({model, history}, traceparent);
    return std::string{find_header(request.fields, "traceparent")};
  };
  CHECK(field("").empty());
  const std::string traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  CHECK(field(traceparent) == traceparent);
}

} // namespace model_stream_retries_test

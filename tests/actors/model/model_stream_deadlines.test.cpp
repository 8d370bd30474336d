#include "tests/actors/model/stream_listener.hpp"

namespace model_stream_deadlines_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Both kinds of answer: how it begins, a piece that is an event or not, its end.
struct kind {
  bool streaming;
  std::string type;
};

const kind streamed{true, "text/event-stream"};
const kind whole{false, "application/json"};

const std::string one_event = "data: " + text_chunk("once") + "\n\n";
const std::string a_comment = ": working\n\n";
const std::string the_finish =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const std::string the_usage =
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1}}\n\n";
const std::string document = R"({"choices":[{"index":0,"message":{"content":"once"}}]})";

} // namespace

TEST_CASE_METHOD(stream_listener, "a model that never answers runs into the first token's limit",
                 "[actors][model_stream][deadlines]") {
  auto how = GENERATE(streamed, whole);
  model().streaming = how.streaming;
  model().timeouts.first_token = 7s;
  open();
  SECTION("not even with a head") {
    advance(6999ms);
  }
  SECTION("but a head") {
    call().head(200, how.type);
    advance(6999ms);
  }
  SECTION("but bytes that mean nothing") {
    call().head(200, how.type);
    for (int i = 0; i < 6; ++i) {
      call().bytes(how.streaming ? a_comment : " ");
      advance(1s);
    }
    advance(999ms);
  }
  CHECK(outputs().empty());
  CHECK_FALSE(call().cancelled);
  advance(1ms);
  CHECK(end().error == errc::model_first_token_timeout);
  CHECK(end().error_text == "The model 'default' did not begin to answer within 7000 ms.");
  CHECK(end().report.total_us == 7'000'000);
  CHECK(call().cancelled);
  advance(1h);
  CHECK(http.calls.size() == 1); // its time is used up
  CHECK(outputs().size() == 1);
}

TEST_CASE_METHOD(stream_listener, "an answer that stops runs into the idle limit",
                 "[actors][model_stream][deadlines]") {
  auto how = GENERATE(streamed, whole);
  model().streaming = how.streaming;
  model().timeouts.idle = 5s;
  open();
  advance(20s); // nothing was read yet, so this does not count
  call().head(200, how.type);
  auto middle = document.size() / 2;
  auto piece = how.streaming ? one_event : document.substr(0, middle);
  call().bytes(piece);
  advance(4999ms);
  call().bytes(how.streaming ? one_event : document.substr(middle, 1));
  advance(4999ms);
  REQUIRE(outputs().size() == (how.streaming ? 2 : 0));
  advance(1ms);
  CHECK(end().error == errc::model_idle_timeout);
  CHECK(end().error_text == "The model 'default' sent nothing for 5000 ms in mid-answer.");
  CHECK(text() == (how.streaming ? "onceonce" : ""));
  CHECK(call().cancelled);
  CHECK(http.calls.size() == 1);
}

TEST_CASE_METHOD(stream_listener, "an answer without end runs into the total",
                 "[actors][model_stream][deadlines]") {
  auto how = GENERATE(streamed, whole);
  model().streaming = how.streaming;
  model().timeouts.total = 30s;
  open();
  call().head(200, how.type);
  for (int i = 0; i < 29; ++i) {
    call().bytes(how.streaming ? one_event : " ");
    advance(1s);
  }
  advance(999ms);
  CHECK_FALSE(call().cancelled);
  advance(1ms);
  CHECK(end().error == errc::model_timeout);
  CHECK(end().error_text == "The model 'default' did not finish its answer within 30000 ms.");
  CHECK(call().cancelled);
}

TEST_CASE_METHOD(stream_listener, "the total counts for all attempts and the fallback",
                 "[actors][model_stream][deadlines]") {
  add("spare");
  model().fallback = "spare";
  model().timeouts.total = 30s;
  model().timeouts.first_token = 20s;
  open();
  refuse(503, "5");
  advance(5s);
  REQUIRE(http.calls.size() == 2);
  advance(20s); // the second attempt's first token
  REQUIRE(http.calls.size() == 3);
  CHECK(call().request.url.starts_with("http://spare.test/"));
  advance(4999ms);
  CHECK(outputs().empty());
  advance(1ms);
  CHECK(end().error == errc::model_timeout);
  CHECK(end().report.attempts == 3);
  CHECK(call().cancelled);
}

TEST_CASE_METHOD(stream_listener, "the total counts while the reader makes the fallback's request",
                 "[actors][model_stream][deadlines]") {
  add("spare");
  model().fallback = "spare";
  model().max_attempts = 1;
  model().timeouts.total = 30s;
  answers = false;
  const auto& due = open().due;
  refuse(503);
  REQUIRE(due.size() == 1);
  CHECK(due[0].model->name == "spare");
  CHECK(due[0].request == 3);
  advance(29999ms);
  CHECK(outputs().empty());
  advance(1ms);
  CHECK(end().error == errc::model_timeout);
  CHECK(http.calls.size() == 1);
}

TEST_CASE_METHOD(stream_listener, "while the reader wants nothing the idle time stands still",
                 "[actors][model_stream][deadlines]") {
  model().timeouts.idle = 5s;
  auto stream = open().stream;
  call().head(200, "text/event-stream");
  call().bytes(one_event);
  advance(3s);
  self->send(stream, flow_control{true});
  advance(100s);
  CHECK(outputs().size() == 1);
  self->send(stream, flow_control{false});
  advance(4999ms);
  CHECK(outputs().size() == 1);
  advance(1ms);
  CHECK(end().error == errc::model_idle_timeout);
}

TEST_CASE_METHOD(stream_listener, "a paused stream pauses its next attempt as well",
                 "[actors][model_stream]") {
  auto stream = open().stream;
  self->send(stream, flow_control{true});
  refuse(429, "1");
  advance(1s);
  REQUIRE(http.calls.size() == 2);
  CHECK(call().paused == 1);
  self->send(stream, flow_control{false});
  run();
  CHECK(call().resumed == 1);
}

TEST_CASE_METHOD(stream_listener, "an answer that was complete is no timeout",
                 "[actors][model_stream][deadlines]") {
  auto how = GENERATE(streamed, whole);
  model().streaming = how.streaming;
  model().timeouts.idle = 5s;
  open();
  call().head(200, how.type);
  call().bytes(how.streaming ? one_event + R"(data: {"choices":[{"index":0,"delta":{},)"
                                           R"("finish_reason":"stop"}]})"
                                           "\n\n"
                             : document);
  advance(5s); // the connection just stays open
  CHECK(end().error == errc::none);
  CHECK(text() == "once");
}

TEST_CASE_METHOD(stream_listener, "limits of zero never pass",
                 "[actors][model_stream][deadlines]") {
  model().timeouts = {0ms, 0ms, 0ms, 0ms};
  open();
  advance(24h);
  call().head(200, "text/event-stream");
  call().bytes(one_event);
  advance(24h);
  CHECK(outputs().size() == 1);
  CHECK_FALSE(call().cancelled);
}

TEST_CASE_METHOD(stream_listener, "a plain answer arms one wake-up, however many pieces it has",
                 "[actors][model_stream][deadlines]") {
  open();
  auto pending = [this] { return sched().clock().schedule().size(); };
  auto before = pending();
  CHECK(before == 1);
  call().head(200, "text/event-stream");
  for (int i = 0; i < 100; ++i) {
    call().bytes(one_event);
    run();
  }
  CHECK(outputs().size() == 100);
  CHECK(pending() == before);
}

TEST_CASE_METHOD(stream_listener, "an answer without [DONE] ends soon after its finish reason",
                 "[actors][model_stream][deadlines]") {
  auto in_one_piece = GENERATE(true, false);
  open();
  call().head(200, "text/event-stream");
  if (in_one_piece) {
    call().bytes(one_event + the_finish);
  } else {
    call().bytes(one_event);
    run();
    call().bytes(the_finish);
  }
  SECTION("in silence") {
    advance(1999ms);
  }
  SECTION("with comments") {
    for (int i = 0; i < 19; ++i) {
      advance(100ms);
      call().bytes(a_comment);
    }
    advance(99ms);
  }
  SECTION("with usage, which is counted") {
    advance(1500ms);
    call().bytes(the_usage);
    advance(499ms);
    CHECK_FALSE(call().cancelled);
    advance(1ms);
    CHECK(end().used.input_tokens == 5);
    CHECK(end().report.used.total_tokens == 6);
  }
  advance(1ms);
  CHECK(end().error == errc::none);
  CHECK(end().reason == finish_reason::stop);
  CHECK(text() == "once");
  CHECK(call().cancelled);
  CHECK(http.calls.size() == 1);
}

TEST_CASE_METHOD(stream_listener, "an answer that goes on behind a finish reason is not cut",
                 "[actors][model_stream][deadlines]") {
  open();
  call().head(200, "text/event-stream");
  call().bytes(one_event + the_finish);
  advance(1900ms);
  for (int i = 0; i < 3; ++i) { // some servers say "stop" in each chunk
    call().bytes(one_event + the_finish);
    advance(30s);
  }
  CHECK_FALSE(call().cancelled);
  call().bytes(one_event + "data: [DONE]\n\n");
  run();
  CHECK(end().error == errc::none);
  CHECK(text() == "onceonceonceonceonce");
}

TEST_CASE_METHOD(stream_listener, "an answer with [DONE] ends at once",
                 "[actors][model_stream][deadlines]") {
  open();
  call().head(200, "text/event-stream");
  call().bytes(one_event);
  run();
  call().bytes(the_finish);
  run();
  call().bytes(the_usage + "data: [DONE]\n\n");
  run();
  CHECK(end().used.total_tokens == 6);
  CHECK(call().cancelled);
}

TEST_CASE_METHOD(stream_listener, "the error that follows a finish reason in time is told",
                 "[actors][model_stream][deadlines]") {
  open();
  call().head(200, "text/event-stream");
  call().bytes(one_event + the_finish);
  advance(1s);
  call().bytes("data: {\"error\":{\"message\":\"No slot.\"}}\n\n");
  run();
  CHECK(end().error == errc::model_failed);
}

TEST_CASE_METHOD(stream_listener, "a whole answer is over although its connection stays open",
                 "[actors][model_stream][deadlines]") {
  model().streaming = false;
  open();
  call().head(200, "application/json");
  call().bytes(document.substr(0, document.size() - 3) + R"(,"finish_reason":"stop"}]})");
  advance(1999ms);
  CHECK_FALSE(call().cancelled);
  advance(1ms);
  CHECK(end().error == errc::none);
  CHECK(text() == "once");
}

TEST_CASE_METHOD(stream_listener, "what is no answer is told although its connection stays open",
                 "[actors][model_stream][deadlines]") {
  model().max_attempts = 1;
  open();
  SECTION("at once, if it is certain") {
    call().head(200, "text/event-stream");
    call().bytes("[" + text_chunk("once"));
    run();
    CHECK(end().error_text.starts_with("The model sent a JSON array"));
  }
  SECTION("a line without its end") {
    call().head(200, "text/plain");
    call().bytes("no slot");
    advance(2s);
    CHECK(end().error_text == "The model sent neither server-sent events nor JSON: no slot");
  }
  SECTION("a page") {
    call().head(200, "text/html");
    call().bytes("<html>Sign in");
    advance(2s);
    CHECK(end().error_text == "the model answered 200 with text/html: Sign in");
  }
  SECTION("a refusal") {
    call().head(401, "application/json");
    call().bytes(R"({"error":{"message":"No such key."}})");
    advance(2s);
    CHECK(end().error_text == "No such key.");
  }
  CHECK(call().cancelled);
}

TEST_CASE_METHOD(stream_listener, "a paused stream waits for the rest of its answer",
                 "[actors][model_stream][deadlines]") {
  auto stream = open().stream;
  call().head(200, "text/event-stream");
  call().bytes(one_event + the_finish);
  run();
  self->send(stream, flow_control{true});
  advance(30s);
  CHECK_FALSE(call().cancelled);
  self->send(stream, flow_control{false});
  advance(1999ms);
  CHECK_FALSE(call().cancelled);
  call().bytes(the_usage);
  advance(1ms);
  CHECK(end().used.total_tokens == 6);
}

} // namespace model_stream_deadlines_test

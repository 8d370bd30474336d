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

} // namespace model_stream_deadlines_test

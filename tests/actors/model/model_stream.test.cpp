#include "actors/model/model_stream.hpp"

#include "messages/json.hpp"
#include "tests/actors/model/stream_listener.hpp"

namespace model_stream_test {

using namespace troupe;
using namespace troupe::test;

namespace {

class listener : public stream_listener {
public:
  /// All events so far as text, adjacent deltas joined: cuts must not show in it.
  std::string told() const {
    std::string out;
    std::string last;
    for (const auto& output : outputs())
      for (const auto& each : output.events) {
        auto name = std::string{name_of(each)};
        auto joins = name == last && (name == "TEXT" || name == "TOOL_ARGS_DELTA");
        last = name;
        if (!joins)
          out += '\n' + name + ' ';
        std::visit([&](const auto& e) { out += joins ? text_of(e) : first_of(e); }, each);
      }
    return out;
  }

private:
  static std::string text_of(const text_delta& e) { return e.text; }
  static std::string text_of(const tool_args_delta& e) { return e.delta; }
  template <class Other>
  static std::string text_of(const Other&) {
    return "";
  }
  static std::string first_of(const text_delta& e) { return e.text; }
  static std::string first_of(const tool_args_delta& e) { return e.tool_call_id + ' ' + e.delta; }
  template <class Other>
  static std::string first_of(const Other& e) {
    return to_json(e);
  }
};

const std::string body =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"h\xC3\xA9\"}}"
    "]}\r\n\r\n"
    ": a comment\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"llo\"}}]}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\","
    "\"function\":{\"name\":\"echo\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
    "\"function\":{\"arguments\":\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4,"
    "\"total_tokens\":7}}\n\n"
    "data: [DONE]\n\n";

} // namespace

TEST_CASE_METHOD(listener, "the first request goes out at once, and every output says its round",
                 "[actors][model_stream]") {
  open();
  REQUIRE(http.calls.size() == 1);
  CHECK(call().request.url == "http://default.test/v1/chat/completions");
  call().head(200, "text/event-stream");
  call().bytes(body);
  run();
  REQUIRE(outputs().size() == 1);
  CHECK(outputs()[0].request == 3);
  CHECK(outputs()[0].over);
  CHECK(outputs()[0].used.total_tokens == 7);
  CHECK(call().cancelled);
  const auto& ends = readers.front()->ends;
  REQUIRE(ends.size() == 1);
  CHECK(ends[0] == caf::exit_reason::normal);
}

TEST_CASE("an answer that is cut anywhere gives the same events", "[actors][model_stream]") {
  listener whole;
  whole.open();
  whole.call().head(200, "text/event-stream");
  whole.call().bytes(body);
  whole.run();
  auto expected = whole.told();
  REQUIRE(expected.find("TOOL_ARGS_COMPLETE") != std::string::npos);
  for (size_t at = 1; at < body.size(); ++at) {
    listener cut;
    cut.open();
    cut.call().head(200, "text/event-stream");
    cut.call().bytes(body.substr(0, at));
    cut.call().bytes(body.substr(at));
    cut.run();
    INFO("cut at " << at);
    CHECK(cut.told() == expected);
    REQUIRE(!cut.outputs().empty());
    CHECK(cut.outputs().back().over);
    CHECK(cut.outputs().back().used.total_tokens == 7);
  }
}

TEST_CASE_METHOD(listener, "an error status is an error with the provider's own words",
                 "[actors][model_stream]") {
  model().max_attempts = 1;
  open();
  call().head(429, "application/json");
  call().bytes(R"({"error":{"message":"slow down","type":"rate_limit"}})");
  call().end();
  run();
  REQUIRE(outputs().size() == 1);
  CHECK(outputs()[0].over);
  CHECK(outputs()[0].error == errc::model_rate_limited);
  CHECK(outputs()[0].error_text.find("slow down") != std::string::npos);
}

TEST_CASE_METHOD(listener, "an answer that breaks off is an error, whatever ended it",
                 "[actors][model_stream]") {
  open();
  call().head(200, "text/event-stream");
  call().bytes(body.substr(0, body.find(": a comment")));
  errc expected = errc::model_stream_cut;
  SECTION("a cut") {
    call().end(errc::connection_cut);
  }
  SECTION("an orderly end without the terminator") {
    call().end();
  }
  SECTION("a deadline") {
    call().end(errc::deadline_exceeded);
    expected = errc::model_timeout;
  }
  run();
  REQUIRE(outputs().size() == 2);
  CHECK(std::get<text_delta>(outputs()[0].events.at(0)).text == "h\xC3\xA9");
  CHECK(outputs()[1].over);
  CHECK(outputs()[1].error == expected);
}

TEST_CASE_METHOD(listener, "a model that cannot be reached says so", "[actors][model_stream]") {
  model().max_attempts = 1;
  open();
  SECTION("at all") {
    call().end(errc::connect_failed);
    run();
    CHECK(end().error == errc::model_unreachable);
  }
  SECTION("in time") {
    call().end(errc::connect_timeout);
    run();
    CHECK(end().error == errc::connect_timeout);
  }
  CHECK(outputs().size() == 1);
}

TEST_CASE_METHOD(listener, "the end of the stream's actor cancels the exchange",
                 "[actors][model_stream]") {
  open();
  call().head(200, "text/event-stream");
  run();
  CHECK_FALSE(call().cancelled);
  SECTION("by an exit message") {
    self->send_exit(readers.front()->stream, caf::exit_reason::user_shutdown);
    run();
  }
  SECTION("with its session") {
    crash(*this, readers.front()->actor, caf::exit_reason::kill);
  }
  CHECK(call().cancelled);
  CHECK(outputs().empty());
}

TEST_CASE_METHOD(listener, "flow control reaches the exchange", "[actors][model_stream]") {
  open();
  self->send(readers.front()->stream, flow_control{true});
  run();
  CHECK(call().paused == 1);
  CHECK(call().resumed == 0);
  self->send(readers.front()->stream, flow_control{false});
  run();
  CHECK(call().resumed == 1);
}

TEST_CASE_METHOD(listener, "nothing is said after the end of the answer",
                 "[actors][model_stream]") {
  open();
  call().head(200, "text/event-stream");
  auto deliver = call().deliver;
  call().bytes(body);
  call().bytes(body);
  call().end(errc::connection_cut);
  run();
  CHECK(outputs().size() == 1);
  http_part late;
  late.bytes = body;
  deliver(std::move(late));
  run();
  CHECK(outputs().size() == 1);
}

} // namespace model_stream_test

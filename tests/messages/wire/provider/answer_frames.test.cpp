#include "messages/wire/provider/answer_frames.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace answer_frames_test {

using namespace troupe;

namespace {

using strings = std::vector<std::string>;

/// Returns the texts, and the fault behind them.
strings read(std::string_view body, size_t piece) {
  answer_frames frames{100, 200};
  strings out;
  auto visit = [&out](const sse_event& each) {
    out.push_back((each.type.empty() ? "" : std::string{each.type} + ": ") +
                  std::string{each.data});
    return true;
  };
  for (size_t at = 0; at < body.size(); at += piece)
    frames.feed(body.substr(at, piece), visit);
  frames.finish(visit);
  if (frames.fault())
    out.push_back(to_string(frames.fault().code) + " " + frames.fault().message);
  return out;
}

void check(std::string_view body, const strings& expected) {
  for (size_t piece = 1; piece <= body.size(); ++piece) {
    INFO("pieces of " << piece << ": " << body.substr(0, 50));
    REQUIRE(read(body, piece) == expected);
  }
}

} // namespace

TEST_CASE("the first bytes tell what frames an answer", "[messages][answer_frames]") {
  using enum answer_framing;
  CHECK(framing_of("") == unknown);
  CHECK(framing_of(" \r\n\xEF\xBB\xBF") == unknown);
  for (const char* start : {"data:", "\n data: {", "event: x", "id\n", "retry:1", ": ", "error:"})
    CHECK(framing_of(start) == events);
  for (const char* start : {"d", "dat", "data", "e", "i", "retr"})
    CHECK(framing_of(start) == unknown);
  for (const char* start : {"Data:", "database: x", "ok", "id x", "42", "\"a\"", "}"})
    CHECK(framing_of(start) == other);
  CHECK(framing_of("\xEF\xBB\xBF {") == texts);
  CHECK(framing_of("\n[") == list);
  CHECK(framing_of("<") == markup);
}

TEST_CASE("events and JSON lines are the same texts", "[messages][answer_frames]") {
  check("data: {\"a\":1}\n\nevent: error\ndata: x\n\n", {"{\"a\":1}", "error: x"});
  check(" {\"a\":1}\n{}\n", {"{\"a\":1}", "{}"});
  check("data: {}\n\n{\"bare\":1}\ndata: {}\n", {"{}", "{\"bare\":1}", "{}"});
}

TEST_CASE("a body that cannot be read says why", "[messages][answer_frames]") {
  const std::string invalid = "model_answer_invalid The model sent ";
  check("busy\nmore", {invalid + "neither server-sent events nor JSON: busy"});
  check("[{\"a\":1},{}]", {invalid + "a JSON array, and neither server-sent events nor JSON lines: "
                                     "[{\"a\":1}"});
  check("[{\"error\":{\"message\":\"No.\",\"code\":401}}]", {"model_refused No."});
  check("data: " + std::string(200, 'x'), {invalid + "an event of more than 100 bytes."});
  check("{\"a\":\"" + std::string(200, 'x'), {invalid + "an answer of more than 200 bytes."});
  check(std::string(150, ' '), {invalid + "nothing but space."});
}

TEST_CASE("a fault is there as soon as it is certain", "[messages][answer_frames]") {
  auto visit = [](const sse_event&) { return true; };
  answer_frames array{1000, 1000};
  array.feed("[{\"a\":1},", visit);
  CHECK(array.fault());
  answer_frames text{1000, 1000};
  text.feed("no slot is free\n", visit);
  CHECK(text.fault());
  answer_frames endless{1000, 1000};
  endless.feed(std::string(400, 'x'), visit);
  CHECK(endless.fault());
}

TEST_CASE("the beginning of markup is kept for who quotes it", "[messages][answer_frames]") {
  answer_frames frames{1000, 1000};
  auto visit = [](const sse_event&) { return true; };
  frames.feed(" \n", visit);
  frames.feed("<html>", visit);
  CHECK(frames.framing() == answer_framing::markup);
  CHECK(frames.start() == " \n<html>");
  CHECK_FALSE(frames.fault());
}

} // namespace answer_frames_test

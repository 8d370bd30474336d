#include "transport/mcp/mcp_answer_reader.hpp"

#include "tests/support/catch.hpp"

namespace mcp_answer_reader_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

http_part head(uint16_t status, std::string type) {
  http_part out;
  out.status = status;
  out.content_type = std::move(type);
  return out;
}

http_part piece(std::string_view bytes, bool last = false, errc error = errc::none) {
  http_part out;
  out.bytes = bytes;
  out.last = last;
  out.error = error;
  return out;
}

const std::string events = "id: e1\nretry: 250\ndata:\n\n: ping\n\nevent: message\nid: e2\n"
                           "data: {\"a\":\ndata: 1}\n\ndata: {\"b\":2}\n\nid: e3\ndata: {\"c\"";

} // namespace

TEST_CASE("an event stream gives the same messages wherever it is cut",
          "[transport][mcp_answer_reader]") {
  for (size_t cut = 0; cut <= events.size(); ++cut) {
    mcp_answer_reader answer{1000};
    std::vector<std::string> got;
    for (const auto& part :
         {head(200, "text/event-stream; charset=utf-8"), piece(events.substr(0, cut)),
          piece(events.substr(cut)), piece("", true, errc::connection_cut)})
      for (auto& each : answer.take(part))
        got.push_back(std::move(each));
    REQUIRE(got == std::vector<std::string>{"{\"a\":\n1}", "{\"b\":2}"});
    REQUIRE(answer.last_event_id() == "e2"); // e3 was cut and has to come again
    REQUIRE(answer.retry() == 250ms);
  }
}

TEST_CASE("an id counts without any data, but not before its blank line",
          "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{1000};
  answer.take(head(200, "text/event-stream"));
  CHECK(answer.take(piece("id: e1\n")).empty());
  CHECK(answer.last_event_id().empty());
  CHECK(answer.take(piece("\nid: e2\nretry: 5\n")).empty());
  CHECK(answer.last_event_id() == "e1");
  CHECK(answer.take(piece("", true)).empty());
  CHECK(answer.last_event_id() == "e1");
}

TEST_CASE("an empty id takes an earlier one back, wherever the stream is cut",
          "[transport][mcp_answer_reader]") {
  const std::string rest =
      GENERATE("id\n\n", "id:\ndata: {}\n\n", ":\nid: \r\n\r\n", "id: x\n\nid:\n\n");
  const auto text = "id: e1\ndata: {}\n\n" + rest;
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    mcp_answer_reader answer{1000};
    answer.take(head(200, "text/event-stream"));
    answer.take(piece(text.substr(0, cut)));
    answer.take(piece(text.substr(cut)));
    REQUIRE(answer.last_event_id().empty());
  }
}

TEST_CASE("the id stays when a resumed stream gives none", "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{1000};
  answer.take(head(200, "text/event-stream"));
  answer.take(piece("id: e1\ndata: {}\n\n"));
  answer.start_over();
  answer.take(head(200, "text/event-stream"));
  CHECK(answer.take(piece("data: {}\n\n")).size() == 1);
  CHECK(answer.last_event_id() == "e1");
}

TEST_CASE("an event stream may leave out its last blank line", "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{1000};
  answer.take(head(200, "text/event-stream"));
  CHECK(answer.take(piece("data: {}")).empty());
  CHECK(answer.take(piece("", true)) == std::vector<std::string>{"{}"});
}

TEST_CASE("half an event is no message", "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{1000};
  answer.take(head(200, "text/event-stream"));
  CHECK(answer.take(piece("data: {\"a\":", true)).empty());
}

TEST_CASE("a JSON body is one message once it is complete", "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{1000};
  answer.take(head(200, "application/json"));
  CHECK(answer.take(piece(" [{\"a\"")).empty());
  CHECK(answer.take(piece(":1}]", true)) == std::vector<std::string>{" [{\"a\":1}]"});
}

TEST_CASE("a JSON body that was cut, or is none, gives no message",
          "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{1000};
  SECTION("cut") {
    answer.take(head(200, "application/json"));
    CHECK(answer.take(piece("{\"a\":1}", true, errc::connection_cut)).empty());
  }
  SECTION("a page") {
    answer.take(head(200, "text/html"));
    CHECK(answer.take(piece("<html>", true)).empty());
    CHECK(answer.body() == "<html>");
  }
}

TEST_CASE("byte order marks in front of a body and of data are left out",
          "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{1000};
  SECTION("of a JSON body, cut anywhere") {
    answer.take(head(200, "application/json"));
    answer.take(piece("\xEF"));
    answer.take(piece("\xBB\xBF{\"a\":\"\xEF\xBB\xBF\""));
    CHECK(answer.take(piece("}", true)) == std::vector<std::string>{"{\"a\":\"\xEF\xBB\xBF\"}"});
  }
  SECTION("of the data of each event") {
    answer.take(head(200, "text/event-stream"));
    CHECK(answer.take(piece("\xEF\xBB\xBF"
                            "data: \xEF\xBB\xBF{}\n\nevent: x\ndata: \xEF\xBB\xBF[]\n\n")) ==
          std::vector<std::string>{"{}", "[]"});
  }
  SECTION("of a refusal") {
    answer.take(head(500, "application/json"));
    answer.take(piece("\xEF\xBB\xBF{}", true));
    CHECK(answer.body() == "{}");
  }
}

TEST_CASE("an answer beyond the limit is noticed", "[transport][mcp_answer_reader]") {
  mcp_answer_reader answer{10};
  SECTION("as a body") {
    answer.take(head(200, "application/json"));
    answer.take(piece("{\"a\":"));
    answer.take(piece("123456}"));
  }
  SECTION("as an event") {
    answer.take(head(200, "text/event-stream"));
    answer.take(piece("data: 1234567890123"));
  }
  CHECK(answer.overflowed());
}

TEST_CASE("the rest of a body that is too long is no message", "[transport][mcp_answer_reader]") {
  const auto end = GENERATE("{\"id\":1}", "[1]", " {} ", "");
  mcp_answer_reader answer{10};
  answer.take(head(200, "application/json"));
  CHECK(answer.take(piece("[123456789,")).empty());
  auto last = piece(end);
  last.last = true;
  CHECK(answer.take(last).empty());
  CHECK(answer.overflowed());
  CHECK(answer.body().empty());
}

TEST_CASE("an excerpt is one short line and cuts no character", "[transport][mcp_answer_reader]") {
  CHECK(excerpt("a\nb\tc") == "a b c");
  CHECK(excerpt("\x1F\x8B\x08 packed") == "(it is gzip encoded, and does not say so)");
  CHECK(excerpt(std::string_view{"{\0}\0", 4}) == "(it is UTF-16, and has to be UTF-8)");
  CHECK(excerpt(std::string(199, 'x') + "\xC3\xA9 and so on") == std::string(199, 'x') + "...");
  CHECK(excerpt("<html><head><title>Oh</title></head>\n<body>no</body>") == "Oh no");
  CHECK(excerpt("\n<html></html>") == "(a web page)");
  CHECK(excerpt("1 <b> 2") == "1 <b> 2");
}

} // namespace mcp_answer_reader_test

#include "messages/wire/sse.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace sse_test {

using namespace troupe;

namespace {

using lines = std::vector<std::string>;

/// Parses the pieces, each in memory of its own; gives "type|data|id" for each event.
lines parse(sse_parser& parser, const std::vector<std::string_view>& pieces) {
  lines seen;
  auto visit = [&seen](const sse_event& each) {
    CHECK(each.data_capacity >= each.data.size() + 64);
    for (size_t i = 0; i < each.data_capacity; ++i)
      static_cast<void>(*const_cast<const volatile char*>(each.data.data() + i));
    seen.push_back(std::string{each.type} + "|" + std::string{each.data} + "|" +
                   std::string{each.id});
    return true;
  };
  for (auto piece : pieces) {
    std::vector<char> copy(piece.begin(), piece.end());
    parser.feed({copy.data(), copy.size()}, visit);
  }
  parser.finish(visit);
  return seen;
}

lines parse(std::string_view bytes) {
  sse_parser parser;
  return parse(parser, {bytes});
}

} // namespace

TEST_CASE("an event has the type, the data and the id that were sent", "[messages][sse]") {
  CHECK(parse("event: add\ndata: 1\nid: 7\n\ndata: 2\n\n") == lines{"add|1|7", "|2|7"});
}

TEST_CASE("data lines are joined by a line feed", "[messages][sse]") {
  CHECK(parse("data: a\ndata:\ndata: b\n\n") == lines{"|a\n\nb|"});
  CHECK(parse("data\ndata\n\n") == lines{"|\n|"});
}

TEST_CASE("one space after the colon is dropped, no more", "[messages][sse]") {
  CHECK(parse("data:a\n\ndata: b\n\ndata:  c\n\n") == lines{"|a|", "|b|", "| c|"});
}

TEST_CASE("an event without data is not dispatched, but its id counts", "[messages][sse]") {
  CHECK(parse("event: x\nid: 1\n\ndata: a\n\n") == lines{"|a|1"});
  CHECK(parse("data\n\n") == lines{"||"});
}

TEST_CASE("comments and unknown fields are passed over", "[messages][sse]") {
  CHECK(parse(": ping\ncolour: red\ndata: a\n:\n\n") == lines{"|a|"});
}

TEST_CASE("an id with a null character is not taken", "[messages][sse]") {
  CHECK(parse({"id: a\nid: b\0c\ndata: 1\n\n", 23}) == lines{"|1|a"});
}

TEST_CASE("the error field of some servers is an event of type error", "[messages][sse]") {
  CHECK(parse("error: {\"code\":500}\n\n") == lines{"error|{\"code\":500}|"});
}

TEST_CASE("a line that is a JSON object by itself is the data of an event", "[messages][sse]") {
  CHECK(parse("data: 1\n\n{\"a\":1}\n{\"b\":2}\n\ndata: 2\n\n") ==
        lines{"|1|", "|{\"a\":1}|", "|{\"b\":2}|", "|2|"});
  CHECK(parse("event: x\nid: 7\n{}\n") == lines{"x|{}|7"});
  CHECK(parse("data: 1\n{\"a\":1}\ndata: 2") == lines{"|1|", "|{\"a\":1}|", "|2|"});
  const std::string_view whole = ": c\r\n{\"a\":1}\r\n{}";
  for (size_t at = 0; at <= whole.size(); ++at) {
    sse_parser parser;
    CHECK(parse(parser, {whole.substr(0, at), whole.substr(at)}) == lines{"|{\"a\":1}|", "|{}|"});
  }
}

TEST_CASE("retry is read when it is a number", "[messages][sse]") {
  sse_parser parser;
  CHECK(parser.retry().count() < 0);
  parse(parser, {"retry: 1500\nretry: soon\nretry: -3\nretry:\n\n"});
  CHECK(parser.retry() == std::chrono::milliseconds{1500});
}

TEST_CASE("the end of the stream dispatches what has no blank line", "[messages][sse]") {
  CHECK(parse("data: a\n\ndata: b\n") == lines{"|a|", "|b|"});
  CHECK(parse("data: a\n\ndata: b") == lines{"|a|", "|b|"});
}

TEST_CASE("all line ends and all cuts give the same events", "[messages][sse]") {
  const std::string text = "\xEF\xBB\xBF: hi\nevent: x\ndata: one\ndata: two\nid: 4\n\n\ndata: "
                           "three\n\nretry: 5\ndata:wörld\n\nevent: y\n\ndata: last\n\n";
  const lines expected{"x|one\ntwo|4", "|three|4", "|wörld|4", "|last|4"};
  for (std::string ending : {"\n", "\r", "\r\n"}) {
    std::string bytes;
    for (char c : text)
      bytes += c == '\n' ? ending : std::string(1, c);
    std::string_view whole = bytes;
    for (size_t a = 0; a <= whole.size(); ++a)
      for (size_t b = a; b <= whole.size(); b += 7) {
        sse_parser parser;
        auto seen = parse(parser, {whole.substr(0, a), whole.substr(a, b - a), whole.substr(b)});
        if (seen != expected) {
          INFO("cut at " << a << " and " << b);
          REQUIRE(seen == expected);
        }
      }
  }
}

TEST_CASE("nothing is read after the visitor stops", "[messages][sse]") {
  sse_parser parser;
  int count = 0;
  auto visit = [&count](const sse_event&) { return ++count < 2; };
  parser.feed("data: 1\n\ndata: 2\n\ndata: 3\n\n", visit);
  parser.feed("data: 4\n\n", visit);
  parser.finish(visit);
  CHECK(count == 2);
  CHECK_FALSE(parser.overflowed());
}

TEST_CASE("an event beyond the bound stops the parser, however it comes", "[messages][sse]") {
  const std::string line = "data: " + std::string(60, 'x') + "\n";
  for (const auto& bytes : {line + line + "\n", "data: " + std::string(120, 'y')}) {
    sse_parser whole{100};
    CHECK(parse(whole, {"data: ok\n\n", bytes, "data: late\n\n"}) == lines{"|ok|"});
    CHECK(whole.overflowed());
    sse_parser cut{100};
    std::vector<std::string_view> pieces;
    for (size_t at = 0; at < bytes.size(); ++at)
      pieces.push_back(std::string_view{bytes}.substr(at, 1));
    CHECK(parse(cut, pieces).empty());
    CHECK(cut.overflowed());
  }
}

TEST_CASE("data inside one piece is shown in place", "[messages][sse]") {
  const std::string bytes = "data: here\n\n" + std::string(100, ':') + "\n";
  sse_parser parser;
  const char* at = nullptr;
  parser.feed(bytes, [&at](const sse_event& each) {
    at = each.data.data();
    return true;
  });
  CHECK(at == bytes.data() + 6);
}

TEST_CASE("a shortcut is asked where an event may begin, and what it takes is not read",
          "[messages][sse]") {
  sse_parser parser;
  std::vector<std::string> asked, read;
  auto visit = [&read](const sse_event& each) {
    read.emplace_back(each.data);
    return true;
  };
  auto skip = [&asked](std::string_view rest) -> size_t {
    asked.emplace_back(rest);
    return rest.starts_with("data: b\n\n") ? 9 : 0;
  };
  parser.feed("data: a\n\ndata: b\n\ndata: c\ndata: d\n\neve", visit, skip);
  parser.feed("nt: x\ndata: e\n\n", visit, skip);
  CHECK(asked == std::vector<std::string>{
                     "data: a\n\ndata: b\n\ndata: c\ndata: d\n\neve",
                     "data: b\n\ndata: c\ndata: d\n\neve",
                     "eve",
                 });
  CHECK(read == std::vector<std::string>{"a", "c\nd", "e"});
}

} // namespace sse_test

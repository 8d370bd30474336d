#include "messages/wire/json_lines.hpp"

#include "tests/support/catch.hpp"

namespace json_lines_test {

using namespace troupe;

namespace {

const std::string stream =
    "{\"a\":1}\n\r\n\nServer ready {\"x\":1}\n  [1]\r\n{\"b\":\"\xC3\xA9\"}\nlog";
const std::vector<std::string> messages{"{\"a\":1}", "[1]", "{\"b\":\"\xC3\xA9\"}"};

} // namespace

TEST_CASE("JSON lines are the same wherever the reads cut them", "[transport][json_lines]") {
  for (size_t first = 0; first <= stream.size(); ++first)
    for (size_t second = first; second <= stream.size(); ++second) {
      json_lines lines;
      std::vector<std::string> got;
      for (const auto& piece :
           {stream.substr(0, first), stream.substr(first, second - first), stream.substr(second)})
        for (auto& each : lines.feed(piece))
          got.push_back(std::move(each));
      REQUIRE(got == messages);
      REQUIRE(lines.skipped() == 1);
      REQUIRE(lines.lines() == 6);
    }
}

TEST_CASE("byte order marks in front of lines are left out wherever the reads cut them",
          "[transport][json_lines]") {
  const std::string marked = "\xEF\xBB\xBF{\"a\":1}\n\xEF\xBB\xBF\r\n \xEF\xBB\xBF [2]\r\n"
                             "{\"b\":\"\xEF\xBB\xBF\"}\n\xEF\xBB\xBFlog\n\xEF\xBB{}\n";
  for (size_t cut = 0; cut <= marked.size(); ++cut) {
    json_lines lines;
    auto got = lines.feed(marked.substr(0, cut));
    for (auto& each : lines.feed(marked.substr(cut)))
      got.push_back(std::move(each));
    INFO(cut);
    REQUIRE(got == std::vector<std::string>{"{\"a\":1}", "[2]", "{\"b\":\"\xEF\xBB\xBF\"}"});
    REQUIRE(lines.skipped() == 2);
    REQUIRE(lines.last_skipped() == "\xEF\xBB{}");
  }
}

TEST_CASE("the beginning of a line that is not JSON is kept", "[transport][json_lines]") {
  json_lines lines;
  lines.feed("first\nListening on ");
  CHECK(lines.last_skipped() == "first");
  lines.feed(std::string(2000, '.') + "\n{}\n");
  CHECK(lines.last_skipped() == "Listening on " + std::string(1011, '.'));
}

TEST_CASE("a JSON line beyond the limit stops the reading", "[transport][json_lines]") {
  json_lines lines{8};
  CHECK(lines.feed("{234567}\n").size() == 1);
  CHECK_FALSE(lines.overflowed());
  CHECK(lines.feed("{23").empty());
  CHECK(lines.feed("45678}").empty());
  CHECK(lines.overflowed());
  CHECK(lines.feed("\n{}\n").empty());
}

TEST_CASE("a JSON line beyond the limit is not counted, wherever it is cut",
          "[transport][json_lines]") {
  const std::string text = "{}\nnoise\n{2345678}\n{}\nnoise\n";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    json_lines lines{8};
    lines.feed(text.substr(0, cut));
    lines.feed(text.substr(cut));
    REQUIRE(lines.overflowed());
    REQUIRE(lines.lines() == 2);
    REQUIRE(lines.skipped() == 1);
  }
}

TEST_CASE("a line that is not JSON may be as long as it likes", "[transport][json_lines]") {
  json_lines lines{8};
  CHECK(lines.feed(std::string(1000, 'x')).empty());
  CHECK(lines.feed("{}\n{}\n") == std::vector<std::string>{"{}"});
  CHECK_FALSE(lines.overflowed());
  CHECK(lines.skipped() == 1);
}

} // namespace json_lines_test

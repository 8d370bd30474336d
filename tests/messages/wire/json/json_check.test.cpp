#include "messages/wire/json/json_check.hpp"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "tests/support/catch.hpp"

namespace json_check_test {

using namespace troupe;

TEST_CASE("every form of JSON value passes", "[messages][json_check]") {
  for (auto text :
       {"{}", "[]", " \t\r\n1 ", "0", "-0", "-1.5e+3", "1E5", "0.1", "true", "false", "null",
        "\"\"", R"("\"\\\/\b\f\n\r\t\u00aF\ud800")", R"({"a":{"b":[1,[],{}]},"a":2})", "[1,2]",
        "123456789012345678901234567890", "1e999", "\"\x7F\xC3\xA9\xF0\x9F\x98\x80\"",
        R"(["0123456789012345\n","01234567"])"}) {
    INFO(text);
    CHECK(json_fault(text) == "");
  }
}

TEST_CASE("the outermost members are shown on the way", "[messages][json_check]") {
  std::vector<std::pair<std::string, std::string>> shown;
  auto look = [&shown](std::string_view text) {
    shown.clear();
    return json_fault(text, [&shown](std::string_view key, std::string_view value) {
      shown.emplace_back(key, value);
    });
  };
  CHECK(look(R"( {"a":1 , "b\u0062" : {"c":[{"d":{}}], "e":2} ,"f":[1, 2] ,"":"x","a":null} )")
            .empty());
  CHECK(shown == std::vector<std::pair<std::string, std::string>>{
                     {"a", "1"},
                     {R"(b\u0062)", R"({"c":[{"d":{}}], "e":2})"},
                     {"f", "[1, 2]"},
                     {"", R"("x")"},
                     {"a", "null"}});
  for (auto text : {"{}", R"([{"a":1},2])", R"("a")", "7"}) {
    CHECK(look(text).empty());
    CHECK(shown.empty());
  }
  CHECK(look(R"({"a":1,"b":})") == "a value is expected at byte 11");
  CHECK(shown.size() == 1);
}

TEST_CASE("what is no JSON is refused with its place", "[messages][json_check]") {
  for (auto text : {"",
                    " ",
                    "{",
                    "}",
                    "[",
                    "]",
                    "[1,]",
                    "[,1]",
                    "{,}",
                    R"({"a"})",
                    R"({"a":})",
                    R"({"a":1,})",
                    R"({a:1})",
                    R"({"a" 1})",
                    "[1 2]",
                    "[1}",
                    R"({"a":1])",
                    "01",
                    "-",
                    "1.",
                    ".5",
                    "1e",
                    "1e+",
                    "+1",
                    "tru",
                    "truE",
                    "nul",
                    "NaN",
                    "Infinity",
                    "'a'",
                    "\"",
                    "\"a",
                    R"("\x")",
                    R"("\u12")",
                    R"("\u12g4")",
                    "\"\\",
                    "\"\n\"",
                    "\"0123456\x1F\"",
                    "1 2",
                    "{}{}",
                    "// a\n1",
                    "\xEF\xBB\xBF{}",
                    "\"\xC3\"",
                    "\"\xED\xA0\x80\"",
                    "\"\xC0\x80\"",
                    "\xFF",
                    "1\v"}) {
    INFO(text);
    CHECK(json_fault(text) != "");
  }
  CHECK(json_fault({"1\0", 2}) != "");
  CHECK(json_fault(R"({"a": x})") == "a value is expected at byte 6");
}

TEST_CASE("nesting is accepted up to its bound", "[messages][json_check]") {
  auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(json_fault(nested(max_json_depth)) == "");
  CHECK(json_fault(nested(max_json_depth + 1)) == "the nesting is too deep at byte 512");
}

TEST_CASE("only one whole object is a JSON object", "[messages][json_check]") {
  for (auto text : {"{}", " \n{\"a\":1}\r\n", R"({"a":123456789012345678901234567890})"})
    CHECK(is_json_object(text));
  for (auto text : {"", " ", "[]", "null", "\"{}\"", "{", "{}{}", "x{}", "{}x"})
    CHECK_FALSE(is_json_object(text));
}

TEST_CASE("random edits of JSON are judged as simdjson judges them", "[messages][json_check]") {
  const std::string seed =
      R"({"a":[1,-2.5e3,true,false,null,"x\n\u00e9\"",{"b":{}}],"c":"0123456789ab","d":[[],0]})";
  const std::string letters = "{}[]\",:\\ 0123456789eE+-.truefalsn\x01\xC3";
  std::mt19937 random{7};
  simdjson::dom::parser parser;
  int accepted = 0;
  for (int round = 0; round < 50'000; ++round) {
    auto text = seed;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      auto at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 2);
      else
        text[at] = letters[random() % letters.size()];
    }
    auto error = parser.parse(text).error();
    // Legal, but too large for simdjson: numbers beyond 64 bits.
    if (error == simdjson::NUMBER_ERROR && json_fault(text).empty())
      continue;
    INFO(text);
    REQUIRE(json_fault(text).empty() == (error == simdjson::SUCCESS));
    accepted += error == simdjson::SUCCESS;
  }
  CHECK(accepted > 1000);
}

} // namespace json_check_test

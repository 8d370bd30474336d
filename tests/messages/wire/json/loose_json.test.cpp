#include "messages/wire/json/loose_json.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace loose_json_test {

using namespace troupe;

TEST_CASE("a strict object is read as it stands, up to its end", "[messages][loose_json]") {
  auto read = read_loose_object(R"({"a":[1,{"b":"}"}],"c":-1.5e3} behind)");
  REQUIRE(read);
  CHECK(read->json == R"({"a":[1,{"b":"}"}],"c":-1.5e3})");
  CHECK(read->bytes == 30);
  const auto& marks = read->marks;
  CHECK_FALSE(
      (marks.raw_controls || marks.single_quotes || marks.python_words || marks.trailing_comma));
}

TEST_CASE("each looseness is written strictly, and marked", "[messages][loose_json]") {
  auto raw = read_loose_object("{\"a\":\"\x1f\n\"}");
  REQUIRE(raw);
  CHECK(raw->json == R"({"a":"\u001f\n"})");
  CHECK(raw->marks.raw_controls);
  auto quotes = read_loose_object(R"({'a"b':'c\\'})");
  REQUIRE(quotes);
  CHECK(quotes->json == R"({"a\"b":"c\\"})");
  CHECK(quotes->marks.single_quotes);
  auto words = read_loose_object(R"({"True":None})");
  REQUIRE(words);
  CHECK(words->json == R"({"True":null})");
  CHECK(words->marks.python_words);
  auto comma = read_loose_object(R"({"a":[",",],})");
  REQUIRE(comma);
  CHECK(comma->json == R"({"a":[","]})");
  CHECK(comma->marks.trailing_comma);
}

TEST_CASE("what has no end or two readings is not read", "[messages][loose_json]") {
  for (const char* text : {"{", "{]", "{\"a\":'x}", "{\"a\":1,,}", "{\"a\":[,]}", "{\"a\":\"\\",
                           "{\"a\":\"\\x41\"}", "{\"a\":nul}", "x", "", "\"a\""})
    CHECK_FALSE(read_loose_object(text));
}

} // namespace loose_json_test

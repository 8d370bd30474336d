#include "messages/wire/json/commented_json.hpp"

#include <utility>
#include <vector>

#include "messages/wire/json/json_check.hpp"
#include "tests/support/catch.hpp"

namespace commented_json_test {

using namespace troupe;

TEST_CASE("comments, trailing commas and a byte order mark become blanks",
          "[messages][commented_json]") {
  const std::vector<std::pair<std::string, std::string>> texts{
      {"{}", "{}"},
      {"\xEF\xBB\xBF{}", "   {}"},
      {"{// a\n}", "{    \n}"},
      {"{/* a\r\nb */}", "{    \r\n    }"},
      {"[1,2,]", "[1,2 ]"},
      {"{\"a\":1 , /* b */ }", "{\"a\":1           }"},
      {"[[1,],{\"a\":[],},]", "[[1 ],{\"a\":[] } ]"},
      {"[\"a//b\",\"/*\",\"\\\"//\",]", "[\"a//b\",\"/*\",\"\\\"//\" ]"},
      {"1 // the end", "1           "},
  };
  for (const auto& [text, plain] : texts) {
    INFO(text);
    CHECK(plain_json(text) == plain);
    CHECK(json_fault(plain).empty());
  }
}

TEST_CASE("what comments cannot excuse stays wrong", "[messages][commented_json]") {
  for (const std::string text :
       {"[,]", "{,}", "[1,,]", "{\"a\":,}", "{ /* no end", "[1 / 2]", "{'a':1}",
        "\"no end, // none", "# not this kind\n{}", "{\"a\":1,,}"}) {
    INFO(text);
    CHECK_FALSE(json_fault(plain_json(text)).empty());
    CHECK(plain_json(text).size() == text.size());
  }
}

TEST_CASE("a place is counted in lines and characters", "[messages][commented_json]") {
  const auto at = [](std::string_view text, size_t byte) {
    const auto place = place_of(text, byte);
    return std::pair{place.line, place.column};
  };
  CHECK(at("abc", 0) == std::pair<size_t, size_t>{1, 1});
  CHECK(at("a\nbc", 3) == std::pair<size_t, size_t>{2, 2});
  CHECK(at("a\r\nbc", 4) == std::pair<size_t, size_t>{2, 2});
  CHECK(at("\xC3\xA4\xF0\x9F\x9A\x80x", 6) == std::pair<size_t, size_t>{1, 3});
  CHECK(at("\xEF\xBB\xBF{", 3) == std::pair<size_t, size_t>{1, 1});
  CHECK(at("a\n", 99) == std::pair<size_t, size_t>{2, 1});
}

TEST_CASE("the flaw of a text has its byte", "[messages][commented_json]") {
  CHECK(find_json_flaw("{}").what.empty());
  CHECK(find_json_flaw("{\"a\" 1}").at == 5);
  CHECK(find_json_flaw("\"\xFF\"").at == std::string_view::npos);
}

} // namespace commented_json_test

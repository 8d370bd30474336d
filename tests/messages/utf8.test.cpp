#include "messages/utf8.hpp"

#include "tests/support/catch.hpp"

namespace utf8_test {

using namespace troupe;

TEST_CASE("a prefix never cuts a character", "[messages][utf8]") {
  std::string_view text = "aä世🌍";
  CHECK(utf8_prefix(text, 0) == "");
  CHECK(utf8_prefix(text, 1) == "a");
  CHECK(utf8_prefix(text, 2) == "a");
  CHECK(utf8_prefix(text, 3) == "aä");
  CHECK(utf8_prefix(text, 5) == "aä");
  CHECK(utf8_prefix(text, 6) == "aä世");
  CHECK(utf8_prefix(text, 9) == "aä世");
  CHECK(utf8_prefix(text, 10) == text);
  CHECK(utf8_prefix(text, 99) == text);
}

TEST_CASE("code points are written as UTF-8, surrogates as U+FFFD", "[messages][utf8]") {
  std::string out;
  for (char32_t code : {U'a', U'ä', U'世', U'🌍', char32_t{0xD800}, char32_t{0x110000}})
    append_code_point(out, code);
  CHECK(out == "aä世🌍\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("repaired text keeps all that was good", "[messages][utf8]") {
  std::string out;
  append_utf8(out, "ok \xF0\x9F\x8C end\xC3");
  CHECK(out == "ok \xEF\xBF\xBD end\xEF\xBF\xBD");
}

TEST_CASE("a byte order mark is left out at the beginning of a text only", "[messages][utf8]") {
  CHECK(without_byte_order_mark("\xEF\xBB\xBF{}") == "{}");
  CHECK(without_byte_order_mark("{\xEF\xBB\xBF}") == "{\xEF\xBB\xBF}");
  CHECK(without_byte_order_mark("\xEF\xBB") == "\xEF\xBB");
  CHECK(without_byte_order_mark("").empty());
}

TEST_CASE("UTF-16 is known by its first character", "[messages][utf8]") {
  using namespace std::string_view_literals;
  for (auto text : {"\xFF\xFE{\0"sv, "\xFE\xFF\0{"sv, "{\0\"\0"sv, "\0{\0\""sv, "[\0"sv})
    CHECK(begins_like_utf16(text));
  for (auto text : {""sv, "{"sv, "{}"sv, "\0\0"sv, "a\0"sv, "\xEF\xBB\xBF{}"sv, "\xFF{"sv,
                    "\xFF\xFE"sv, "\xFF\xFE log"sv})
    CHECK_FALSE(begins_like_utf16(text));
}

} // namespace utf8_test

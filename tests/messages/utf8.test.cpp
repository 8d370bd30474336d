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

} // namespace utf8_test

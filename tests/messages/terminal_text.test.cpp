#include "messages/terminal_text.hpp"

#include "tests/support/catch.hpp"

namespace terminal_text_test {

using namespace troupe;

TEST_CASE("what could steer a terminal is left out", "[messages][printable]") {
  CHECK(terminal_text("a\033[31mb\x7f"
                      "c\r\b\007") == "a[31mbc");
  CHECK(terminal_text("a\xC2\x9B"
                      "31mb\xC2\x80\xC2\x9F") == "a31mb"); // U+009B begins as ESC [
  CHECK(terminal_text("\xC2\xA0 \xC3\xA4 \xF0\x9F\x9A\x80 \xE2\x80\x9B") ==
        "\xC2\xA0 \xC3\xA4 \xF0\x9F\x9A\x80 \xE2\x80\x9B");
  CHECK(terminal_text("end\xC2") == "end\xC2");
}

TEST_CASE("what turns the direction of text is left out, its letters stay",
          "[messages][printable]") {
  CHECK(terminal_text("rm \xE2\x80\xAE"
                      "a"
                      "\xE2\x80\xAC \xE2\x81\xA6"
                      "b"
                      "\xE2\x81\xA9") == "rm a b");
  CHECK(terminal_text("\xE2\x80\xAA\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA") ==
        "\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA");
  CHECK(terminal_text("\xD7\xA9\xD7\x9C\xE2\x80\x8F") == "\xD7\xA9\xD7\x9C\xE2\x80\x8F");
  CHECK(terminal_text("end\xE2\x80") == "end\xE2\x80");
}

TEST_CASE("leaving something out does not make a control character of its neighbours",
          "[messages][printable]") {
  CHECK(terminal_text("a\xC2\x7F\x9B"
                      "31m") == "a31m");
  CHECK(terminal_text("a\xC2\xC2\x9B\x9B"
                      "31m") == "a31m");
  CHECK(terminal_text("a\xE2\x80\x01\xAE"
                      "b") == "ab");
  CHECK(terminal_text("a\xE2\xC2\x85\x81\r\xA6"
                      "b") == "ab");
}

TEST_CASE("line ends and tabs are blanks, or stay", "[messages][printable]") {
  CHECK(terminal_text("a\n\tb") == "a  b");
  CHECK(terminal_text("a\n\tb", true) == "a\n\tb");
}

} // namespace terminal_text_test

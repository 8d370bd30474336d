#include "messages/printable.hpp"

#include "tests/support/catch.hpp"

namespace printable_test {

using namespace troupe;

TEST_CASE("what could steer a terminal is left out", "[messages][printable]") {
  CHECK(printable("a\033[31mb\x7f"
                  "c\r\b\007") == "a[31mbc");
  CHECK(printable("a\xC2\x9B"
                  "31mb\xC2\x80\xC2\x9F") == "a31mb"); // U+009B begins as ESC [
  CHECK(printable("\xC2\xA0 \xC3\xA4 \xF0\x9F\x9A\x80 \xE2\x80\x9B") ==
        "\xC2\xA0 \xC3\xA4 \xF0\x9F\x9A\x80 \xE2\x80\x9B");
  CHECK(printable("end\xC2") == "end\xC2");
}

TEST_CASE("what turns the direction of text is left out, its letters stay",
          "[messages][printable]") {
  CHECK(printable("rm \xE2\x80\xAE"
                  "a"
                  "\xE2\x80\xAC \xE2\x81\xA6"
                  "b"
                  "\xE2\x81\xA9") == "rm a b");
  CHECK(printable("\xE2\x80\xAA\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA") ==
        "\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA");
  CHECK(printable("\xD7\xA9\xD7\x9C\xE2\x80\x8F") == "\xD7\xA9\xD7\x9C\xE2\x80\x8F");
  CHECK(printable("end\xE2\x80") == "end\xE2\x80");
}

TEST_CASE("line ends and tabs are blanks, or stay", "[messages][printable]") {
  CHECK(printable("a\n\tb") == "a  b");
  CHECK(printable("a\n\tb", true) == "a\n\tb");
}

} // namespace printable_test

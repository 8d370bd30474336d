#include "messages/one_line.hpp"

#include "tests/support/catch.hpp"

namespace one_line_test {

using namespace troupe;

TEST_CASE("a text of others becomes one line", "[messages][one_line]") {
  CHECK(one_line("", 10, markup::stays).empty());
  CHECK(one_line("  a\r\n\tb\x01 c \n", 10, markup::stays) == "a b c");
  CHECK(one_line("a\xFF!", 10, markup::stays) == "a\xEF\xBF\xBD!");
}

TEST_CASE("tags are left out where that is asked for", "[messages][one_line]") {
  const std::string page = "<!doctype html><html>\n<h1>Not  found</h1> 1 < 2 <br";
  CHECK(one_line(page, 100, markup::is_left_out) == "Not found 1 < 2 <br");
  CHECK(one_line("<b>x</b>", 100, markup::stays) == "<b>x</b>");
  CHECK(one_line("<a><b>", 100, markup::is_left_out).empty());
}

TEST_CASE("a line is cut between two characters", "[messages][one_line]") {
  CHECK(one_line("abc", 3, markup::stays) == "abc");
  CHECK(one_line("abcd", 3, markup::stays) == "abc...");
  CHECK(one_line("ab\xC3\xA9", 3, markup::stays) == "ab...");
}

} // namespace one_line_test

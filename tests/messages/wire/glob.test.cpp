#include "messages/wire/glob.hpp"

#include "tests/support/catch.hpp"

namespace glob_test {

using namespace troupe;

TEST_CASE("a star stands for any characters, and for none", "[messages][glob]") {
  CHECK(matches_glob("bench-*", "bench-1-2"));
  CHECK(matches_glob("bench-*", "bench-"));
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("a*b*c", "axxbyybzc"));
  CHECK(matches_glob("**a", "banana"));
  CHECK(matches_glob("a.c", "a.c"));
  CHECK_FALSE(matches_glob("bench-*", "my-bench-1"));
  CHECK_FALSE(matches_glob("a*b", "abc"));
  CHECK_FALSE(matches_glob("a.c", "abc"));
  CHECK_FALSE(matches_glob("", "a"));
  CHECK(matches_glob("", ""));
}

} // namespace glob_test

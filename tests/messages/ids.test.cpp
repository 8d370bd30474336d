#include "messages/ids.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace ids_test {

using namespace troupe;

TEST_CASE("ids differ and begin with what they are", "[actors][ids]") {
  auto first = make_id("turn_");
  CHECK(first.find("turn_") == 0);
  CHECK(first.size() == 5 + 24);
  CHECK(first != make_id("turn_"));
}

} // namespace ids_test

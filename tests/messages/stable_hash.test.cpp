#include "messages/stable_hash.hpp"

#include "tests/support/catch.hpp"

namespace stable_hash_test {

using namespace troupe;

TEST_CASE("a hash is the published one", "[messages][stable_hash]") {
  // The vectors of draft-eastlake-fnv, appendix C.
  CHECK(stable_hash("") == 0xcbf29ce484222325);
  CHECK(stable_hash("a") == 0xaf63dc4c8601ec8c);
  CHECK(stable_hash("foobar") == 0x85944171f73967e8);
}

} // namespace stable_hash_test

#include "messages/chat/usage.hpp"

#include "messages/json.hpp"
#include "tests/support/catch.hpp"

namespace usage_test {

using namespace troupe;

namespace {

/// Input, output, total, reasoning, cached.
usage counted(usage first, const usage& later) {
  first.update(later);
  return first;
}

bool same(const usage& a, const usage& b) {
  return to_json(a) == to_json(b);
}

} // namespace

TEST_CASE("later counts replace earlier ones", "[messages][usage]") {
  CHECK(same(counted({11, 3, 14, 2, 7}, {12, 2, 20, 1, 5}), {12, 2, 20, 1, 5}));
  CHECK(same(counted({}, {11, 3, 14, 2, 7}), {11, 3, 14, 2, 7}));
}

TEST_CASE("a count of zero replaces none", "[messages][usage]") {
  CHECK(same(counted({11, 3, 20, 2, 7}, {}), {11, 3, 20, 2, 7}));
  CHECK(same(counted({11, 3, 14, 2, 7}, {12, 4, 16, 0, 0}), {12, 4, 16, 2, 7}));
}

TEST_CASE("the total of counts that came apart is at least their sum", "[messages][usage]") {
  CHECK(same(counted({11, 0, 11, 0, 0}, {0, 3, 3, 0, 0}), {11, 3, 14, 0, 0}));
  CHECK(same(counted({11, 3, 14, 0, 0}, {0, 0, 20, 0, 0}), {11, 3, 20, 0, 0}));
  CHECK(same(counted({11, 1, 12, 0, 0}, {0, 3, 15, 0, 0}), {11, 3, 15, 0, 0}));
}

} // namespace usage_test

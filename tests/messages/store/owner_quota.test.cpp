#include "messages/store/owner_quota.hpp"

#include "tests/support/catch.hpp"

namespace owner_quota_test {

using namespace troupe;

TEST_CASE("what fits is allowed, and one more is not", "[messages][owner_quota]") {
  const owner_quota quota{3, 1000};
  CHECK_FALSE(quota_fault(quota, {2, 900}, {1, 100}));
  CHECK(quota_fault(quota, {3, 0}, {1, 0}).code == errc::quota_used_up);
  CHECK(quota_fault(quota, {0, 900}, {0, 101}).code == errc::quota_used_up);
  CHECK(quota_fault(quota, {0, 1001}, {0, 0}).code == errc::quota_used_up);
}

TEST_CASE("what makes it less is allowed as soon as it fits", "[messages][owner_quota]") {
  const owner_quota quota{3, 1000};
  CHECK_FALSE(quota_fault(quota, {9, 0}, {0, 10}));
  CHECK_FALSE(quota_fault(quota, {3, 5000}, {0, -4000}));
  CHECK(quota_fault(quota, {3, 5000}, {0, -3999}).code == errc::quota_used_up);
  CHECK_FALSE(quota_fault(quota, {0, 10}, {0, -4000}));
}

TEST_CASE("zero is no limit", "[messages][owner_quota]") {
  CHECK_FALSE(owner_quota{}.any());
  CHECK_FALSE(quota_fault({}, {1'000'000, UINT64_MAX / 2}, {1, INT64_MAX}));
  CHECK_FALSE(quota_fault({0, 10}, {1'000'000, 0}, {1, 10}));
  CHECK_FALSE(quota_fault({10, 0}, {9, UINT64_MAX / 2}, {1, 10}));
}

TEST_CASE("the text says what is used up, how much, and what to do", "[messages][owner_quota]") {
  CHECK(quota_fault({3, 0}, {3, 0}, {1, 0}).message ==
        "3 conversations are kept, and 3 may be; delete conversations that are not needed any "
        "more.");
  CHECK(quota_fault({0, 1000}, {3, 900}, {0, 200}).message ==
        "900 bytes of conversations are kept, 1000 may be, and this would add 200; delete "
        "conversations that are not needed any more.");
}

} // namespace owner_quota_test

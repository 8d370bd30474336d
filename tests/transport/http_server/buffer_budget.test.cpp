#include "transport/http_server/buffer_budget.hpp"

#include <memory>
#include <vector>

#include "tests/support/catch.hpp"

namespace buffer_budget_test {

using namespace troupe;

namespace {

constexpr size_t kib = 1024;

} // namespace

TEST_CASE("a connection holds a little for nothing, and the rest counts in all three places",
          "[transport][buffer_budget]") {
  buffer_budget budget{1024 * kib, 8 * kib};
  const auto address = budget.of_address("10.0.0.1");
  const auto owner = budget.of_owner("alice");
  {
    buffer_charge charge{budget, address};
    CHECK(address->connections == 1);
    CHECK(charge.resize(buffer_charge::free_bytes));
    CHECK(budget.bytes() == 0);
    charge.bill(owner);
    CHECK(charge.resize(100 * kib));
    CHECK(budget.bytes() >= 100 * kib);
    CHECK(address->bytes == budget.bytes());
    CHECK(owner->bytes == budget.bytes());
    CHECK(charge.resize(0));
    CHECK(budget.bytes() == 0);
    CHECK(charge.is_billed_to(""));
    CHECK(charge.resize(50 * kib));
    CHECK(owner->bytes == 0);
  }
  CHECK(budget.bytes() == 0);
  CHECK(address->bytes == 0);
  CHECK(address->connections == 0);
}

TEST_CASE("one address may have half, one owner a quarter, and all of them the whole",
          "[transport][buffer_budget]") {
  buffer_budget budget{1024 * kib, 8 * kib};
  buffer_charge first{budget, budget.of_address("10.0.0.1")};
  buffer_charge second{budget, budget.of_address("10.0.0.1")};
  CHECK(first.resize(256 * kib));
  CHECK(second.resize(256 * kib));
  CHECK_FALSE(second.resize(512 * kib));
  CHECK(second.bytes() == 256 * kib);
  buffer_charge other{budget, budget.of_address("10.0.0.2")};
  other.bill(budget.of_owner("alice"));
  CHECK_FALSE(other.resize(512 * kib));
  CHECK(other.resize(256 * kib));
  buffer_charge third{budget, budget.of_address("10.0.0.3")};
  CHECK(third.resize(256 * kib));
  CHECK_FALSE(third.resize(512 * kib));
  CHECK(budget.bytes() == budget.most());
  CHECK(first.resize(0));
  CHECK(third.resize(512 * kib));
}

TEST_CASE("another owner takes over what a connection holds", "[transport][buffer_budget]") {
  buffer_budget budget{1024 * kib, 8 * kib};
  const auto alice = budget.of_owner("alice");
  const auto bob = budget.of_owner("bob");
  buffer_charge charge{budget, budget.of_address("10.0.0.1")};
  CHECK(charge.is_billed_to(""));
  charge.bill(alice);
  CHECK(charge.is_billed_to("alice"));
  CHECK_FALSE(charge.is_billed_to(""));
  REQUIRE(charge.resize(100 * kib));
  charge.bill(bob);
  CHECK(charge.is_billed_to("bob"));
  CHECK(alice->bytes == 0);
  CHECK(bob->bytes == charge.bytes());
  charge.bill(nullptr);
  CHECK(charge.is_billed_to(""));
  CHECK(bob->bytes == 0);
  CHECK(budget.bytes() == charge.bytes());
}

TEST_CASE("a share is enough for one large request, if all of the budget is",
          "[transport][buffer_budget]") {
  buffer_budget budget{1024 * kib, 700 * kib};
  buffer_charge charge{budget, budget.of_address("10.0.0.1")};
  charge.bill(budget.of_owner("alice"));
  CHECK(charge.resize(700 * kib));
  buffer_budget small{1024 * kib, 2000 * kib};
  CHECK(small.of_owner("alice")->most == small.most());
}

TEST_CASE("addresses that are gone are forgotten, those in use are not",
          "[transport][buffer_budget]") {
  buffer_budget budget{1024 * kib, 8 * kib};
  buffer_charge stays{budget, budget.of_address("stays")};
  CHECK(stays.resize(100 * kib));
  for (int i = 0; i < 5000; ++i)
    budget.of_address(std::to_string(i));
  CHECK(budget.of_address("stays")->bytes == stays.bytes());
  CHECK(budget.of_address("0")->bytes == 0);
}

TEST_CASE("who pays for a request has as much room as the fullest account leaves",
          "[transport][buffer_budget]") {
  std::shared_ptr<const buffer_payers> late;
  {
    buffer_budget budget{1024 * kib, 8 * kib};
    buffer_charge charge{budget, budget.of_address("10.0.0.1")};
    CHECK(charge.payers("")->room() == 512 * kib);
    CHECK(charge.payers("alice")->room() == 256 * kib);
    CHECK(charge.resize(496 * kib));
    CHECK(charge.payers("")->room() == 16 * kib);
    charge.bill(budget.of_owner("alice")); // over no limit, but nothing more fits
    CHECK(charge.payers("alice")->room() == 0);
    CHECK(charge.payers("bob")->room() == 16 * kib);
    buffer_charge other{budget, budget.of_address("10.0.0.2")};
    CHECK(other.payers("")->room() == 512 * kib);
    CHECK(other.resize(512 * kib));
    CHECK(charge.payers("")->room() == 16 * kib);
    late = other.payers("");
    CHECK(late->room() == 0);
  }
  CHECK(late->room() == 512 * kib); // all was given back; asking is safe
}

} // namespace buffer_budget_test

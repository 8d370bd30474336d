#include "apps/engine/http/requests/answer_slots.hpp"

#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace answer_slots_test {

using namespace troupe;

namespace {

/// Who waits for a slot, and keeps it.
struct visitor {
  answer_slots::slot held;
  void ask(answer_slots& where) {
    held = where.take([this](answer_slots::slot given) { held = std::move(given); });
  }
};

} // namespace

TEST_CASE("no more places are taken than there are, and the first who waits is the next",
          "[apps][answer_slots]") {
  answer_slots slots{2};
  std::vector<visitor> all(4);
  for (auto& each : all)
    each.ask(slots);
  CHECK(all[0].held);
  CHECK(all[1].held);
  CHECK_FALSE(all[2].held);
  all[1].held.reset();
  CHECK(all[2].held);
  CHECK_FALSE(all[3].held);
  all[0].held.reset();
  CHECK(all[3].held);
  all.clear();
  visitor next;
  next.ask(slots);
  CHECK(next.held);
}

TEST_CASE("places of those who are gone go on to the next who waits, however many they are",
          "[apps][answer_slots]") {
  answer_slots slots{1};
  visitor first, last;
  first.ask(slots);
  int gone = 0;
  constexpr int most = 200'000; // as calls within calls they would not fit on a stack
  for (int i = 0; i < most; ++i)
    if (slots.take([&gone](const answer_slots::slot&) { ++gone; }))
      FAIL("there is one place");
  last.ask(slots);
  first.held.reset();
  CHECK(gone == most);
  CHECK(last.held);
}

TEST_CASE("a place may be given back after the end of all", "[apps][answer_slots]") {
  visitor late;
  {
    answer_slots slots{1};
    late.ask(slots);
  }
  late.held.reset();
  CHECK_FALSE(late.held);
}

} // namespace answer_slots_test

#include "apps/engine/http/requests/answer_places.hpp"

#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace answer_places_test {

using namespace troupe;

namespace {

/// Who waits for a place, and keeps it.
struct visitor {
  answer_places::place held;
  void ask(answer_places& where) {
    held = where.take([this](answer_places::place given) { held = std::move(given); });
  }
};

} // namespace

TEST_CASE("no more places are taken than there are, and the first who waits is the next",
          "[apps][answer_places]") {
  answer_places places{2};
  std::vector<visitor> all(4);
  for (auto& each : all)
    each.ask(places);
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
  next.ask(places);
  CHECK(next.held);
}

TEST_CASE("places of those who are gone go on to the next who waits, however many they are",
          "[apps][answer_places]") {
  answer_places places{1};
  visitor first, last;
  first.ask(places);
  int gone = 0;
  constexpr int most = 200'000; // as calls within calls they would not fit on a stack
  for (int i = 0; i < most; ++i)
    if (places.take([&gone](const answer_places::place&) { ++gone; }))
      FAIL("there is one place");
  last.ask(places);
  first.held.reset();
  CHECK(gone == most);
  CHECK(last.held);
}

TEST_CASE("a place may be given back after the end of all", "[apps][answer_places]") {
  visitor late;
  {
    answer_places places{1};
    late.ask(places);
  }
  late.held.reset();
  CHECK_FALSE(late.held);
}

} // namespace answer_places_test

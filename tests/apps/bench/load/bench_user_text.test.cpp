#include "apps/bench/load/lane.hpp"

#include <map>

#include "tests/support/catch.hpp"

namespace bench_user_text_test {

using namespace troupe::bench;

TEST_CASE("sessions of one turn say every text in turn, over all lanes", "[apps][bench]") {
  bench_plan plan;
  plan.work.texts = {"a", "b", "c"};
  plan.lanes = 2;
  std::map<std::string, int> said;
  for (uint32_t lane = 0; lane < 2; ++lane)
    for (uint64_t session = 0; session < 30; ++session)
      ++said[user_text(plan, lane, session, 0)];
  CHECK(said == std::map<std::string, int>{{"a", 20}, {"b", 20}, {"c", 20}});
  CHECK(user_text(plan, 0, 0, 0) == "a");
  CHECK(user_text(plan, 1, 0, 0) == "b");
  CHECK(user_text(plan, 0, 1, 0) == "c");
}

TEST_CASE("the turns of a session say one text after the other", "[apps][bench]") {
  bench_plan plan;
  plan.work.texts = {"a", "b", "c"};
  CHECK(user_text(plan, 0, 1, 0) == "b");
  CHECK(user_text(plan, 0, 1, 1) == "c");
  CHECK(user_text(plan, 0, 1, 2) == "a");
}

TEST_CASE("a plan without texts has one", "[apps][bench]") {
  CHECK_FALSE(user_text({}, 0, 7, 3).empty());
}

} // namespace bench_user_text_test

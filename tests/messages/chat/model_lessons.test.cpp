#include "messages/chat/model_config.hpp"

#include "tests/support/catch.hpp"

namespace model_lessons_test {

using namespace troupe;
using names = std::vector<std::string>;

TEST_CASE("a parameter that is left out is news once", "[messages][model_lessons]") {
  const model_lessons lessons;
  CHECK(lessons.take_left_out().empty());
  lessons.leave_out("seed");
  lessons.leave_out("seed");
  lessons.leave_out("stop");
  CHECK(lessons.take_left_out() == names{"seed", "stop"});
  lessons.leave_out("seed");
  CHECK(lessons.take_left_out().empty());
}

TEST_CASE("the bound gets another name as long as one is left", "[messages][model_lessons]") {
  const model_lessons lessons;
  CHECK(lessons.bound() == bound_name::usual);
  CHECK(lessons.use_bound(bound_name::newer));
  CHECK(lessons.bound() == bound_name::newer);
  CHECK(lessons.use_bound(bound_name::newer));
  CHECK(lessons.use_bound(bound_name::old));
  CHECK_FALSE(lessons.use_bound(bound_name::newer)); // the server refuses both
  CHECK(lessons.bound() == bound_name::old);
}

TEST_CASE("a copied configuration has learned nothing", "[messages][model_lessons]") {
  const model_lessons lessons;
  lessons.leave_out("seed");
  lessons.use_bound(bound_name::newer);
  const auto copy = lessons;
  CHECK(copy.take_left_out().empty());
  CHECK(copy.bound() == bound_name::usual);
}

} // namespace model_lessons_test

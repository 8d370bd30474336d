// Every known quirk of Gemini gives its events, however the network cuts the bytes.
#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace gemini_fixtures_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("each known quirk of Gemini has its fixtures", "[messages][gemini]") {
  check_quirk_rows(answer_fixtures{"gemini"}, 40);
}

TEST_CASE("each answer of Gemini gives its events, however it is cut", "[messages][gemini]") {
  check_fixtures(answer_fixtures{"gemini"});
}

TEST_CASE("an answer of Gemini that breaks off anywhere closes its calls", "[messages][gemini]") {
  for_each_broken_fixture(answer_fixtures{"gemini"}, [](const decoded_body&) { return true; });
}

} // namespace gemini_fixtures_test

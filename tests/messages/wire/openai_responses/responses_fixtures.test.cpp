// Every quirk of a server of the Responses API gives the events that it means, however the network
// cuts the bytes.
#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace responses_fixtures_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("each quirk of a Responses server gives its events, however the bytes are cut",
          "[messages][openai_responses]") {
  const answer_fixtures corpus{"openai-responses"};
  CHECK(corpus.all().size() >= 80);
  check_fixtures(corpus);
}

TEST_CASE("each of the known quirks of Responses servers has its fixtures",
          "[messages][openai_responses]") {
  check_quirk_rows(answer_fixtures{"openai-responses"}, 27);
}

} // namespace responses_fixtures_test

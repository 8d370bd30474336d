// Every recorded quirk of a chat-completions server gives the events of the clean stream, however
// the network cuts the bytes.
#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace openai_fixtures_test {

using namespace troupe::test;

TEST_CASE("the corpus of model answers is there", "[messages][openai_chat]") {
  CHECK(answer_fixtures{"openai"}.all().size() >= 130);
}

TEST_CASE("each of the 58 known quirks has its fixtures", "[messages][openai_chat]") {
  check_quirk_rows(answer_fixtures{"openai"}, 58);
}

TEST_CASE("each quirk of a model server gives the events of the clean answer, in any pieces",
          "[messages][openai_chat]") {
  check_fixtures(answer_fixtures{"openai"});
}

TEST_CASE("an answer that breaks off anywhere closes what it opened, and ends once",
          "[messages][openai_chat]") {
  for_each_broken_fixture(answer_fixtures{"openai"}, [](const decoded_body&) { return true; });
}

} // namespace openai_fixtures_test

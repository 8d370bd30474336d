// Every quirk of a server that speaks Anthropic's Messages gives the events that it means, however
// the network cuts the bytes.
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/messages/wire/provider/recordings.hpp"

namespace anthropic_fixtures_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("each of the 38 known quirks of Anthropic has its fixtures", "[messages][anthropic]") {
  const answer_fixtures corpus{"anthropic"};
  CHECK(corpus.all().size() >= 100);
  check_quirk_rows(corpus, 38);
}

TEST_CASE("each quirk of Anthropic gives its events, wherever it is cut", "[messages][anthropic]") {
  check_fixtures(answer_fixtures{"anthropic"});
}

TEST_CASE("an answer of Anthropic that breaks off anywhere closes its calls, and seals nothing",
          "[messages][anthropic]") {
  for_each_broken_fixture(answer_fixtures{"anthropic"}, [](const decoded_body& answer) {
    return !answer.end.error || answer.end.provider_metadata.empty();
  });
}

TEST_CASE("each recorded answer of Anthropic gives what it means", "[messages][anthropic]") {
  check_recordings("anthropic", "anthropic", 35);
}

TEST_CASE("each recorded answer of chat completions gives what it means",
          "[messages][openai_chat]") {
  check_recordings("completions", "openai", 31);
}

} // namespace anthropic_fixtures_test

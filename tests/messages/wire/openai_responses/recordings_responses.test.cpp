// The recorded answers of OpenAI, Azure, DeepSeek, xAI and LM Studio at the Responses API.
#include "tests/messages/wire/provider/recordings.hpp"
#include "tests/support/openai_responses_request_check.hpp"

namespace recordings_responses_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("each recorded answer of a Responses server gives what it means",
          "[messages][openai_responses][recordings]") {
  check_recordings("responses", "openai-responses", 35);
}

} // namespace recordings_responses_test

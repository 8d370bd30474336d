// The recorded answers of many servers that speak chat completions.
#include "tests/messages/wire/provider/recordings.hpp"

namespace recordings_completions_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("each recorded answer of a chat-completions server gives what it means",
          "[messages][openai_chat][recordings]") {
  check_recordings("completions", "openai", 31);
}

} // namespace recordings_completions_test

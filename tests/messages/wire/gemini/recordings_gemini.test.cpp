// Recorded answers of the real Gemini and of Vertex AI (recordings.hpp says where they lie).
#include "tests/messages/wire/provider/recordings.hpp"

namespace recordings_gemini_test {

using namespace troupe::test;

TEST_CASE("the recorded answers of Gemini mean what is written beside them", "[messages][gemini]") {
  check_recordings("gemini", "gemini", 40);
}

} // namespace recordings_gemini_test

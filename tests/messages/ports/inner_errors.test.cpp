#include "messages/ports/inner_errors.hpp"

#include "tests/support/catch.hpp"

namespace inner_errors_test {

using namespace troupe;

TEST_CASE("a text with an inner address becomes the code's own", "[messages][inner_errors]") {
  std::string text = "the connection to 10.0.0.7:8000 broke off";
  hide_inner_text(nullptr, "model", "s", errc::model_stream_cut, text);
  CHECK(text == user_text(errc::model_stream_cut));
}

TEST_CASE("what the client can act on stays", "[messages][inner_errors]") {
  for (auto code : {errc::request_invalid, errc::model_unknown, errc::tool_failed,
                    errc::file_unknown, errc::turn_limit_reached, errc::model_idle_timeout}) {
    std::string text = "do this";
    hide_inner_text(nullptr, "model", "s", code, text);
    CHECK(text == "do this");
  }
}

} // namespace inner_errors_test

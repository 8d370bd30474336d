#include "messages/errors.hpp"

#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace errors_test {

using namespace troupe;

namespace {

std::vector<errc> all_codes() {
  return {
#define TROUPE_CODE(name, who, retry, status, text) errc::name,
      TROUPE_ERRORS(TROUPE_CODE)
#undef TROUPE_CODE
  };
}

} // namespace

TEST_CASE("every error has a name of its own that leads back to it", "[messages][errors]") {
  std::set<std::string> names;
  for (auto code : all_codes()) {
    CHECK(errc_from(to_string(code)) == code);
    names.insert(to_string(code));
  }
  CHECK(names.size() == all_codes().size());
  CHECK(to_string(errc::model_timeout) == "model_timeout");
}

TEST_CASE("every error has something to say to the user and somebody to blame",
          "[messages][errors]") {
  for (auto code : all_codes()) {
    CHECK_FALSE(user_text(code).empty());
    CHECK((caused_by(code) == blame::nobody) == (code == errc::none));
  }
  CHECK(retryable(errc::model_overloaded));
  CHECK_FALSE(retryable(errc::model_refused));
}

TEST_CASE("the status of an error tells clients whether the request was wrong",
          "[messages][errors]") {
  for (auto code : all_codes())
    CHECK((http_status(code) >= 400 && http_status(code) < 600));
  CHECK(http_status(errc::request_invalid) == 400);
  CHECK(http_status(errc::conversation_unknown) == 404);
  CHECK(http_status(errc::not_owner) == 421);
  CHECK(http_status(errc::server_start_failed) == 502);
  CHECK(http_status(errc::internal) == 500);
}

TEST_CASE("an unknown name or number is an internal error", "[messages][errors]") {
  CHECK(errc_from("no_such_error") == errc::internal);
  CHECK(to_string(static_cast<errc>(250)) == "internal");
  CHECK(http_status(static_cast<errc>(250)) == 500);
}

TEST_CASE("a failure says its own text, or else the code's", "[messages][errors]") {
  CHECK_FALSE(failure{});
  CHECK(failure{errc::aborted, {}});
  CHECK(failure{errc::aborted, {}}.text() == user_text(errc::aborted));
  CHECK(failure{errc::aborted, "stop"}.text() == "stop");
}

} // namespace errors_test

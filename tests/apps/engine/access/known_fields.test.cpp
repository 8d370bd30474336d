#include "apps/engine/access/known_fields.hpp"

#include <utility>

#include "tests/support/catch.hpp"

namespace known_fields_test {

using namespace troupe;

TEST_CASE("of fields with one name the first counts, also an empty one", "[apps][known_fields]") {
  server_request request;
  request.fields = {{"x-request-id", "a"},   {"host", ""},       {"x-request-id", "b"},
                    {"host", "here"},        {"x-api-key", "k"}, {"content-type", "text/plain"},
                    {"traceparent", "trace"}};
  const auto known = read_known_fields(request);
  CHECK(known.request_id == "a");
  CHECK(known.host.empty());
  CHECK(known.key == "k");
  CHECK(known.traceparent == "trace");
  CHECK(known.page.empty());
  CHECK_FALSE(known.preflight);
}

TEST_CASE("known fields stay when their request is moved", "[apps][known_fields]") {
  server_request request;
  request.fields = {{"host", "a"}, {"origin", "http://b"}}; // short: kept within the strings
  const auto known = read_known_fields(request);
  const auto moved = std::move(request);
  CHECK(known.host.data() == moved.fields[0].value.data());
  CHECK(known.page.data() == moved.fields[1].value.data());
}

} // namespace known_fields_test

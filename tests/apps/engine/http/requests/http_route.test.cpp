#include "apps/engine/http/requests/http_route.hpp"

#include <optional>

#include "tests/support/catch.hpp"
#include "transport/http/request_head.hpp"

namespace http_route_test {

using namespace troupe;

namespace {

/// The ids that a row takes of a path as received; nothing if it is not the row's.
std::optional<path_ids> ids_of(std::string_view row, const std::string& target) {
  server_request request;
  request.target = target;
  request.path = percent_decoded(target).value_or("");
  path_ids ids;
  if (!matches({"GET", row, nullptr}, request, ids))
    return {};
  return ids;
}

} // namespace

TEST_CASE("a path without ids is the row's or not", "[apps][routes]") {
  CHECK(ids_of("/v1/models", "/v1/models"));
  CHECK(ids_of("/v1/models", "/v1/mod%65ls"));
  CHECK_FALSE(ids_of("/v1/models", "/v1/models/"));
  CHECK_FALSE(ids_of("/v1/models", "/v1"));
}

TEST_CASE("an id is decoded and may hold slashes", "[apps][routes]") {
  CHECK(ids_of("/c/{}", "/c/a")->at(0) == "a");
  CHECK(ids_of("/c/{}", "/%63/%C3%A4%20b%2Fc")->at(0) == "\xC3\xA4 b/c");
  CHECK(ids_of("/c/{}", "/c/a/b")->at(0) == "a/b");
  CHECK(ids_of("/c/{}", "/c//")->at(0) == "/");
  CHECK(ids_of("/c/{}", "/c/" + std::string(256, 'x')));
  CHECK_FALSE(ids_of("/c/{}", "/c/" + std::string(257, 'x')));
  CHECK_FALSE(ids_of("/c/{}", "/c/"));
  CHECK_FALSE(ids_of("/c/{}", "/c"));
  CHECK_FALSE(ids_of("/c/{}", "/c%2Fa"));
  CHECK_FALSE(ids_of("/c/{}", "*"));
}

TEST_CASE("only slashes that are not encoded stand between segments", "[apps][routes]") {
  CHECK(ids_of("/c/{}/export", "/c/a%2Fb/export")->at(0) == "a/b");
  CHECK(ids_of("/c/{}/export", "/c/export/export")->at(0) == "export");
  CHECK_FALSE(ids_of("/c/{}/export", "/c/a%2Fexport"));
  CHECK_FALSE(ids_of("/c/{}/export", "/c/export"));
  CHECK(ids_of("/c/{}", "/c/a%2Fexport")->at(0) == "a/export");
}

TEST_CASE("of two ids the first one takes as much as it can", "[apps][routes]") {
  using both = path_ids;
  CHECK(ids_of("/s/{}/a/{}", "/s/1/a/2") == both{"1", "2"});
  CHECK(ids_of("/s/{}/a/{}", "/s/1/a/2/a/3") == both{"1/a/2", "3"});
  CHECK(ids_of("/s/{}/a/{}", "/s/1/a/2%2Fa%2F3") == both{"1", "2/a/3"});
  CHECK(ids_of("/s/{}/a/{}", "/s/a/a/a") == both{"a", "a"});
  CHECK_FALSE(ids_of("/s/{}/a/{}", "/s/1/a"));
  CHECK_FALSE(ids_of("/s/{}/a/{}", "/s/a/2"));
  CHECK_FALSE(ids_of("/s/{}/a/{}", "/s/1/b/2"));
}

} // namespace http_route_test

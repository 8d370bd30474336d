#include "apps/engine/config.hpp"

#include <cstdlib>

#include "tests/support/catch.hpp"

using namespace troupe;

namespace {

std::string error_of(const std::string& json) {
  engine_config config;
  return parse_config(json, config).message;
}

} // namespace

TEST_CASE("a configuration is read in the order of its servers", "[apps][config]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"listen":"127.0.0.1:1",
    "models":{"m":{"base_url":"http://x/v1","api_key":"k"}},
    "mcpServers":{"zebra":{"command":"z","args":["1"],"env":{"A":"b"}},
                  "ant":{"url":"http://y/mcp","headers":{"X":"y"},"disabled":true}},
    "limits":{"drainSeconds":7}})",
                             config));
  CHECK(config.models.at("m").api_key == "k");
  REQUIRE(config.mcp_servers.size() == 2);
  CHECK(config.mcp_servers[0].name == "zebra");
  CHECK(config.mcp_servers[0].type == "stdio");
  CHECK(config.mcp_servers[1].type == "http");
  CHECK_FALSE(config.mcp_servers[1].enabled);
  CHECK(config.limits.drain == std::chrono::seconds{7});
}

TEST_CASE("an unknown key is refused with the nearest known one", "[apps][config]") {
  CHECK(error_of(R"({"lisen":"x"})") == "lisen is not a known key; did you mean 'listen'?");
  CHECK(error_of(R"({"limits":{"drainSecond":1}})").find("limits.drainSecond") == 0);
}

TEST_CASE("a wrong value is refused with its place", "[apps][config]") {
  CHECK(error_of(R"({"shards":-1})").find("shards must be") == 0);
  CHECK(error_of(R"({"models":{"m":{"base_url":"ftp://x"}}})").find("models.m.base_url") == 0);
  CHECK(error_of(R"({"mcpServers":{"s":{}}})").find("mcpServers.s.command") == 0);
  CHECK(error_of("{").find("not valid JSON") != std::string::npos);
  CHECK(error_of("[]").find("must be an object") != std::string::npos);
}

TEST_CASE("a refused configuration changes nothing", "[apps][config]") {
  engine_config config;
  config.listen = "before";
  CHECK(parse_config(R"({"listen":"after","nope":1})", config));
  CHECK(config.listen == "before");
}

TEST_CASE("${NAME} comes from the environment and must be there", "[apps][config]") {
  setenv("TROUPE_TEST_SECRET", "s3cret", 1);
  unsetenv("TROUPE_TEST_ABSENT");
  engine_config config;
  REQUIRE_FALSE(parse_config(
      R"({"models":{"m":{"base_url":"http://x","api_key":"a-${TROUPE_TEST_SECRET}"}}})", config));
  CHECK(config.models.at("m").api_key == "a-s3cret");
  auto text =
      error_of(R"({"models":{"m":{"base_url":"http://x","api_key":"${TROUPE_TEST_ABSENT}"}}})");
  CHECK(text.find("TROUPE_TEST_ABSENT") != std::string::npos);
}

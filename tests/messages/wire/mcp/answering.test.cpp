#include "messages/wire/mcp/answering.hpp"

#include "messages/wire/mcp/initialize.hpp"
#include "messages/wire/mcp/tools_call.hpp"
#include "tests/support/catch.hpp"

namespace answering_test {

using namespace troupe;

TEST_CASE("what a node says of a server is read as the server's own words", "[messages][mcp]") {
  server_status server;
  server.server_name = "every\"thing";
  server.server_title = "T";
  server.server_version = "1.2";
  server.protocol_version = "2025-06-18";
  server.instructions = "be\nnice";
  auto& offered = server.capabilities;
  offered.tools = offered.prompts = offered.logging = offered.completions = true;
  SECTION("resources that can be watched") {
    offered.resources = offered.resources_subscribe = true;
  }
  SECTION("resources that cannot") {
    offered.resources = true;
  }
  SECTION("no resources") {}
  mcp::initialize_result read;
  REQUIRE_FALSE(mcp::parse(mcp::initialize_result_of(server), read));
  CHECK(read.server_name == server.server_name);
  CHECK(read.server_title == "T");
  CHECK(read.server_version == "1.2");
  CHECK(read.protocol_version == "2025-06-18");
  CHECK(read.instructions == "be\nnice");
  CHECK(read.capabilities.tools);
  CHECK(read.capabilities.prompts);
  CHECK(read.capabilities.logging);
  CHECK(read.capabilities.completions);
  CHECK(read.capabilities.resources == offered.resources);
  CHECK(read.capabilities.resources_subscribe == offered.resources_subscribe);
}

TEST_CASE("the server of another node runs its tasks itself", "[messages][mcp]") {
  server_status server;
  server.protocol_version = "2025-11-25";
  server.capabilities.tasks = server.capabilities.task_calls = true;
  mcp::initialize_result read;
  REQUIRE_FALSE(mcp::parse(mcp::initialize_result_of(server), read));
  CHECK_FALSE(read.capabilities.tasks);
  CHECK_FALSE(read.capabilities.tools);
}

TEST_CASE("a call is read as it was written", "[messages][mcp]") {
  mcp::asked_call read;
  REQUIRE_FALSE(mcp::parse(mcp::tools_call_params("look", R"({"a":[1, 2]})", 7, "00-ab"), read));
  CHECK(read.tool == "look");
  CHECK(read.arguments == R"({"a":[1, 2]})");
  CHECK(read.progress_token == "7");
  CHECK(read.traceparent == "00-ab");
  REQUIRE_FALSE(mcp::parse(R"({"name":"now"})", read));
  CHECK(read.arguments == "{}");
  CHECK(read.progress_token.empty());
  for (const auto* bad : {"", "{}", R"({"name":1})", R"({"name":"x","arguments":[]})"})
    CHECK(mcp::parse(bad, read).code == errc::request_invalid);
}

TEST_CASE("progress is read as it was written", "[messages][mcp]") {
  mcp::progress read;
  REQUIRE_FALSE(mcp::parse(mcp::progress_params("7", 2, 4, "half \"way\""), read));
  CHECK(read.token == 7);
  CHECK(read.value == 2);
  CHECK(read.total == 4);
  CHECK(read.message == "half \"way\"");
  REQUIRE_FALSE(mcp::parse(mcp::progress_params("8", 0.5, 0, ""), read));
  CHECK(read.value == 0.5);
  CHECK(read.total == 0);
}

} // namespace answering_test

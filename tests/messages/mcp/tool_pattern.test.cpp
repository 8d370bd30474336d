#include "messages/mcp/tool_pattern.hpp"

#include "messages/mcp/mcp_config.hpp"
#include "tests/support/catch.hpp"

namespace tool_pattern_test {

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("a star stands for any characters", "[messages][tool_pattern]") {
  CHECK(fits_pattern("read", "read"));
  CHECK_FALSE(fits_pattern("read", "reads"));
  CHECK_FALSE(fits_pattern("read", "rea"));
  CHECK(fits_pattern("*", ""));
  CHECK(fits_pattern("*", "anything"));
  CHECK(fits_pattern("read_*", "read_file"));
  CHECK(fits_pattern("*_file", "read_file"));
  CHECK(fits_pattern("r*d*e", "read_file"));
  CHECK(fits_pattern("a*b*b", "abab_b"));
  CHECK_FALSE(fits_pattern("a*b*c", "abab"));
  CHECK_FALSE(fits_pattern("", "a"));
  CHECK(fits_pattern("", ""));
  const auto many = std::string(2000, 'a');
  CHECK_FALSE(fits_pattern("a*a*a*a*a*a*a*a*b", many)); // in time
}

TEST_CASE("a choice names servers and their tools", "[messages][tool_pattern]") {
  CHECK(chooses_tool({"files"}, "files", "read"));
  CHECK(chooses_tool({"files/read"}, "files", "read"));
  CHECK(chooses_tool({"web", "files/r*"}, "files", "read"));
  CHECK_FALSE(chooses_tool({"files/read"}, "files", "write"));
  CHECK_FALSE(chooses_tool({"file"}, "files", "read"));
  CHECK_FALSE(chooses_tool({}, "files", "read"));
  CHECK(chooses_tool({"a/b"}, "a/b", "c")); // names of servers may hold a slash
  CHECK(chooses_tool({"a/b/c"}, "a/b", "c"));
}

TEST_CASE("a server offers what its filters leave", "[messages][tool_pattern]") {
  mcp_server_config server;
  CHECK(offers_tool(server, "a"));
  server.exclude_tools = {"drop_*"};
  CHECK(offers_tool(server, "a"));
  CHECK_FALSE(offers_tool(server, "drop_all"));
  server.include_tools = {"a", "drop_one"};
  CHECK(offers_tool(server, "a"));
  CHECK_FALSE(offers_tool(server, "b"));
  CHECK_FALSE(offers_tool(server, "drop_one"));
}

TEST_CASE("the time to connect depends on the kind of the server", "[messages][tool_pattern]") {
  mcp_server_config server;
  server.type = "http";
  CHECK(connect_limit(server) == 10s);
  server.type = "stdio";
  server.command = "/opt/mine";
  CHECK(connect_limit(server) == 30s);
  server.command = "npx";
  CHECK(connect_limit(server) == 120s);
  server.command = "/usr/bin/uvx";
  CHECK(connect_limit(server) == 120s);
  server.command = "sh";
  server.args = {"-c", "npx -y package"};
  CHECK(connect_limit(server) == 120s);
  server.connect_timeout = 5s;
  CHECK(connect_limit(server) == 5s);
}

} // namespace tool_pattern_test

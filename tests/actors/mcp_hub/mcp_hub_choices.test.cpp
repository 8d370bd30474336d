// Servers that are not started, and tools that are not offered.
#include "actors/mcp_hub/mcp_hub.hpp"

#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"

namespace mcp_hub_choices_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(mcp_hub_fixture, "a server that cannot be used as configured fails alone",
                 "[actors][mcp_hub]") {
  heard got;
  settings.servers = {stdio_server("one"), stdio_server("two")};
  settings.servers[0].fault = "mcpServers.one.env.KEY uses ${KEY}, which is not set";
  open();
  CHECK(mcp.links.size() == 1);
  shake_hands(*this, link("two"), {"echo"});
  CHECK(status(0).health == server_health::error);
  CHECK(status(0).phase == server_phase::given_up);
  CHECK(contains(status(0).error_text, "${KEY}"));
  CHECK(status(1).health == server_health::success);
  call(caller(got), "a", "one");
  CHECK(got.outcomes.back().error == errc::config_invalid);
  CHECK(contains(got.outcomes.back().text, "${KEY}"));
  CHECK_FALSE(change("one", server_verb::retry));
  CHECK(mcp.links.size() == 1);
  CHECK_FALSE(put(stdio_server("one")));
  shake_hands(*this, link("one"), {"echo"});
  CHECK(status(0).health == server_health::success);
}

TEST_CASE_METHOD(mcp_hub_fixture, "tools that filters leave out are neither shown nor called",
                 "[actors][mcp_hub]") {
  heard got;
  settings.servers = {stdio_server("one")};
  settings.servers[0].include_tools = {"echo", "re*", "nothing"};
  settings.servers[0].exclude_tools = {"remove"};
  open();
  shake_hands(*this, link("one"), {"echo", "remove", "read", "other"});
  auto who = caller(got);
  list(who);
  CHECK(got.tools() == strings{"echo", "read"});
  caf::send_as(who, hub, call_tool{"a", "one", "remove", "{}"});
  run();
  CHECK(got.outcomes.back().error == errc::tool_unknown);
  CHECK(contains(got.outcomes.back().text, "excludeTools"));
  std::string log;
  for (const auto& line : status(0).log->lines)
    log += line.text + '\n';
  CHECK(contains(log, "'nothing', which fits no tool"));
  CHECK(contains(log, "2 tools are left out"));
}

TEST_CASE_METHOD(mcp_hub_fixture,
                 "tools that need no approval are marked, and a choice can name them",
                 "[actors][mcp_hub]") {
  heard got;
  settings.servers = {stdio_server("one"), stdio_server("two")};
  settings.servers[1].auto_approve = {"a*"};
  open();
  shake_hands(*this, link("one"), {"add"});
  shake_hands(*this, link("two"), {"ask", "other"});
  auto who = caller(got);
  list(who, {"one", "two/ask"});
  CHECK(got.tools() == strings{"add", "ask"});
  CHECK_FALSE(got.snapshots.back().set->tools[0].approved);
  CHECK(got.snapshots.back().set->tools[1].approved);
  list(who, {"three/ask"});
  CHECK(got.snapshots.back().unknown_server == "three/ask");
}

} // namespace mcp_hub_choices_test

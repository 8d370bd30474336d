#include "actors/session/turn_preparation.hpp"

#include "messages/wire/openai_chat/openai_chat.hpp"
#include "tests/support/catch.hpp"

namespace merged_tools_test {

using namespace troupe;

namespace {

tool_definition tool(const std::string& name, const std::string& server) {
  return {name, "of " + server, R"({"type":"object"})", server, name};
}

frozen<tool_set> session_tools() {
  tool_set made;
  made.version = 7;
  made.tools = {tool("echo", "one"), tool("sum", "two")};
  return frozen<tool_set>{std::move(made)};
}

} // namespace

TEST_CASE("without tools of the client a session's set is passed on as it is",
          "[actors][merged_tools]") {
  merged_tools own;
  auto base = session_tools();
  CHECK(&*own.join(base, {}) == &*base);
}

TEST_CASE("the client's tools join the session's, sorted like them", "[actors][merged_tools]") {
  merged_tools own;
  auto joined = own.join(session_tools(), {tool("zoo", ""), tool("mine", "")});
  REQUIRE(joined->tools.size() == 4);
  CHECK(joined->tools[0].name == "echo");
  CHECK(joined->tools[1].name == "mine");
  CHECK(joined->tools[2].name == "sum");
  CHECK(joined->tools[3].name == "zoo");
  CHECK(joined->version == 7);
  auto other = own.join(session_tools(), {tool("mine", ""), tool("zoo", "")});
  CHECK(openai_tools(other->tools) == openai_tools(joined->tools));
}

TEST_CASE("a tool of the client's counts before a server's of that name",
          "[actors][merged_tools]") {
  merged_tools own;
  auto base = session_tools();
  auto joined = own.join(base, {tool("echo", "sneaky"), tool("echo", "")});
  REQUIRE(joined->tools.size() == 2);
  CHECK(joined->find("echo")->server.empty());
  CHECK(joined->find("echo")->description == "of sneaky");
  CHECK(own.join(base, {})->find("echo")->server == "one");
}

TEST_CASE("the set is made once until something changes", "[actors][merged_tools]") {
  merged_tools own;
  auto base = session_tools();
  const auto* first = &*own.join(base, {tool("mine", "")});
  CHECK(&*own.join(base, {tool("mine", "")}) == first);
  auto changed = tool("mine", "");
  changed.input_schema = R"({"type":"object","properties":{}})";
  auto second = own.join(base, {changed});
  CHECK(&*second != first);
  CHECK(&*own.join(session_tools(), {changed}) != &*second);
}

} // namespace merged_tools_test

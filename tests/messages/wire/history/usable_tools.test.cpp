#include "messages/wire/history/usable_tools.hpp"

#include "tests/support/catch.hpp"

namespace usable_tools_test {

using namespace troupe;

namespace {

tool_definition client_tool(std::string name, std::string schema) {
  return {std::move(name), "Does it.", std::move(schema), "", ""};
}

std::vector<std::string> shown(const std::vector<tool_definition>& tools) {
  std::vector<std::string> lines;
  for_each_usable_tool(tools, [&](const usable_tool& each) {
    lines.push_back(each.tool.name + " " + each.description + " " + std::string{each.schema});
  });
  return lines;
}

} // namespace

TEST_CASE("tools are shown with schemas that every server takes", "[messages][usable_tools]") {
  CHECK(shown({client_tool("a", R"({"type":"object"})"),
               client_tool("b", R"({"type":"string"})"),
               client_tool("c", R"({"type":"object","properties":{ }})"),
               client_tool("c", ""),
               {"d_1234", "", "", "s", "д"}}) ==
        std::vector<std::string>{R"(a Does it. {"type":"object","properties":{}})",
                                 R"(c Does it. {"type":"object","properties":{ }})",
                                 R"(d_1234 "д" of the MCP server "s" )"
                                 R"({"type":"object","properties":{}})"});
}

TEST_CASE("a schema that is right is not copied", "[messages][usable_tools]") {
  const std::vector<tool_definition> tools{
      client_tool("a", R"({"type":"object","properties":{}})")};
  for_each_usable_tool(tools, [&](const usable_tool& each) {
    CHECK(each.schema.data() == tools[0].input_schema.data());
  });
}

} // namespace usable_tools_test

#include "messages/wire/mcp/tools_list.hpp"

#include "tests/support/catch.hpp"

using namespace troupe;

TEST_CASE("the cursor is sent from the second page on", "[messages][mcp_tools_list]") {
  CHECK(mcp::tools_list_params("") == "{}");
  CHECK(mcp::tools_list_params("a\"b") == R"({"cursor":"a\"b"})");
}

TEST_CASE("schemas come through byte for byte", "[messages][mcp_tools_list]") {
  const std::string schema =
      "{ \"type\":\"object\",\n \"properties\" : {\"n\":{\"maximum\":18446744073709551616.0e0}} }";
  mcp::tools_page page;
  auto bad = mcp::parse(R"({"tools":[{"name":"a","title":"A","description":"does","inputSchema":)" +
                            schema + R"(,"outputSchema":{"type" : "object"},"icons":[]}],)" +
                            R"("nextCursor":"p2"})",
                        page);
  REQUIRE(bad.message == "");
  REQUIRE(page.tools.size() == 1);
  CHECK(page.tools[0].name == "a");
  CHECK(page.tools[0].title == "A");
  CHECK(page.tools[0].description == "does");
  CHECK(page.tools[0].input_schema == schema);
  CHECK(page.tools[0].output_schema == R"({"type" : "object"})");
  CHECK(page.next_cursor == "p2");
}

TEST_CASE("what a server leaves out of a tool has a default", "[messages][mcp_tools_list]") {
  mcp::tools_page page;
  REQUIRE_FALSE(mcp::parse(R"({"tools":[{"name":"a"},
    {"name":"b","inputSchema":null,"outputSchema":null,"description":null,
     "annotations":{"title":"T"}}],"nextCursor":null})",
                           page));
  REQUIRE(page.tools.size() == 2);
  CHECK(page.tools[0].input_schema == R"({"type":"object"})");
  CHECK(page.tools[1].input_schema == R"({"type":"object"})");
  CHECK(page.tools[1].output_schema.empty());
  CHECK(page.tools[1].title == "T");
  CHECK(page.next_cursor.empty());
}

TEST_CASE("a bad tool is named", "[messages][mcp_tools_list]") {
  auto message = [](std::string_view tools) {
    mcp::tools_page page;
    auto bad = mcp::parse(R"({"tools":)" + std::string{tools} + "}", page);
    CHECK(bad.code == errc::server_protocol);
    return bad.message;
  };
  CHECK(message(R"([{"name":"a"},{"title":"x"}])") == "tools/list: tool 1 has no name");
  CHECK(message("[7]") == "tools/list: tool 0 has no name");
  CHECK(message(R"([{"name":"a","inputSchema":[]}])") ==
        "tools/list: the inputSchema of tool \"a\" is no object");
  CHECK(message(R"([{"name":"a","outputSchema":true}])") ==
        "tools/list: the outputSchema of tool \"a\" is no object");
  CHECK(message("{}") == "tools/list: the answer has no array \"tools\"");
  CHECK(message("[") == "tools/list: the answer is not JSON: a value is expected at byte 10");
}

TEST_CASE("a list that breaks off is refused", "[messages][mcp_tools_list]") {
  const std::string whole =
      R"({"tools":[{"name":"a\n","inputSchema":{"a":[1]}},{"name":"b"}],"nextCursor":"c"})";
  mcp::tools_page page;
  REQUIRE_FALSE(mcp::parse(whole, page));
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(mcp::parse(std::string{whole.data(), cut}, page).code == errc::server_protocol);
}

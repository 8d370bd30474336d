#include "messages/wire/mcp/tools_list.hpp"

#include "messages/wire/mcp/page.hpp"

#include "tests/support/catch.hpp"

namespace mcp_tools_list_test {

using namespace troupe;

TEST_CASE("the cursor is sent from the second page on", "[messages][mcp_tools_list]") {
  CHECK(mcp::page_params("") == "{}");
  CHECK(mcp::page_params("a\"b") == R"({"cursor":"a\"b"})");
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
  CHECK(page.tools[0].input_schema.text == schema);
  CHECK(page.tools[0].output_schema.text == R"({"type" : "object"})");
  CHECK(page.next_cursor == "p2");
}

TEST_CASE("what a server leaves out of a tool has a default", "[messages][mcp_tools_list]") {
  mcp::tools_page page;
  REQUIRE_FALSE(mcp::parse(R"({"tools":[{"name":"a"},
    {"name":"b","inputSchema":null,"outputSchema":null,"description":null,
     "annotations":{"title":"T"}}],"nextCursor":null})",
                           page));
  REQUIRE(page.tools.size() == 2);
  CHECK(page.tools[0].input_schema.text == R"({"type":"object"})");
  CHECK(page.tools[1].input_schema.text == R"({"type":"object"})");
  CHECK(page.tools[1].output_schema.text.empty());
  CHECK(page.tools[1].title == "T");
  CHECK(page.next_cursor.empty());
}

TEST_CASE("what a tool says of itself comes through", "[messages][mcp_tools_list]") {
  mcp::tools_page page;
  REQUIRE_FALSE(mcp::parse(R"({"tools":[{"name":"a","inputSchema":{},
    "annotations":{"readOnlyHint" : true},"icons":[{"src":"x"} ],"_meta":{"k" :1},
    "execution":{"taskSupport":"required"}},
    {"name":"b","annotations":{"idempotentHint":true},"execution":{"taskSupport":"optional"}},
    {"name":"c","annotations":{"readOnlyHint":false},"execution":{"taskSupport":"forbidden"}},
    {"name":"d","annotations":{"readOnlyHint":"true"},"execution":{"taskSupport":"maybe"}}]})",
                           page));
  REQUIRE(page.tools.size() == 4);
  const auto& first = page.tools[0];
  CHECK(first.annotations.text == R"({"readOnlyHint" : true})");
  CHECK(first.icons.text == R"([{"src":"x"} ])");
  CHECK(first.meta.text == R"({"k" :1})");
  CHECK(first.as_task == mcp::task_support::required);
  CHECK(first.repeatable);
  CHECK(page.tools[1].as_task == mcp::task_support::optional);
  CHECK(page.tools[1].repeatable);
  CHECK(page.tools[1].icons.text.empty());
  CHECK(page.tools[1].meta.text.empty());
  for (size_t i : {2, 3}) {
    CHECK(page.tools[i].as_task == mcp::task_support::forbidden);
    CHECK_FALSE(page.tools[i].repeatable);
  }
}

TEST_CASE("decorations of a wrong kind are left out, and the tool stays",
          "[messages][mcp_tools_list]") {
  mcp::tools_page page;
  REQUIRE_FALSE(mcp::parse(
      R"({"tools":[{"name":"a","annotations":[],"icons":{},"_meta":7,"execution":"x","title":1,)"
      R"("outputSchema":true}]})",
      page));
  REQUIRE(page.tools.size() == 1);
  CHECK(page.tools[0].annotations.text.empty());
  CHECK(page.tools[0].icons.text.empty());
  CHECK(page.tools[0].meta.text.empty());
  CHECK(page.tools[0].title.empty());
  CHECK(page.tools[0].output_schema.text.empty());
}

TEST_CASE("a bad tool in a server's list is left out and named, the others stay",
          "[messages][mcp_tools_list]") {
  auto left_out = [](std::string_view tools) {
    mcp::tools_page page;
    auto whole = R"({"tools":[{"name":"a"},)" + std::string{tools} + R"(,{"name":"z"}]})";
    REQUIRE_FALSE(mcp::parse(whole, page));
    REQUIRE(page.tools.size() == 2);
    CHECK(page.tools.back().name == "z");
    REQUIRE(page.left_out.size() == 1);
    return page.left_out.front();
  };
  CHECK(left_out(R"({"title":"x"})") == "tools/list: tool 1 has no name");
  CHECK(left_out("7") == "tools/list: tool 1 has no name");
  CHECK(left_out(R"({"name":"b","inputSchema":[1]})") ==
        "tools/list: the inputSchema of tool \"b\" is no object");
  CHECK(left_out(R"({"name":"b","inputSchema":{"type":"string"}})") ==
        R"(tools/list: the inputSchema of tool "b" is of type "string", not "object")");
}

TEST_CASE("a schema that can be repaired stays as the server gave it",
          "[messages][mcp_tools_list]") {
  mcp::tools_page page;
  REQUIRE_FALSE(mcp::parse(R"({"tools":[{"name":"a","inputSchema":{"properties":[]}},)"
                           R"({"name":"b","inputSchema":[]},{"name":"c","inputSchema":true}]})",
                           page));
  REQUIRE(page.tools.size() == 3);
  CHECK(page.tools[0].input_schema.text == R"({"properties":[]})");
  CHECK(page.tools[1].input_schema.text == R"({"type":"object"})");
  CHECK(page.tools[2].input_schema.text == R"({"type":"object"})");
  CHECK(page.left_out.empty());
}

TEST_CASE("what is no list of tools is refused", "[messages][mcp_tools_list]") {
  auto message = [](std::string_view tools) {
    mcp::tools_page page;
    auto bad = mcp::parse(R"({"tools":)" + std::string{tools} + "}", page);
    CHECK(bad.code == errc::server_protocol);
    return bad.message;
  };
  CHECK(message("{}") == "tools/list: there is no array \"tools\"");
  CHECK(message("[") == "tools/list: not JSON: a value is expected at byte 10");
}

TEST_CASE("a list that breaks off is refused", "[messages][mcp_tools_list]") {
  const std::string whole =
      R"({"tools":[{"name":"a\n","inputSchema":{"a":[1]}},{"name":"b"}],"nextCursor":"c"})";
  mcp::tools_page page;
  REQUIRE_FALSE(mcp::parse(whole, page));
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(mcp::parse(std::string{whole.data(), cut}, page).code == errc::server_protocol);
}

} // namespace mcp_tools_list_test

#include "messages/wire/mcp/mcp_view.hpp"

#include "messages/json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/support/catch.hpp"

namespace mcp_view_test {

using namespace troupe;

namespace {

server_list two_servers() {
  server_tools tools;
  tools.tools.resize(2);
  tools.tools[0].name = "look";
  tools.tools[0].input_schema.text = "{ }";
  tools.tools[1].name = "now";
  tools.tools[1].title = "Now";
  tools.tools[1].description = "says \"when\"";
  tools.tools[1].input_schema.text = R"({"type":"object"})";
  tools.tools[1].output_schema.text = R"({"a":1})";
  tools.tools[1].annotations.text = R"({"readOnlyHint":true})";
  tools.tools[1].icons.text = "[]";
  tools.tools[1].meta.text = "{}";
  tools.tools[1].as_task = mcp::task_support::required;
  tools.tools[1].repeatable = true;
  server_list list;
  list.servers.resize(2);
  list.servers[0].name = "a";
  list.servers[0].offered = frozen{std::move(tools)};
  list.servers[1].name = "b\"";
  server_resources resources;
  resources.resources = {{"x://1", "n", "", "", "text/plain", 3, {R"({"p":1})"}},
                         {"x://2", "", "", "", "", 0, {}}};
  resources.templates = {{"x://{id}", "t", "T", "", ""}};
  list.servers[1].resources = frozen{std::move(resources)};
  server_prompts prompts;
  prompts.prompts = {{"p", "P", "", {{"arg", "", "what", true}}}, {"q", "", "", {}}};
  list.servers[1].prompts = frozen{std::move(prompts)};
  list.active_flows = 3;
  return list;
}

} // namespace

TEST_CASE("a connected server is shown with all that is known", "[messages][mcp_view]") {
  auto server = two_servers().servers[0];
  server.type = "stdio";
  server.health = server_health::success;
  server.phase = server_phase::connected;
  server.server_name = "s\"";
  server.server_title = "S";
  server.server_version = "1";
  server.protocol_version = "2025-11-25";
  server.instructions = "be\nnice";
  server.capabilities.tools = true;
  server.attempt = 2;
  server.connect_ms = 12;
  server.log = frozen{server_log{{{1700000000000, "connected", 1}, {1700000000001, "x", 4}}}};
  CHECK(server_json(server) ==
        R"({"name":"a","type":"stdio","enabled":true,"health":"success","phase":"Connected",)"
        R"("serverName":"s\"","serverTitle":"S","serverVersion":"1",)"
        R"("protocolVersion":"2025-11-25","instructions":"be\nnice","capabilities":{"tools":true,)"
        R"("resources":false,"resourcesSubscribe":false,"prompts":false,"logging":false,)"
        R"("completions":false,"tasks":false,"taskCalls":false},"attempt":2,"connectMs":12,)"
        R"("error":null,"tools":2,"resources":0,"resourceTemplates":0,"prompts":0,"log":[)"
        R"({"timeMs":1700000000000,"text":"connected","times":1},)"
        R"({"timeMs":1700000000001,"text":"x","times":4}]})");
}

TEST_CASE("a server of which a cluster has one is shown with its node", "[messages][mcp_view]") {
  server_status server;
  CHECK(server_json(server).find(R"("node":)") == std::string::npos);
  server.node = "a";
  CHECK(server_json(server).find(R"("enabled":true,"node":"a","health")") != std::string::npos);
}

TEST_CASE("a failed server is shown with its error", "[messages][mcp_view]") {
  server_status server;
  server.error = errc::server_start_failed;
  CHECK(server_json(server).find(R"("error":{"code":"server_start_failed",)"
                                 R"("message":"The MCP server cannot be started."})") !=
        std::string::npos);
  server.error_text = "no \"npx\"";
  CHECK(server_json(server).find(R"("message":"no \"npx\""})") != std::string::npos);
}

TEST_CASE("what a server wrote to stderr is shown with its log only", "[messages][mcp_view]") {
  server_status server;
  server.error = errc::server_lost;
  server.error_text = "exit code 1; its stderr ends with:\nsesame";
  CHECK(server_json(server).find("sesame") != std::string::npos);
  CHECK(server_json(server, server_detail::no_log).find(R"("message":"exit code 1"})") !=
        std::string::npos);
  const auto without = server_json(server, server_detail::no_error_text);
  CHECK(without.find("exit code 1") == std::string::npos);
  CHECK(without.find(R"("code":"server_lost","message":")") != std::string::npos);
}

TEST_CASE("all servers are shown with the flows", "[messages][mcp_view]") {
  CHECK(servers_json({}) == R"({"servers":[],"activeFlows":0})");
  auto list = two_servers();
  CHECK(servers_json(list) == R"({"servers":[)" + server_json(list.servers[0]) + "," +
                                  server_json(list.servers[1]) + R"(],"activeFlows":3})");
}

TEST_CASE("tools are shown with their server, and only what is there", "[messages][mcp_view]") {
  const std::string both =
      R"({"tools":[{"server":"a","name":"look","inputSchema":{ },"taskSupport":"forbidden",)"
      R"("repeatable":false},{"server":"a","name":"now","title":"Now",)"
      R"("description":"says \"when\"","inputSchema":{"type":"object"},"outputSchema":{"a":1},)"
      R"("annotations":{"readOnlyHint":true},"icons":[],"_meta":{},"taskSupport":"required",)"
      R"("repeatable":true}]})";
  CHECK(tools_json(two_servers(), "") == both);
  CHECK(tools_json(two_servers(), "a") == both);
  CHECK(tools_json(two_servers(), "b\"") == R"({"tools":[]})");
  CHECK(tools_json(two_servers(), "nobody") == R"({"tools":[]})");
}

TEST_CASE("resources and templates are shown with their server", "[messages][mcp_view]") {
  CHECK(resources_json(two_servers(), "") ==
        R"({"resources":[{"server":"b\"","uri":"x://1","name":"n","mimeType":"text/plain",)"
        R"("size":3,"annotations":{"p":1}},{"server":"b\"","uri":"x://2"}],)"
        R"("resourceTemplates":[{"server":"b\"","uriTemplate":"x://{id}","name":"t",)"
        R"("title":"T"}]})");
  CHECK(resources_json(two_servers(), "a") == R"({"resources":[],"resourceTemplates":[]})");
}

TEST_CASE("prompts are shown with their server", "[messages][mcp_view]") {
  CHECK(prompts_json(two_servers(), "") ==
        R"({"prompts":[{"server":"b\"","name":"p","title":"P","arguments":[{"name":"arg",)"
        R"("description":"what","required":true}]},{"server":"b\"","name":"q","arguments":[]}]})");
  CHECK(prompts_json(two_servers(), "a") == R"({"prompts":[]})");
}

TEST_CASE("whatever servers say, the views are JSON", "[messages][mcp_view]") {
  auto list = two_servers();
  list.servers[0].name = "\xFF\n\"";
  list.servers[0].instructions = std::string("\0\x1F\xED\xA0\x80", 5);
  for (const auto& text :
       {servers_json(list), tools_json(list, ""), resources_json(list, ""), prompts_json(list, "")})
    CHECK(json_fault(text) == "");
}

TEST_CASE("an event is one line of data", "[messages][mcp_view]") {
  CHECK(event_stream_text({"log", "a", {"{\"data\":\n [1,\r\n2]}"}}) ==
        "event: log\ndata: {\"data\":  [1,  2]}\n\n");
  CHECK(event_stream_text({"lagged", "", {}}) == "event: lagged\ndata: null\n\n");
}

} // namespace mcp_view_test

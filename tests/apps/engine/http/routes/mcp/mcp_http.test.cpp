// Every route of the MCP host over HTTP, on real servers.
#include <map>

#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/apps/engine/http/routes/mcp/web_mcp_server.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"

namespace mcp_http_test {

using namespace troupe;
using namespace troupe::test;

namespace {

struct row {
  std::string method;
  std::string path;
  std::string body;
  int status;
  std::string says; ///< somewhere in the body
};

void check(uint16_t port, const std::vector<row>& rows) {
  for (const auto& each : rows) {
    auto answer = fetch(port, each.method, each.path, each.body);
    INFO(each.method << ' ' << each.path << ' ' << each.body << " -> " << answer.body);
    CHECK(answer.status == each.status);
    CHECK(answer.says(each.says));
    CHECK(answer.head.find("application/json") != std::string::npos);
  }
}

} // namespace

TEST_CASE("each route of the MCP host answers", "[apps][mcp]") {
  web_mcp_server web;
  running_engine running{{demo_server_entry(), web.entry()}};
  auto port = running.port();
  REQUIRE(running->wait_for_lists(patience));
  check(
      port,
      {
          {"GET", "/v1/mcp/servers", "", 200, R"("name":"demo")"},
          {"GET", "/v1/mcp/servers/demo", "", 200, R"("health":"success")"},
          {"GET", "/v1/mcp/tools", "", 200, R"("name":"get-sum")"},
          {"GET", "/v1/mcp/tools?server=web", "", 200, R"({"tools":[{"server":"web","name":"ask")"},
          {"GET", "/v1/mcp/resources?server=web", "", 200, R"("uriTemplate":"test://{id}")"},
          {"GET", "/v1/mcp/prompts", "", 200, R"("name":"greet")"},
          {"POST", "/v1/mcp/tools/call",
           R"({"server":"demo","tool":"echo","arguments":{"message":"hi"}})", 200,
           R"({"error":null,"text":"Echo: hi","result":{)"},
          {"POST", "/v1/mcp/tools/call",
           R"({"server":"demo","tool":"fail","arguments":{"message":"broken"}})", 200,
           R"("code":"tool_failed","message":"broken")"},
          {"POST", "/v1/mcp/resources/read", R"({"server":"web","uri":"test://a"})", 200,
           "content of a"},
          {"POST", "/v1/mcp/resources/read", R"({"server":"web","uri":"test://a","refresh":true})",
           200, "content of a"},
          {"POST", "/v1/mcp/resources/subscribe", R"({"server":"web","uri":"test://a"})", 200,
           "{}"},
          {"POST", "/v1/mcp/resources/unsubscribe", R"({"server":"web","uri":"test://a"})", 200,
           "{}"},
          {"POST", "/v1/mcp/prompts/get",
           R"({"server":"web","name":"greet","arguments":{"who":"me"}})", 200, "hello"},
          {"POST", "/v1/mcp/complete",
           R"({"server":"web","ref":{"type":"ref/prompt","name":"greet"},)"
           R"("argument":{"name":"who","value":"a"},"context":{"arguments":{"x":"y"}}})",
           200, "anna"},
          {"POST", "/v1/mcp/log-level", R"({"server":"web","level":"debug"})", 200, "{}"},
          {"POST", "/v1/mcp/servers/demo/ping", "", 200, "milliseconds"},
          {"POST", "/v1/mcp/request", R"({"server":"web","method":"resources/list"})", 200,
           "test://a"},
          {"POST", "/v1/mcp/servers/demo/retry", "{}", 200, R"("name":"demo")"},
          {"POST", "/v1/sessions/chat/attachments", R"({"server":"web","uri":"test://a"})", 200,
           R"("uri":"test://a")"},
          {"GET", "/v1/sessions/chat/attachments", "", 200, "test://a"},
      });
}

TEST_CASE("a body that is wrong is refused with the name of the first bad member", "[apps][mcp]") {
  running_engine running{{}};
  const std::string in_server = R"({"server":"s",)";
  check(running.port(),
        {
            {"POST", "/v1/mcp/tools/call", "", 400, "not valid JSON"},
            {"POST", "/v1/mcp/tools/call", "[]", 400, "the body must be a JSON object"},
            {"POST", "/v1/mcp/tools/call", "{}", 400, "server is missing"},
            {"POST", "/v1/mcp/tools/call", R"({"server":1})", 400, "server must be a string"},
            {"POST", "/v1/mcp/tools/call", in_server + R"("tool":""})", 400,
             "tool must not be empty"},
            {"POST", "/v1/mcp/tools/call", in_server + R"("tool":"t","arguments":[]})", 400,
             "arguments must be an object"},
            {"POST", "/v1/mcp/tools/call", in_server + R"("tool":"t","asTask":1})", 400, "asTask"},
            {"POST", "/v1/mcp/tools/call", in_server + R"("tool":"t","argument":{}})", 400,
             "did you mean 'arguments'"},
            {"POST", "/v1/mcp/resources/read", R"({"server":"s"})", 400, "uri is missing"},
            {"POST", "/v1/mcp/resources/read", in_server + R"("uri":"u","refresh":"no"})", 400,
             "refresh"},
            {"POST", "/v1/mcp/resources/subscribe", "{}", 400, "server is missing"},
            {"POST", "/v1/mcp/resources/unsubscribe", R"({"server":"s"})", 400, "uri is missing"},
            {"POST", "/v1/mcp/prompts/get", in_server + R"("name":"p","arguments":{"a":1}})", 400,
             "arguments must be an object of strings"},
            {"POST", "/v1/mcp/complete", R"({"server":"s"})", 400, "ref is missing"},
            {"POST", "/v1/mcp/complete", in_server + R"("ref":{"type":"x"},"argument":{}})", 400,
             "ref.type must be"},
            {"POST", "/v1/mcp/complete",
             in_server + R"("ref":{"type":"ref/resource"},"argument":{}})", 400,
             "ref.uri is missing"},
            {"POST", "/v1/mcp/log-level", in_server + R"("level":"loud"})", 400, "level must be"},
            {"POST", "/v1/mcp/request", in_server + R"("method":"m","params":1})", 400, "params"},
            {"POST", "/v1/mcp/servers/s/retry", "[]", 400, "the body must be"},
            {"POST", "/v1/mcp/servers/s/ping", R"({"a":1})", 400, ""},
            {"PATCH", "/v1/mcp/servers/s", "{}", 400, "enabled is missing"},
            {"PATCH", "/v1/mcp/servers/s", R"({"enabled":"yes"})", 400,
             "enabled must be true or false"},
            {"PUT", "/v1/mcp/servers/s", R"({"comand":"x"})", 400, "did you mean 'command'"},
            {"PUT", "/v1/mcp/servers/s", "{}", 400, "command is missing"},
            {"PUT", "/v1/mcp/servers/s", R"({"url":"ftp://x"})", 400, "url must be"},
            {"POST", "/v1/mcp/requests/r", R"({"action":"maybe"})", 400, "action must be"},
            {"POST", "/v1/mcp/requests/r", R"({"action":"accept","content":1})", 400, "content"},
            {"POST", "/v1/sessions/c/attachments", R"({"server":"s"})", 400, "uri is missing"},
            {"GET", "/v1/mcp/events?answers=perhaps", "", 400, "answers must be"},
        });
}

TEST_CASE("a server that is not there is a 404 on each route", "[apps][mcp]") {
  running_engine running{{demo_server_entry()}};
  const std::string in_server = R"({"server":"nobody",)";
  check(running.port(),
        {
            {"GET", "/v1/mcp/servers/nobody", "", 404, "server_unknown"},
            {"PATCH", "/v1/mcp/servers/nobody", R"({"enabled":true})", 404, "server_unknown"},
            {"DELETE", "/v1/mcp/servers/nobody", "", 404, "server_unknown"},
            {"POST", "/v1/mcp/servers/nobody/retry", "", 404, "server_unknown"},
            {"POST", "/v1/mcp/servers/nobody/ping", "", 404, "server_unknown"},
            {"GET", "/v1/mcp/tools?server=nobody", "", 404, "demo"},
            {"GET", "/v1/mcp/resources?server=nobody", "", 404, "server_unknown"},
            {"GET", "/v1/mcp/prompts?server=nobody", "", 404, "server_unknown"},
            {"POST", "/v1/mcp/tools/call", in_server + R"("tool":"t"})", 404, "server_unknown"},
            {"POST", "/v1/mcp/resources/read", in_server + R"("uri":"u"})", 404, "server_unknown"},
            {"POST", "/v1/mcp/resources/subscribe", in_server + R"("uri":"u"})", 404,
             "server_unknown"},
            {"POST", "/v1/mcp/prompts/get", in_server + R"("name":"p"})", 404, "server_unknown"},
            {"POST", "/v1/mcp/complete",
             in_server + R"("ref":{"type":"prompt","name":"p"},"argument":{"name":"a"}})", 404,
             "server_unknown"},
            {"POST", "/v1/mcp/log-level", in_server + R"("level":"info"})", 404, "server_unknown"},
            {"POST", "/v1/mcp/request", in_server + R"("method":"ping"})", 404, "server_unknown"},
            {"POST", "/v1/mcp/requests/nobody", R"({"action":"decline"})", 404, "not_found"},
            {"DELETE", "/v1/sessions/c/attachments/res-1", "", 404, "not_found"},
        });
}

TEST_CASE("what a server does not offer, and what may not be asked, is told apart", "[apps][mcp]") {
  running_engine running{{demo_server_entry()}};
  check(running.port(), {
                            {"POST", "/v1/mcp/resources/read",
                             R"({"server":"demo","uri":"test://a"})", 501, "capability_missing"},
                            {"POST", "/v1/mcp/request",
                             R"({"server":"demo","method":"tools/call"})", 400, "request_invalid"},
                            {"POST", "/v1/mcp/request", R"({"server":"demo","method":"no/such"})",
                             400, "request_invalid"},
                            {"POST", "/v1/mcp/tools/call", R"({"server":"demo","tool":"no-such"})",
                             502, "server_refused"},
                        });
}

TEST_CASE("another method is a 405 that names those there are", "[apps][mcp]") {
  running_engine running{{}};
  const std::map<std::string, std::string> paths{
      {"/v1/mcp/servers", "GET"},
      {"/v1/mcp/servers/s", "GET, PUT, PATCH, DELETE"},
      {"/v1/mcp/tools", "GET"},
      {"/v1/mcp/tools/call", "POST"},
      {"/v1/mcp/resources", "GET"},
      {"/v1/mcp/resources/read", "POST"},
      {"/v1/mcp/resources/subscribe", "POST"},
      {"/v1/mcp/resources/unsubscribe", "POST"},
      {"/v1/mcp/prompts", "GET"},
      {"/v1/mcp/prompts/get", "POST"},
      {"/v1/mcp/complete", "POST"},
      {"/v1/mcp/log-level", "POST"},
      {"/v1/mcp/request", "POST"},
      {"/v1/mcp/events", "GET"},
      {"/v1/mcp/requests/r", "POST"},
      {"/v1/sessions/c/attachments", "POST, GET"},
      {"/v1/sessions/c/attachments/a", "DELETE"},
  };
  for (const auto& [path, allowed] : paths) {
    INFO(path);
    auto answer = fetch(running.port(), "OPTIONS", path);
    CHECK(answer.status == 405);
    CHECK(answer.head.find("allow: " + allowed + "\r\n") != std::string::npos);
  }
}

} // namespace mcp_http_test

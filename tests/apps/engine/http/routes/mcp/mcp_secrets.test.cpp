// What is secret in a configuration is in no answer, no event and no error.
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/apps/engine/http/routes/mcp/web_mcp_server.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"

namespace mcp_secrets_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string marker = "M4RK3R";

/// What the process writes to stdout and stderr meanwhile.
class written {
public:
  written() {
    for (int each : {0, 1}) {
      std::fflush(nullptr);
      kept_[each] = ::dup(each + 1);
      ::dup2(::fileno(file_), each + 1);
    }
  }
  ~written() {
    restore();
    std::fclose(file_);
  }

  std::string text() {
    restore();
    std::string out(static_cast<size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    out.resize(std::fread(out.data(), 1, out.size(), file_));
    return out;
  }

private:
  void restore() {
    std::fflush(nullptr);
    for (int each : {0, 1})
      if (kept_[each] >= 0) {
        ::dup2(kept_[each], each + 1);
        ::close(std::exchange(kept_[each], -1));
      }
    std::fseek(file_, 0, SEEK_END);
  }

  std::FILE* file_ = std::tmpfile();
  int kept_[2] = {-1, -1};
};

/// Servers with the marker wherever a secret may be: one that works, and some that do not.
std::string configuration(const std::string& url) {
  return R"({"mcpServers":{
    "demo":{"command":")" +
         demo_server_entry().command +
         R"(","env":{"KEY":"${TROUPE_TEST_MARKER}"}},
    "web":{"url":")" +
         url + R"(","headers":{"Authorization":"Bearer ${TROUPE_TEST_MARKER}"}},
    "absent":{"command":"/no/such/program","env":{"KEY":"${TROUPE_TEST_MARKER}"}},
    "exits":{"command":"/bin/false","env":{"KEY":"${TROUPE_TEST_MARKER}"}},
    "closed":{"url":"http://127.0.0.1:1/mcp?key=${TROUPE_TEST_MARKER}",
              "headers":{"X-Key":"${TROUPE_TEST_MARKER}"}},
    "old":{"url":"http://user:${TROUPE_TEST_MARKER}@127.0.0.1:1/sse"},
    "socket":{"url":"ws://127.0.0.1:1/?key=${TROUPE_TEST_MARKER}",
              "headers":{"X-Key":"${TROUPE_TEST_MARKER}"}},
    "proxied":{"url":"http://127.0.0.1:1/mcp",
               "proxy":"http://user:${TROUPE_TEST_MARKER}@127.0.0.1:1"}}})";
}

std::string ask_everything(uint16_t port) {
  std::string out;
  for (const auto* path : {"/v1/status", "/readyz", "/v1/mcp/servers", "/v1/mcp/servers/demo",
                           "/v1/mcp/tools", "/v1/mcp/resources", "/v1/mcp/prompts"})
    out += fetch(port, "GET", path).body;
  for (const auto* name :
       {"demo", "web", "absent", "exits", "closed", "old", "socket", "proxied"}) {
    auto server = std::string{name};
    out += fetch(port, "POST", "/v1/mcp/servers/" + server + "/ping").body;
    out += fetch(port, "POST", "/v1/mcp/servers/" + server + "/retry").body;
    out += fetch(port, "POST", "/v1/mcp/resources/read",
                 R"({"server":")" + server + R"(","uri":"test://a"})")
               .body;
    out += fetch(port, "POST", "/v1/mcp/tools/call",
                 R"({"server":")" + server + R"(","tool":"no-such"})")
               .body;
    out += fetch(port, "GET", "/v1/mcp/servers/" + server).body;
  }
  return out;
}

} // namespace

TEST_CASE("secrets are in no answer, event, error or output", "[apps][mcp]") {
  setenv("TROUPE_TEST_MARKER", marker.c_str(), 1);
  written output;
  std::string told;
  std::string heads;
  {
    web_mcp_server web;
    engine_config config;
    REQUIRE_FALSE(parse_config(configuration(web.entry().url), config));
    config.shards = 1;
    engine running{config};
    REQUIRE_FALSE(running.listen("127.0.0.1:0"));
    mailbox<std::string> events;
    auto watch = running.mcp().watch([&](const mcp_event& each) { events.put(each.data.text); });
    REQUIRE(running.wait_for_servers(patience));
    told = ask_everything(running.port());
    auto entry = R"({"command":"/no/such","env":{"KEY":")" + marker + "\"}";
    for (const auto& body : {entry + "}", entry + R"(,"wrong":1})", entry + R"(,"args":1})",
                             R"({"url":"http://x","headers":{"X":")" + marker + R"(\n"}})",
                             R"({"url":")" + marker + R"("})", R"({"type":")" + marker + R"("})"})
      told += fetch(running.port(), "PUT", "/v1/mcp/servers/put", body).body;
    watch.reset();
    while (!events.empty())
      told += events.take();
    heads = web.seen();
  }
  auto printed = output.text();
  CHECK(heads.find("Bearer " + marker) != std::string::npos);
  CHECK(told.find("\"health\":\"success\"") != std::string::npos);
  CHECK(told.find("is not a known key") != std::string::npos);
  auto at = told.find(marker);
  INFO(told.substr(at == told.npos || at < 300 ? 0 : at - 300, 400));
  CHECK(at == std::string::npos);
  CHECK(printed.find(marker) == std::string::npos);
}

} // namespace mcp_secrets_test

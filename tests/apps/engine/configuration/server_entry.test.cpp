#include "apps/engine/configuration/server_entry.hpp"

#include "messages/json.hpp"
#include "tests/support/catch.hpp"

namespace server_entry_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

mcp_server_config read_back(const mcp_server_config& server) {
  mcp_server_config out;
  REQUIRE_FALSE(parse_server_entry(server.name, print_server_entry(server), out));
  return out;
}

} // namespace

TEST_CASE("a server's entry has what is not as usual", "[apps][server_entry]") {
  mcp_server_config server;
  server.name = "s";
  server.type = "stdio";
  server.command = "x";
  CHECK(print_server_entry(server) == R"({"type":"stdio","command":"x"})");
  server.enabled = false;
  server.ping_interval = 5s;
  server.sampling = client_policy::deny;
  CHECK(
      print_server_entry(server) ==
      R"({"type":"stdio","command":"x","enabled":false,"pingIntervalMs":5000,"sampling":"deny"})");
}

TEST_CASE("every member of a server's entry comes back as it was", "[apps][server_entry]") {
  mcp_server_config server;
  server.name = "all \"of\" it";
  server.type = "stdio";
  server.command = "run";
  server.args = {"-a", "two words", ""};
  server.env = {{"KEY", "se\"cret\n"}, {"OTHER", ""}};
  server.cwd = "/tmp";
  server.proxy = "http://127.0.0.1:3128";
  server.enabled = false;
  server.nodes = server_nodes::one;
  server.connect_timeout = 1ms;
  server.request_timeout = 2ms;
  server.total_timeout = 3ms;
  server.ping_interval = 4ms;
  server.max_parallel = 5;
  server.max_reconnects = 6;
  server.reconnect_jitter = true;
  server.log_level = "error";
  server.roots = {{"file:///a%20b", "b"}, {"file:///c", ""}};
  server.sampling = client_policy::allow;
  server.sampling_bounds = {1, 2, 0, 4};
  server.elicitation = client_policy::deny;
  server.ask_timeout = 7ms;
  server.include_tools = {"a*"};
  server.exclude_tools = {"ab"};
  server.auto_approve = {"*"};
  SECTION("stdio") {}
  SECTION("http") {
    server.type = "http";
    server.command = "";
    server.url = "http://h/mcp/sse";
    server.http_headers = {{"Authorization", "Bearer x,\"y\""}, {"X-B", ""}};
  }
  auto again = read_back(server);
  CHECK(print_server_entry(again) == print_server_entry(server));
  CHECK(again.name == server.name);
  CHECK(again.roots.size() == 2);
  CHECK(again.env.at("KEY") == "se\"cret\n");
  for_each_field(server, [&](const std::string& name, const auto&) {
    auto other_transports =
        server.type == "stdio" ? "name url headers fault" : "name command fault";
    if (std::string{other_transports}.find(name) == std::string::npos)
      CHECK_THAT(print_server_entry(server), Catch::Contains('"' + name + "\":"));
  });
}

TEST_CASE("a server is for every node of a cluster, or for one", "[apps][server_entry]") {
  const auto read = [](const std::string& value, mcp_server_config& out) {
    return parse_server_entry("s", R"({"command":"x")" + value + "}", out);
  };
  mcp_server_config server;
  REQUIRE_FALSE(read("", server));
  CHECK(server.nodes == server_nodes::every);
  REQUIRE_FALSE(read(R"(,"nodes":"one")", server));
  CHECK(server.nodes == server_nodes::one);
  REQUIRE_FALSE(read(R"(,"nodes":"every")", server));
  CHECK(server.nodes == server_nodes::every);
  for (const auto* wrong : {R"(,"nodes":"two")", R"(,"nodes":1)", R"(,"nodes":"")"}) {
    const auto bad = read(wrong, server);
    CHECK(bad.code == errc::config_invalid);
    CHECK_THAT(bad.text(), Catch::Contains("nodes"));
  }
}

TEST_CASE("in an entry that was printed nothing is a variable", "[apps][server_entry]") {
  mcp_server_config server;
  server.name = "s";
  server.type = "http";
  server.url = "http://h/${HOME}";
  CHECK(read_back(server).url == "http://h/${HOME}");
}

TEST_CASE("an entry that cannot be read again is an error that holds no value",
          "[apps][server_entry]") {
  mcp_server_config server, out;
  server.name = "s";
  server.type = "http";
  server.url = "ftp://user:secret@h";
  auto bad = parse_server_entry("s", print_server_entry(server), out);
  CHECK(bad.code == errc::config_invalid);
  CHECK_THAT(bad.text(), !Catch::Contains("secret"));
  CHECK(out.name.empty());
}

TEST_CASE("limits of sampling are numbers, each with a default", "[apps][server_entry]") {
  const auto read = [](const std::string& limits, mcp_server_config& out) {
    return parse_server_entry("x", R"({"command":"x","samplingLimits":)" + limits + "}", out);
  };
  mcp_server_config server;
  REQUIRE_FALSE(read(R"({"requestsPerCall":5,"tokensPerMinute":0})", server));
  CHECK(server.sampling_bounds.requests_per_call == 5);
  CHECK(server.sampling_bounds.tokens_per_minute == 0);
  CHECK(server.sampling_bounds.requests_per_minute == 60);
  CHECK(server.sampling_bounds.tokens_per_call == 200'000);
  for (const auto* bad : {"5", "[]", R"({"requestsPerCall":-1})", R"({"requestsPerCall":"5"})",
                          R"({"perCall":5})", R"({"tokensPerCall":1.5})"})
    CHECK(read(bad, server));
}

} // namespace server_entry_test

#include "apps/engine/config.hpp"

#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace config_test {

using namespace troupe;

namespace {

std::string error_of(const std::string& json) {
  engine_config config;
  return parse_config(json, config).message;
}

} // namespace

TEST_CASE("a configuration is read in the order of its servers", "[apps][config]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"listen":"127.0.0.1:1",
    "models":{"m":{"base_url":"http://x/v1","api_key":"k"}},
    "mcpServers":{"zebra":{"command":"z","args":["1"],"env":{"A":"b"}},
                  "ant":{"url":"http://y/mcp","headers":{"X":"y"},"disabled":true}},
    "limits":{"drainSeconds":7}})",
                             config));
  CHECK(config.models.at("m").api_key == "k");
  REQUIRE(config.mcp_servers.size() == 2);
  CHECK(config.mcp_servers[0].name == "zebra");
  CHECK(config.mcp_servers[0].type == "stdio");
  CHECK(config.mcp_servers[1].type == "http");
  CHECK_FALSE(config.mcp_servers[1].enabled);
  CHECK(config.limits.drain == std::chrono::seconds{7});
}

TEST_CASE("an unknown key is refused with the nearest known one", "[apps][config]") {
  CHECK(error_of(R"({"lisen":"x"})") == "lisen is not a known key; did you mean 'listen'?");
  CHECK(error_of(R"({"limits":{"drainSecond":1}})").find("limits.drainSecond") == 0);
}

TEST_CASE("a wrong value is refused with its place", "[apps][config]") {
  CHECK(error_of(R"({"shards":-1})").find("shards must be") == 0);
  CHECK(error_of(R"({"models":{"m":{"base_url":"ftp://x"}}})").find("models.m.base_url") == 0);
  CHECK(error_of(R"({"mcpServers":{"s":{}}})").find("mcpServers.s.command") == 0);
  CHECK(error_of("{").find("not valid JSON") != std::string::npos);
  CHECK(error_of("[]").find("must be a JSON object") != std::string::npos);
}

TEST_CASE("a refused configuration changes nothing", "[apps][config]") {
  engine_config config;
  config.listen = "before";
  CHECK(parse_config(R"({"listen":"after","nope":1})", config));
  CHECK(config.listen == "before");
}

TEST_CASE("${NAME} comes from the environment and must be there", "[apps][config]") {
  setenv("TROUPE_TEST_SECRET", "s3cret", 1);
  unsetenv("TROUPE_TEST_ABSENT");
  engine_config config;
  REQUIRE_FALSE(parse_config(
      R"({"models":{"m":{"base_url":"http://x","api_key":"a-${TROUPE_TEST_SECRET}"}}})", config));
  CHECK(config.models.at("m").api_key == "a-s3cret");
  auto text =
      error_of(R"({"models":{"m":{"base_url":"http://x","api_key":"${TROUPE_TEST_ABSENT}"}}})");
  CHECK(text.find("TROUPE_TEST_ABSENT") != std::string::npos);
}

TEST_CASE("a key that no header can carry is refused", "[apps][config]") {
  for (const auto* key : {"k\\n", "a\\r\\nx-evil: 1", "\\u007f"})
    CHECK(error_of(R"({"models":{"m":{"base_url":"http://x","api_key":")" + std::string{key} +
                   R"("}}})") ==
          "models.m.api_key must not hold control characters, such as a line end");
}

TEST_CASE("${NAME} is replaced in the parameters of a model, too", "[apps][config]") {
  setenv("TROUPE_TEST_SECRET", "s3\"cret", 1);
  unsetenv("TROUPE_TEST_ABSENT");
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"models":{"m":{"base_url":"http://x","parameters":
    {"user":"${TROUPE_TEST_SECRET}","n":1.50,"metadata":{"a":["x-${TROUPE_TEST_SECRET}",null]}}}}})",
                             config));
  CHECK(config.models.at("m").parameters ==
        R"({"user":"s3\"cret","n":1.50,"metadata":{"a":["x-s3\"cret",null]}})");
  CHECK(error_of(R"({"models":{"m":{"base_url":"http://x",
                     "parameters":{"a":"${TROUPE_TEST_ABSENT}"}}}})")
            .find("models.m.parameters uses ${TROUPE_TEST_ABSENT}") == 0);
}

TEST_CASE("an entry's transport is what it says, or what its keys look like", "[apps][config]") {
  const std::vector<std::pair<std::string, std::string>> entries{
      {R"({"command":"x"})", "stdio"},
      {R"({"command":"x","url":"http://y"})", "stdio"},
      {R"({"url":"https://y/mcp"})", "http"},
      {R"({"url":"http://y/sse"})", "sse"},
      {R"({"url":"http://y/sse?a=b"})", "sse"},
      {R"({"url":"http://y/mcp?a=/sse"})", "http"},
      {R"({"url":"ws://y"})", "websocket"},
      {R"({"url":"wss://y/sse"})", "websocket"},
      {R"({"url":"http://y/sse","type":"http"})", "http"},
      {R"({"url":"http://y","type":"sse"})", "sse"},
      {R"({"url":"http://y","type":"streamable-http"})", "http"},
      {R"({"url":"http://y","type":"streamableHttp"})", "http"},
      {R"({"url":"ws://y","type":"ws"})", "websocket"},
  };
  for (const auto& [json, type] : entries) {
    INFO(json);
    mcp_server_config server;
    CHECK_FALSE(parse_server("s", json, server));
    CHECK(server.type == type);
    CHECK(server.name == "s");
  }
}

TEST_CASE("an entry holds everything that can be said of a server", "[apps][config]") {
  mcp_server_config server;
  REQUIRE_FALSE(parse_server("s", R"({"url":"http://y","proxy":"http://p:3128",
    "connectTimeoutMs":1,"requestTimeoutMs":2,"totalTimeoutMs":3,"pingIntervalMs":4,
    "askTimeoutMs":5,"maxParallel":6,"maxReconnects":7,"reconnectJitter":true,"logLevel":"info",
    "roots":["/srv/a b","file:///c",{"uri":"/d","name":"dee"}],"sampling":"allow",
    "elicitation":"deny","headers":{"X-A":"b"},"enabled":null})",
                             server));
  CHECK(server.proxy == "http://p:3128");
  CHECK(server.connect_timeout == std::chrono::milliseconds{1});
  CHECK(server.request_timeout == std::chrono::milliseconds{2});
  CHECK(server.total_timeout == std::chrono::milliseconds{3});
  CHECK(server.ping_interval == std::chrono::milliseconds{4});
  CHECK(server.ask_timeout == std::chrono::milliseconds{5});
  CHECK(server.max_parallel == 6);
  CHECK(server.max_reconnects == 7);
  CHECK(server.reconnect_jitter);
  CHECK(server.log_level == "info");
  REQUIRE(server.roots.size() == 3);
  CHECK(server.roots[0].uri == "file:///srv/a%20b");
  CHECK(server.roots[1].uri == "file:///c");
  CHECK(server.roots[2].uri == "file:///d");
  CHECK(server.roots[2].name == "dee");
  CHECK(server.sampling == client_policy::allow);
  CHECK(server.elicitation == client_policy::deny);
  CHECK(server.enabled);
}

TEST_CASE("a wrong entry is refused with its place, and changes nothing", "[apps][config]") {
  const std::vector<std::pair<std::string, std::string>> entries{
      {"{", "the entry is not valid JSON"},
      {"[]", "the entry must be a JSON object"},
      {"{}", "command is missing"},
      {R"({"command":1})", "command must be a string"},
      {R"({"command":"x","args":"y"})", "args must be an array"},
      {R"({"command":"x","args":[[]]})", "args must be an array of strings"},
      {R"({"command":"x","env":{"A":{}}})", "env must be an object of strings"},
      {R"({"command":"x","env":{"A":"\u0000"}})", "env.A must not hold a NUL"},
      {R"({"type":"pipe"})", "type must be"},
      {R"({"type":"stdio","url":"http://x"})", "command is missing"},
      {R"({"type":"http","url":"ws://x"})", "url must be an http://"},
      {R"({"type":"websocket","url":"http://x"})", "url must be a ws://"},
      {R"({"url":"http://x","headers":{"a b":"c"}})", "headers holds a name"},
      {R"({"url":"http://x","headers":{"A":"b\r\nC: d"}})", "headers.A must not hold"},
      {R"({"url":"http://x","proxy":"p:3128"})", "proxy must be a URL"},
      {R"({"command":"x","totalTimeoutMs":0})", "totalTimeoutMs must be a whole number from 1"},
      {R"({"command":"x","logLevel":"loud"})", "logLevel must be"},
      {R"({"command":"x","sampling":"maybe"})", "sampling must be"},
      {R"({"command":"x","roots":"/a"})", "roots must be an array"},
      {R"({"command":"x","roots":["a"]})", "roots must hold absolute paths"},
      {R"({"command":"x","roots":[{"name":"n"}]})", "roots[0].uri is missing"},
      {R"({"command":"x","roots":[{"url":"/n","uri":"/n"}]})", "roots[0].url is not a known key"},
      {R"({"command":"x","arg":[]})", "arg is not a known key; did you mean 'args'?"},
  };
  for (const auto& [json, text] : entries) {
    mcp_server_config server;
    server.command = "before";
    auto bad = parse_server("s", json, server);
    INFO(json << " -> " << bad.message);
    CHECK(bad.code == errc::config_invalid);
    CHECK(bad.message.starts_with(text));
    CHECK(server.command == "before");
  }
  mcp_server_config server;
  CHECK(parse_server("", R"({"command":"x"})", server));
  CHECK(parse_server(std::string(129, 'x'), R"({"command":"x"})", server));
}

TEST_CASE("the MCP host has options of its own", "[apps][config]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"mcpAlwaysPrefix":true,"toolOutputFolder":"/tmp/x",
    "resourceCache":{"ttlMs":1000,"entries":7}})",
                             config));
  CHECK(config.mcp_always_prefix);
  CHECK(config.tool_output_folder == "/tmp/x");
  CHECK(config.resource_ttl == std::chrono::seconds{1});
  CHECK(config.resource_entries == 7);
  CHECK(error_of(R"({"resourceCache":{"ttl":1}})").find("resourceCache.ttl") == 0);
}

TEST_CASE("a key of any length or kind is refused without delay", "[apps][config]") {
  auto text = error_of("{\"" + std::string(1'000'000, 'k') + "\":1}");
  CHECK(text.size() < 200);
  CHECK(error_of(R"({"a\u0000b\ud800":1})").find("is not a known key") != std::string::npos);
}

TEST_CASE("a long key is cut between two characters", "[apps][config]") {
  std::string long_part;
  for (int i = 0; i < 20; ++i)
    long_part += "\U0001F680"; // four bytes each
  for (size_t before = 0; before < 4; ++before) {
    const std::string start(before, 'k');
    const auto whole = (64 - before) / 4 * 4;
    CHECK(error_of("{\"" + start + long_part + "\":1}") ==
          start + long_part.substr(0, whole) + " is not a known key");
  }
}

TEST_CASE("the limits of a turn are read, zero for none", "[apps][config]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"limits":{"maxCallsPerRound":1,"maxIdenticalCalls":2,
    "maxTurnTokens":3,"maxTurnBytes":4,"toolTimeoutMs":5,"maxWaitingTurns":6,
    "maxLogBytes":65536,"maxHiddenRoundBytes":7}})",
                             config));
  CHECK(config.limits.turn.max_calls_per_round == 1);
  CHECK(config.limits.turn.max_identical_calls == 2);
  CHECK(config.limits.turn.max_turn_tokens == 3);
  CHECK(config.limits.turn.max_turn_bytes == 4);
  CHECK(config.limits.turn.tool_timeout.count() == 5);
  CHECK(config.limits.chats.max_waiting_turns == 6);
  CHECK(config.limits.chats.max_log_bytes == 65536);
  CHECK(config.limits.chats.max_hidden_bytes == 7);
  REQUIRE_FALSE(parse_config(R"({"limits":{"maxCallsPerRound":0,"maxTurnBytes":0}})", config));
  CHECK(config.limits.turn.max_calls_per_round == 0);
  CHECK(config.limits.turn.max_turn_bytes == 0);
  CHECK(error_of(R"({"limits":{"maxLogBytes":1}})").find("limits.maxLogBytes must be") == 0);
}

TEST_CASE("the quota of owners is read, zero for none", "[apps][config]") {
  engine_config config;
  CHECK_FALSE(config.limits.owner.any());
  REQUIRE_FALSE(parse_config(
      R"({"limits":{"maxConversationsPerOwner":100,"maxBytesPerOwner":20000000000}})", config));
  CHECK(config.limits.owner.conversations == 100);
  CHECK(config.limits.owner.bytes == 20'000'000'000);
  REQUIRE_FALSE(parse_config(R"({"limits":{"maxConversationsPerOwner":0}})", config));
  CHECK(config.limits.owner.conversations == 0);
  CHECK(config.limits.owner.any());
  for (const char* key : {"maxConversationsPerOwner", "maxBytesPerOwner"})
    CHECK(error_of(std::string{R"({"limits":{")"} + key + "\":-1}}")
              .find("limits." + std::string{key} + " must be") == 0);
}

TEST_CASE("approvals are off, for all calls, or for some tools", "[apps][config]") {
  auto read = [](const std::string& json) {
    engine_config config;
    auto bad = parse_config(R"({"toolApproval":)" + json + "}", config);
    INFO(bad.message);
    CHECK_FALSE(bad);
    return config.limits.turn.approval;
  };
  CHECK_FALSE(read(R"("off")").always);
  CHECK_FALSE(read("null").always);
  CHECK(read(R"("always")").always);
  CHECK_FALSE(read(R"("always")").unless_read_only);
  CHECK(read(R"("unlessReadOnly")").unless_read_only);
  CHECK_FALSE(read(R"("unlessReadOnly")").always);
  auto some = read(R"({"tools":["files/*","mail/send"],"timeoutMs":1000})");
  CHECK_FALSE(some.always);
  CHECK(some.tools == std::set<std::string>{"files/*", "mail/send"});
  CHECK(some.timeout == std::chrono::seconds{1});
  auto error = [](const std::string& json) { return error_of(R"({"toolApproval":)" + json + "}"); };
  const std::string words =
      R"(toolApproval must be "off", "always", "unlessReadOnly" or {"tools": [...]})";
  CHECK(error(R"("sometimes")") == words);
  CHECK(error(R"("")") == words);
  CHECK(error(R"("unlessreadonly")") == words);
  CHECK(error("{}") == "toolApproval.tools is missing");
  CHECK(error(R"({"tools":["send"]})").find("toolApproval.tools must hold") == 0);
  CHECK(error(R"({"tools":["/send"]})").find("toolApproval.tools must hold") == 0);
  CHECK(error(R"({"tool":[]})") == "toolApproval.tool is not a known key; did you mean 'tools'?");
  CHECK(error("true") == "toolApproval must be a string");
}

TEST_CASE("profiles and log levels have names", "[apps][config]") {
  engine_config config;
  CHECK(config.ui_profile == "v6");
  CHECK(config.logs.level == "info");
  CHECK_FALSE(config.logs.text);
  REQUIRE_FALSE(
      parse_config(R"({"uiProfile":"v5-min","logs":{"level":"debug","text":true}})", config));
  CHECK(config.ui_profile == "v5-min");
  CHECK(config.logs.level == "debug");
  CHECK(config.logs.text);
  CHECK(error_of(R"({"uiProfile":"v8"})") == R"(uiProfile must be "v5-min", "v6" or "v7")");
  CHECK(error_of(R"({"logs":{"level":"trace"}})") ==
        "logs.level must be one of: debug, info, warning, error, off");
}

TEST_CASE("where chats are kept is a folder and how durable they are", "[apps][config]") {
  engine_config config;
  CHECK(config.store.folder.empty()); // a library keeps nothing unless it is told to
  REQUIRE_FALSE(parse_config(R"({"data":"/srv/troupe","durability":"full"})", config));
  CHECK(config.store.folder == "/srv/troupe");
  CHECK(config.store.durable == durability::full);
  REQUIRE_FALSE(parse_config(R"({"data":"","durability":"none"})", config));
  CHECK(config.store.folder.empty());
  CHECK(config.store.durable == durability::none);
  REQUIRE_FALSE(parse_config(R"({"listen":"127.0.0.1:1"})", config));
  CHECK(config.store.durable == durability::none); // as it was
  CHECK(error_of(R"({"durability":"always"})") ==
        R"(durability must be "full", "normal" or "none")");
  CHECK(error_of(R"({"data":1})") == "data must be a string");
  CHECK(error_of(R"({"durabilty":"full"})").find("did you mean 'durability'?") !=
        std::string::npos);
}

TEST_CASE("keys and foreign origins are asked for by name", "[apps][config]") {
  engine_config config;
  CHECK_FALSE(config.auth.keys);
  REQUIRE_FALSE(parse_config(
      R"({"auth":{"keys":true},"cors":{"origins":["https://a.example","http://[::1]:3000","*"]}})",
      config));
  CHECK(config.auth.keys);
  CHECK(config.cors_origins.size() == 3);
  CHECK(error_of(R"({"auth":{"key":true}})") ==
        "auth.key is not a known key; did you mean 'keys'?");
  CHECK(error_of(R"({"auth":{"keys":"yes"}})") == "auth.keys must be true or false");
  CHECK(error_of(R"({"auth":true})") == "auth must be a JSON object");
  CHECK(error_of(R"({"cors":{"origin":[]}})") ==
        "cors.origin is not a known key; did you mean 'origins'?");
  for (const auto* bad : {"example.com", "https://", "https://a.example/", "https://a.example/x",
                          "://a", "", "https://a b"})
    CHECK(error_of(R"({"cors":{"origins":[")" + std::string{bad} + R"("]}})")
              .find("cors.origins must") == 0);
}

} // namespace config_test

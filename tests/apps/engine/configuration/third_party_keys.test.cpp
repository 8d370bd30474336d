// Configurations as people and other programs write them.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "apps/engine/config.hpp"
#include "tests/support/catch.hpp"

namespace third_party_keys_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

std::string error_of(const std::string& json) {
  engine_config config;
  return parse_config(json, config).message;
}

engine_config read(const std::string& json, config_use use = config_use::everything) {
  engine_config config;
  const auto bad = parse_config(json, config, use);
  INFO(bad.message);
  CHECK_FALSE(bad);
  return config;
}

mcp_server_config server_of(const std::string& entry) {
  const auto config = read(R"({"mcpServers":{"s":)" + entry + "}}");
  REQUIRE(config.mcp_servers.size() == 1);
  return config.mcp_servers[0];
}

/// Writes a file, loads it, and removes it.
failure load(const std::string& text, engine_config& out) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("troupe-test-config-" + std::to_string(::getpid()) + ".json");
  std::ofstream{path} << text;
  auto bad = load_config(path.string(), out);
  std::filesystem::remove(path);
  const auto shorten = [&](std::string& line) {
    REQUIRE(line.starts_with(path.string()));
    line.replace(0, path.string().size(), "f");
  };
  if (bad)
    shorten(bad.message);
  for (auto& each : out.notes)
    shorten(each);
  return bad;
}

std::string load_error(const std::string& text) {
  engine_config config;
  return load(text, config).message;
}

} // namespace

TEST_CASE("comments, trailing commas and a byte order mark are no fault", "[apps][config]") {
  const auto config =
      read("\xEF\xBB\xBF{\n  // the address\n  \"listen\": \"127.0.0.1:1\", /* and */\n"
           "  \"mcpServers\": {\"s\": {\"command\": \"x\", \"args\": [\"//\",],},},\n}\n");
  CHECK(config.listen == "127.0.0.1:1");
  CHECK(config.mcp_servers.at(0).args == std::vector<std::string>{"//"});
  CHECK(config.notes.empty());
}

TEST_CASE("an error in a file has a line, a column and the key's path", "[apps][config]") {
  CHECK(load_error("{\n  // x\n  \"data\" \"d\"}") ==
        "f:3:10: the configuration is not valid JSON: ':' is expected");
  CHECK(load_error("{\n  \"limits\": {\n    \"drainSecond\": 1\n  }\n}") ==
        "f:3:5: limits.drainSecond is not a known key; did you mean 'drainSeconds'?");
  CHECK(load_error("{\"models\": {\"m\": {\n \"base_url\": \"ftp://x\"}}}")
            .find("f:2:2: models.m.base_url must be an http") == 0);
  CHECK(load_error("{\"mcpServers\":\n {\"a.b\": {\"args\": []}}}")
            .find("f:2:3: mcpServers.a.b.command is missing") == 0);
  CHECK(load_error("[\n]").find("f:1:1: the configuration must be a JSON object") == 0);
  CHECK(load_error("mcpServers:\n  a: 1\n").find("`troupe mcp import`") != std::string::npos);
  CHECK(load_error("") == "f:1:1: the configuration is not valid JSON: a value is expected");
  CHECK(load_error("{\"uiProfile\":\n\"v9\"}").find("f:1:2: uiProfile must be") == 0);
  CHECK(error_of("{\"data\" 1}") ==
        "the configuration is not valid JSON: ':' is expected at byte 8");
}

TEST_CASE("a key that stands twice is refused where it stands again", "[apps][config]") {
  CHECK(load_error("{\"mcpServers\":{\"a\":{\"command\":\"x\"},\n\"a\":{\"command\":\"y\"}}}") ==
        "f:2:1: mcpServers.a stands twice: take one of them away");
  CHECK(error_of(R"({"data":"a","data":"b"})") == "data stands twice: take one of them away");
}

TEST_CASE("keys of other programs are passed over with a note", "[apps][config]") {
  engine_config config;
  REQUIRE_FALSE(load("{\"$schema\": \"https://x\", \"globalShortcut\": \"Ctrl\",\n"
                     " \"mcpServers\": {\"s\": {\"command\": \"x\",\n  \"description\": \"y\"}}}",
                     config));
  CHECK(
      config.notes ==
      std::vector<std::string>{
          "f:3:3: mcpServers.s.description is a key of other programs; it means nothing here and "
          "is passed over",
          "f:1:26: globalShortcut is a key of other programs; it means nothing here and is passed "
          "over"});
  CHECK(error_of(R"({"servers":{}})").find("mcpServers") != std::string::npos);
  CHECK(error_of(R"({"context_servers":{}})").find("troupe mcp import") != std::string::npos);
  CHECK(error_of(R"({"mcpServers":[]})").find("troupe mcp import") != std::string::npos);
  CHECK(error_of(R"({"numStartups":1,"projects":{}})").find("troupe mcp import") !=
        std::string::npos);
  CHECK(error_of(R"({"models":[]})") == "models must be an object with a key for each of them");
  for (const auto* far : {"frobnicate", "x"})
    CHECK(error_of(std::string{"{\""} + far + "\":1}") == std::string{far} + " is not a known key");
  mcp_server_config server;
  CHECK(parse_server("s", R"({"command":"x","description":"y"})", server).message ==
        "description is a key of other programs, which means nothing here; leave it out");
}

TEST_CASE("keys of other programs that mean something are understood", "[apps][config]") {
  CHECK(server_of(R"({"serverUrl":"http://x/mcp"})").url == "http://x/mcp");
  CHECK(server_of(R"({"httpUrl":"http://x/mcp"})").type == "http");
  CHECK(server_of(R"({"type":"local","command":"x"})").type == "stdio");
  CHECK(server_of(R"({"type":"remote","url":"http://x/sse"})").type == "sse");
  CHECK(server_of(R"({"transportType":"streamable-http","url":"http://x/sse"})").type == "http");
  CHECK_FALSE(server_of(R"({"command":"x","disabled":true})").enabled);
  CHECK_FALSE(server_of(R"({"command":"x","isActive":false})").enabled);
  using names = std::vector<std::string>;
  CHECK(server_of(R"({"command":"x","autoApprove":["a"]})").auto_approve == names{"a"});
  CHECK(server_of(R"({"command":"x","alwaysAllow":["a","b"]})").auto_approve == names{"a", "b"});
  CHECK(server_of(R"({"command":"x","autoApprove":true})").auto_approve == names{"*"});
  CHECK(server_of(R"({"command":"x","autoApprove":"*"})").auto_approve == names{"*"});
  CHECK(server_of(R"({"command":"x","trust":true})").auto_approve == names{"*"});
  CHECK(server_of(R"({"command":"x","trust":false})").auto_approve.empty());
  CHECK(server_of(R"({"command":"x","includeTools":["a"],"excludeTools":["b"]})").include_tools ==
        names{"a"});
  CHECK(server_of(R"({"command":"x","disabledTools":["b"]})").exclude_tools == names{"b"});
  CHECK(server_of(R"({"command":"x","tools":["*"]})").include_tools == names{"*"});
  CHECK(server_of(R"({"command":"x","initTimeout":7000})").connect_timeout == 7s);
}

TEST_CASE("a timeout without a unit is seconds up to an hour of them", "[apps][config]") {
  CHECK(server_of(R"({"command":"x","timeout":60})").request_timeout == 60s);
  CHECK(server_of(R"({"command":"x","timeout":1800})").request_timeout == 1800s);
  CHECK(server_of(R"({"command":"x","timeout":3600})").request_timeout == 3600s);
  CHECK(server_of(R"({"command":"x","timeout":3601})").request_timeout == 3601ms);
  CHECK(server_of(R"({"command":"x","timeout":30000})").request_timeout == 30s);
  const auto longer = server_of(R"({"command":"x","timeout":1200000})");
  CHECK(longer.request_timeout == 1200s);
  CHECK(longer.total_timeout == 1200s);
  CHECK(server_of(R"({"command":"x","timeout":60,"requestTimeoutMs":5})").request_timeout == 5ms);
  CHECK(read(R"({"mcpServers":{"s":{"command":"x","timeout":60}}})")
            .notes.at(0)
            .find("mcpServers.s.timeout is taken for 60 s") == 0);
}

TEST_CASE("of two keys with one meaning the first counts, with a note", "[apps][config]") {
  const auto config = read(R"({"mcpServers":{"s":{"url":"http://a","httpUrl":"http://b"}}})");
  CHECK(config.mcp_servers[0].url == "http://a");
  CHECK(config.notes ==
        std::vector<std::string>{"mcpServers.s.httpUrl means the same as url, which counts"});
  mcp_server_config server;
  CHECK(parse_server("s", R"({"url":"http://a","httpUrl":"http://b"})", server).message ==
        "httpUrl means the same as url; leave one of them out");
}

TEST_CASE("numbers stand for strings where people write them so", "[apps][config]") {
  const auto server = server_of(R"({"command":"x","args":["-p",3000,true],"env":{"PORT":3000}})");
  CHECK(server.args == std::vector<std::string>{"-p", "3000", "true"});
  CHECK(server.env.at("PORT") == "3000");
  CHECK(error_of(R"({"mcpServers":{"s":{"command":1}}})") ==
        "mcpServers.s.command must be a string");
}

TEST_CASE("a server whose variable is not set fails alone", "[apps][config]") {
  unsetenv("TROUPE_TEST_ABSENT");
  const auto config = read(R"({"mcpServers":{
    "a":{"command":"x","env":{"K":"${TROUPE_TEST_ABSENT}"}},
    "b":{"url":"${TROUPE_TEST_ABSENT}"},
    "c":{"command":"x","envFile":"/nonexistent/.env"},
    "d":{"command":"x"}}})");
  REQUIRE(config.mcp_servers.size() == 4);
  CHECK(config.mcp_servers[0].fault ==
        "mcpServers.a.env.K uses ${TROUPE_TEST_ABSENT}, which is not set in the environment");
  CHECK(config.mcp_servers[1].fault.find("mcpServers.b.url uses") == 0);
  CHECK(config.mcp_servers[2].fault == "mcpServers.c.envFile names a file that is not there");
  CHECK(config.mcp_servers[3].fault.empty());
  CHECK(config.notes.size() == 3);
  mcp_server_config server;
  CHECK(parse_server("s", R"({"command":"${TROUPE_TEST_ABSENT}"})", server).message ==
        "command uses ${TROUPE_TEST_ABSENT}, which is not set in the environment");
  CHECK(error_of(R"({"mcpServers":{"a":{"type":"pigeon","url":"${TROUPE_TEST_ABSENT}"}}})")
            .find("mcpServers.a.type must be") == 0);
}

TEST_CASE("who needs servers only gets them without the models' secrets", "[apps][config]") {
  unsetenv("TROUPE_TEST_ABSENT");
  const std::string text = R"({"defaultModel":"main","models":{
    "main":{"base_url":"http://x","api_key":"${TROUPE_TEST_ABSENT}"},
    "local":{"base_url":"http://x","fallback":"main"}}})";
  CHECK(error_of(text).find("models.main.api_key uses") == 0);
  const auto config = read(text, config_use::servers);
  CHECK(config.models.size() == 1);
  CHECK(config.models.at("local").fallback.empty());
  CHECK(config.default_model.empty());
  CHECK(config.notes.size() == 1);
}

TEST_CASE("variables of an env file stand behind those of env", "[apps][config]") {
  const auto path =
      std::filesystem::temp_directory_path() / ("troupe-test-env-" + std::to_string(::getpid()));
  std::ofstream{path} << "A=file\nB=file\n";
  const auto server =
      server_of(R"({"command":"x","env":{"A":"own"},"envFile":")" + path.string() + "\"}");
  std::filesystem::remove(path);
  CHECK(server.env.at("A") == "own");
  CHECK(server.env.at("B") == "file");
}

TEST_CASE("a model takes 128 tools unless its entry says otherwise", "[apps][config]") {
  const auto config = read(R"({"models":{"a":{"base_url":"http://x"},
                               "b":{"base_url":"http://x","maxTools":0}}})");
  CHECK(config.models.at("a").max_tools == 128);
  CHECK(config.models.at("b").max_tools == 0);
}

} // namespace third_party_keys_test

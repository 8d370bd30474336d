// What is wrong with a configuration that a program has made.
#include "apps/engine/configuration/config_check.hpp"

#include <memory>
#include <stdexcept>

#include "apps/engine/engine.hpp"
#include "apps/model/scripted_model.hpp"
#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"

namespace config_check_test {

using namespace troupe;

namespace {

/// Two models and one server, with nothing wrong.
engine_config sound() {
  engine_config config;
  config.shards = 1;
  for (const auto* name : {"a", "b"})
    config.models[name].base_url = "http://127.0.0.1:1/v1";
  auto& server = config.mcp_servers.emplace_back();
  server.name = "one";
  server.command = "true";
  server.enabled = false;
  return config;
}

/// Returns what the engine says that is built of it; "" when it is built.
std::string refusal(engine_config config) {
  try {
    engine built{std::move(config)};
  } catch (const std::invalid_argument& bad) {
    return bad.what();
  }
  return "";
}

bool refuses(const engine_config& config, std::string_view text) {
  auto said = refusal(config);
  INFO(said);
  CHECK(said.find(text) != said.npos);
  return said.find(text) != said.npos;
}

} // namespace

TEST_CASE("an engine is not built of models that it cannot ask", "[apps][config]") {
  CHECK(refusal(sound()) == "");
  auto bad = sound();
  auto& model = bad.models["b"];
  SECTION("of a provider that there is not") {
    model.provider = "nobody";
    CHECK(refuses(bad, "models.b.provider must be one of: openai"));
  }
  SECTION("without a URL") {
    model.base_url.clear();
    CHECK(refuses(bad, "models.b.base_url must be an http:// or https:// URL"));
  }
  SECTION("with a key that no header takes") {
    model.api_key = "k\n";
    CHECK(refuses(bad, "models.b.api_key must not hold control characters"));
  }
  SECTION("with parameters that are no object") {
    model.parameters = R"({"a":)";
    CHECK(refuses(bad, "models.b.parameters must be an object"));
  }
  SECTION("with a fallback that there is not") {
    bad.models["a"].fallback = "b";
    model.fallback = "c";
    CHECK(refuses(bad, "models.b.fallback names 'c', which is no key of models"));
  }
  SECTION("that stand in for each other") {
    bad.models["a"].fallback = "b";
    model.fallback = "a";
    CHECK(refuses(bad, "models.a.fallback leads back to 'a'"));
  }
  SECTION("with another name for one that there is not") {
    bad.model_aliases["gpt"] = "c";
    CHECK(refuses(bad, "modelAliases.gpt names 'c', which is no key of models"));
  }
  SECTION("with another name that one of them has") {
    bad.model_aliases["a"] = "b";
    CHECK(refuses(bad, "modelAliases.a is a key of models, which an alias cannot be"));
  }
  SECTION("of which the default is none") {
    bad.default_model = "c";
    CHECK(refuses(bad, "defaultModel names 'c', which is no key of models"));
  }
}

TEST_CASE("an engine is not built of words that it does not know", "[apps][config]") {
  auto bad = sound();
  SECTION("scheduler") {
    bad.scheduler = "fair";
    CHECK(refuses(bad, "scheduler must be"));
  }
  SECTION("profile") {
    bad.ui_profile = "v8";
    CHECK(refuses(bad, "uiProfile must be"));
  }
  SECTION("tools that wait for an approval") {
    bad.limits.turn.approval.tools = {"one/send", "send"};
    CHECK(refuses(bad, "toolApproval.tools must hold"));
  }
  SECTION("origins") {
    bad.cors_origins = {"https://a/b"};
    CHECK(refuses(bad, "cors.origins must hold"));
  }
  SECTION("MCP servers") {
    bad.mcp_servers[0].command.clear();
    CHECK(refuses(bad, "mcpServers.one: command is missing"));
  }
}

TEST_CASE("servers that do not say how they are reached are told apart as in a file",
          "[apps][config]") {
  auto servers = sound().mcp_servers;
  servers.push_back(servers[0]);
  servers[1].name = "two";
  servers[1].command.clear();
  servers[1].url = "http://127.0.0.1:1/sse";
  REQUIRE_FALSE(check_servers(servers));
  CHECK(servers[0].type == "stdio");
  CHECK(servers[1].type == "sse");
}

TEST_CASE("a model that a program does not name has the name of its key", "[apps][config]") {
  shards loops{1};
  scripted_model model{loops};
  REQUIRE_FALSE(model.listen("127.0.0.1:0"));
  auto config = sound();
  config.models.clear();
  config.models["text"].base_url = model.base_url(); // it knows its scripts by name
  engine running{std::move(config)};
  turn_request ask;
  ask.session_id = "s";
  ask.messages.push_back({role::user, "hi", {}, {}, {}});
  std::vector<std::string> names;
  for (const auto& batch : running.stream(std::move(ask)))
    for (const auto& each : batch.events)
      names.emplace_back(name_of(each));
  CHECK(names.back() == "SESSION_END");
}

TEST_CASE("without models the default may be a script", "[apps][config]") {
  engine_config config;
  config.default_model = "text";
  CHECK_FALSE(check_config(config));
  config.default_model = "nobody";
  CHECK(check_config(config).text().find("defaultModel names 'nobody'") != std::string::npos);
}

TEST_CASE("a program's own log takes lines of any level", "[apps][config]") {
  auto config = sound();
  config.logs.level = "trace"; // of the program's logger
  CHECK(refusal(config) == "");
}

TEST_CASE("the schemes of models are read as URLs have them", "[apps][config]") {
  CHECK(model_url_fault("HTTP://host/v1").empty());
  CHECK(model_url_fault("https://host").empty());
  CHECK_FALSE(model_url_fault("localhost:8000/v1").empty());
  CHECK_FALSE(model_url_fault("http:/").empty());
}

TEST_CASE("roots that a program names by their path are URIs", "[apps][config]") {
  auto servers = sound().mcp_servers;
  servers[0].roots = {{"/srv/x", "x"}};
  CHECK_FALSE(check_servers(servers));
  REQUIRE(servers[0].roots.size() == 1);
  CHECK(servers[0].roots[0].uri == "file:///srv/x");
  CHECK(servers[0].roots[0].name == "x");
}

} // namespace config_check_test

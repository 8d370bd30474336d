// Troupe itself as a target: its server, its engine, its MCP host.
#include <unistd.h>

#include "apps/bench/target/listening_process.hpp"
#include "apps/bench/target/mcp_target.hpp"
#include "tests/apps/bench/target/bench_target_fixture.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"

namespace bench_troupe_targets_test {

using namespace troupe;
using namespace troupe::test;
using bench::target_kind;

namespace {

std::string url_of(running_engine& server) {
  return fmt::format("127.0.0.1:{}", server.port());
}

bench::bench_plan demo_tool(const std::string& tool, const std::string& arguments) {
  auto plan = plan_of(target_kind::mcp);
  plan.target.config =
      fmt::format(R"({{"mcpServers":{{"demo":{{"command":"{}"}}}}}})", demo_server_entry().command);
  plan.target.tool = tool;
  plan.target.arguments = arguments;
  return plan;
}

} // namespace

TEST_CASE("a Troupe server answers turns of both its protocols, and chat completions",
          "[apps][bench]") {
  running_engine server{{demo_server_entry()}};
  for (const auto kind : {target_kind::troupe, target_kind::native, target_kind::openai}) {
    target_fixture side{plan_of(kind, url_of(server), "text")};
    CHECK_FALSE(side.factory().check());
    CHECK(side.factory().pid() == ::getpid());
    const auto observations = as_text(side.run(ask_of("s")));
    CHECK(
        observations.starts_with(kind == target_kind::openai ? "event " : "event model_request "));
    CHECK(observations.ends_with("text*50 end"));
  }
}

TEST_CASE("the turns of a session follow one another, with their history or without",
          "[apps][bench]") {
  running_engine server{{}};
  for (const auto kind : {target_kind::troupe, target_kind::native, target_kind::openai}) {
    auto plan = plan_of(kind, url_of(server), "echo");
    plan.work.turns = 4;
    target_fixture side{plan};
    const auto session = fmt::format("s{}", int(kind));
    for (uint32_t number = 0; number < 4; ++number)
      CHECK(as_text(side.run(ask_of(session, number, "a \"b\"\n\xC3\xA4", number == 0 ? 3 : 0)))
                .ends_with(" end"));
  }
}

TEST_CASE("a Troupe server's tool calls show in its streams", "[apps][bench]") {
  running_engine server{{demo_server_entry()}};
  target_fixture ui{plan_of(target_kind::troupe, url_of(server), "call")};
  const auto seen = as_text(ui.run(ask_of("s")));
  CHECK(seen.starts_with("event model_request arguments_end tool_end model_request text*"));
  target_fixture native{plan_of(target_kind::native, url_of(server), "call")};
  const auto known = as_text(native.run(ask_of("t")));
  CHECK(known.starts_with(
      "event model_request arguments_end tool_start tool_end model_request text*"));
  CHECK(known.ends_with(" end"));
}

TEST_CASE("a turn of Troupe is cancelled by its route and read to its end", "[apps][bench]") {
  running_engine server{{}};
  for (const auto kind : {target_kind::troupe, target_kind::native}) {
    target_fixture side{plan_of(kind, url_of(server), "stall")};
    side.start(ask_of("s"));
    while (side.next().what != observed::text) {
    }
    CHECK(side.cancel());
    CHECK(as_text(side.rest()).ends_with("end"));
    CHECK(server->status().running_turns == 0);
  }
}

TEST_CASE("a server that takes no turns is not ready to be measured", "[apps][bench]") {
  running_engine server{{}};
  server->shutdown(std::chrono::milliseconds{0});
  target_fixture side{plan_of(target_kind::troupe, url_of(server))};
  CHECK(side.factory().check().code == errc::config_invalid);
}

TEST_CASE("an engine in the process answers turns with a history, and stops them",
          "[apps][bench]") {
  auto plan = plan_of(target_kind::engine, "", "text");
  plan.target.config = R"({"shards":1})";
  target_fixture side{plan};
  CHECK_FALSE(side.factory().check());
  CHECK(as_text(side.run(ask_of("s", 0, "q", 4))) == "event model_request text*50 end");
  CHECK(as_text(side.run(ask_of("s", 1))) == "event model_request text*50 end");

  plan.target.model = "stall";
  target_fixture stalling{plan};
  stalling.start(ask_of("s"));
  while (stalling.next().what != observed::text) {
  }
  CHECK(stalling.cancel());
  CHECK(as_text(stalling.rest()).ends_with("end"));
}

TEST_CASE("a configuration that cannot be read is told before the run", "[apps][bench]") {
  auto plan = plan_of(target_kind::engine);
  plan.target.config = R"({"shard":1})";
  target_fixture side{plan};
  const auto why = side.factory().check();
  CHECK(why.code == errc::config_invalid);
  CHECK(why.message.find("shards") != std::string::npos);
  CHECK(as_text(side.run(ask_of("s"))) == "failed(config_invalid)");
}

TEST_CASE("each turn of an MCP target is one call of its tool", "[apps][bench]") {
  target_fixture side{demo_tool("get-sum", R"({"a":1,"b":2})")};
  CHECK_FALSE(side.factory().check());
  CHECK(side.factory().pid() > 0);
  CHECK(as_text(side.run(ask_of("s"))) == "tool_start tool_end end");
  CHECK(as_text(side.run(ask_of("s", 1))) == "tool_start tool_end end");
}

TEST_CASE("a tool that reports an error has failed", "[apps][bench]") {
  target_fixture side{demo_tool("fail", R"({"message":"no"})")};
  REQUIRE_FALSE(side.factory().check());
  const auto told = side.run(ask_of("s"));
  CHECK(as_text(told) == "tool_start tool_end failed(tool_failed)");
  CHECK(told.back().text.find("no") != std::string::npos);
}

TEST_CASE("an unknown tool, server or argument is told with the known ones", "[apps][bench]") {
  target_fixture tool{demo_tool("get-summ", "{}")};
  CHECK(tool.factory().check().message.find("get-sum") != std::string::npos);
  auto plan = demo_tool("echo", "{}");
  plan.target.server = "dem";
  target_fixture server{plan};
  CHECK(server.factory().check().message.find("demo") != std::string::npos);
  target_fixture arguments{demo_tool("echo", "[1]")};
  CHECK(arguments.factory().check().code == errc::config_invalid);
}

} // namespace bench_troupe_targets_test

#include "actors/mcp_hub/mcp_hub.hpp"

#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"

namespace mcp_hub_servers_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(mcp_hub_fixture, "a server that is added connects and comes last in the order",
                 "[actors][mcp_hub]") {
  heard got;
  open_connected({"one"});
  CHECK_FALSE(put(stdio_server("two")));
  shake_hands(*this, link("two"), {"echo"});
  list(caller(got));
  CHECK(got.tools() == strings{"echo", "two_echo"});
  CHECK(status(1).name == "two");
  CHECK(status(1).type == "stdio");
}

TEST_CASE_METHOD(mcp_hub_fixture, "a change closes the old connection in order before the new one",
                 "[actors][mcp_hub]") {
  heard got;
  open_connected({"one", "two"});
  auto who = caller(got);
  call(who, "a", "one");
  call(who, "b", "two");
  auto& old = link("one");
  auto changed = stdio_server("one");
  changed.args = {"--new"};
  CHECK_FALSE(put(changed));
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].tool_call_id == "a");
  CHECK(got.outcomes[0].error == errc::server_lost);
  CHECK(contains(got.outcomes[0].text, "changed"));
  CHECK(old.closing);
  CHECK(mcp.links.size() == 2);
  call(who, "c", "one");
  CHECK(got.outcomes.back().error == errc::server_unavailable);
  closed("one");
  REQUIRE(mcp.links.size() == 3);
  CHECK(mcp.links[2]->config.args == strings{"--new"});
  shake_hands(*this, link("one"), {"fresh"});
  list(who);
  CHECK(got.tools() == strings{"echo", "fresh"});
  CHECK(status(0).name == "one"); // and keeps its place
  CHECK_FALSE(link("two").closing);
  CHECK(flows() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "an old connection that does not close is ended after its time",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  auto& old = link("one");
  put(stdio_server("one"));
  advance(7999ms);
  CHECK(mcp.links.size() == 1);
  advance(1ms);
  CHECK(mcp.links.size() == 2);
  CHECK(old.destroyed);
  CHECK(ends->empty());
}

TEST_CASE_METHOD(mcp_hub_fixture,
                 "an old connection that crashes while it closes makes way at once",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  put(stdio_server("one"));
  crash_connection("one");
  CHECK(mcp.links.size() == 2);
  CHECK(status(0).health == server_health::connecting);
  advance(10s);
  CHECK(mcp.links.size() == 2);
  CHECK(ends->empty());
}

TEST_CASE_METHOD(mcp_hub_fixture, "what an old connection still reports is not believed",
                 "[actors][mcp_hub]") {
  heard got;
  open_connected({"one"});
  call(caller(got), "a", "one");
  auto id = link("one").last("tools/call").request_id;
  put(stdio_server("one"));
  link("one").result(id, tool_answer("late"));
  run();
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].error == errc::server_lost);
  CHECK(status(0).health != server_health::success);
}

TEST_CASE_METHOD(mcp_hub_fixture,
                 "a server that is disabled ends its calls, closes, and has no tools",
                 "[actors][mcp_hub]") {
  heard got;
  open_connected({"one", "two"});
  auto who = caller(got);
  call(who, "a", "one");
  CHECK_FALSE(change("one", server_verb::disable));
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].error == errc::server_lost);
  CHECK(link("one").closing);
  closed("one");
  CHECK(status(0).health == server_health::idle);
  CHECK(status(0).phase == server_phase::disconnected);
  CHECK_FALSE(status(0).enabled);
  list(who, {"one"});
  CHECK(got.snapshots.back().unknown_server.empty());
  CHECK(got.tools().empty());
  list(who);
  CHECK(got.tools() == strings{"echo"}); // of two: a disabled server holds no name
  CHECK_FALSE(change("one", server_verb::disable));
  advance(1min);
  CHECK(mcp.links.size() == 2);
  SECTION("until it is enabled") {
    CHECK_FALSE(change("one", server_verb::enable));
    CHECK_FALSE(change("one", server_verb::enable));
    REQUIRE(mcp.links.size() == 3);
    shake_hands(*this, link("one"), {"echo"});
    list(who);
    CHECK(got.tools() == strings{"echo", "two_echo"});
  }
}

TEST_CASE_METHOD(mcp_hub_fixture, "a server that is enabled while it closes connects after that",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  change("one", server_verb::disable);
  change("one", server_verb::enable);
  CHECK(mcp.links.size() == 1);
  closed("one");
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a server that is removed is unknown afterwards",
                 "[actors][mcp_hub]") {
  heard got;
  open_connected({"one", "two"});
  auto who = caller(got);
  CHECK_FALSE(change("one", server_verb::remove));
  CHECK(link("one").closing);
  list(who, {"one"});
  CHECK(got.snapshots.back().unknown_server == "one");
  call(who, "a", "one");
  CHECK(got.outcomes.back().error == errc::server_unknown);
  for (auto verb :
       {server_verb::enable, server_verb::disable, server_verb::remove, server_verb::retry})
    CHECK(change("one", verb).code == errc::server_unknown);
  SECTION("and may come back when it has closed") {
    put(stdio_server("one"));
    CHECK(mcp.links.size() == 2);
    closed("one");
    CHECK(mcp.links.size() == 3);
    CHECK(status(1).name == "one");
  }
}

TEST_CASE_METHOD(mcp_hub_fixture, "nobody waits for a server that is taken away",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "slow"});
  shake_hands(*this, link("one"), {"echo"});
  list(caller(got));
  CHECK(got.snapshots.empty());
  change("slow", GENERATE(server_verb::disable, server_verb::remove));
  CHECK(got.snapshots.size() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a retry by hand does not wait for the delay after a crash",
                 "[actors][mcp_hub]") {
  open({"one", "disabled"});
  crash_connection("one");
  CHECK_FALSE(change("one", server_verb::retry));
  CHECK(mcp.links.size() == 2);
  advance(1s);
  CHECK(mcp.links.size() == 2);
  CHECK(change("disabled", server_verb::retry).code == errc::request_invalid);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a retry by hand does not wait for the delay after a lost server",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  closed("one");
  CHECK(mcp.links.size() == 1);
  CHECK_FALSE(change("one", server_verb::retry));
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a configuration that cannot work is refused by its key",
                 "[actors][mcp_hub]") {
  open({});
  auto with = [](auto change) {
    auto server = stdio_server("x");
    change(server);
    return server;
  };
  using entry = mcp_server_config;
  const std::vector<std::pair<entry, const char*>> rows{
      {with([](entry& c) { c.name = ""; }), "name"},
      {with([](entry& c) { c.name = std::string(129, 'x'); }), "name"},
      {with([](entry& c) { c.type = "carrier pigeon"; }), "x.type"},
      {with([](entry& c) { c.command = ""; }), "x.command"},
      {with([](entry& c) { c.type = "http"; }), "x.url"},
      {with([](entry& c) { c.type = "websocket", c.url = "http://h/"; }), "x.url"},
      {with([](entry& c) { c.request_timeout = 0ms; }), "x.requestTimeoutMs"},
      {with([](entry& c) { c.max_parallel = 0; }), "x.maxParallel"}};
  for (const auto& [server, key] : rows) {
    auto refused = put(server);
    CHECK(refused.code == errc::config_invalid);
    CHECK(contains(refused.text(), key));
  }
  CHECK(mcp.links.empty());
  CHECK_FALSE(put(with([](entry& c) { c.type = "sse", c.url = "https://h/sse"; })));
}

TEST_CASE_METHOD(mcp_hub_fixture, "servers cannot be changed any more while all are disconnected",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  auto asked = ask_later<atom::done>(*this, hub, atom::disconnect_v);
  CHECK(put(stdio_server("two")).code == errc::shutting_down);
  CHECK(change("one", server_verb::retry).code == errc::shutting_down);
  closed("one");
  CHECK(asked->answers.size() == 1);
  CHECK(mcp.links.size() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "disconnect waits also for a connection that is being replaced",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  put(stdio_server("one"));
  auto asked = ask_later<atom::done>(*this, hub, atom::disconnect_v);
  CHECK(asked->answers.empty());
  closed("one");
  CHECK(asked->answers.size() == 1);
  CHECK(mcp.links.size() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a hundred servers cost one index when nobody reads in between",
                 "[actors][mcp_hub]") {
  heard got;
  strings names;
  for (int i = 0; i < 100; ++i)
    names.push_back("s" + std::to_string(i));
  open(names);
  auto who = caller(got);
  list(who);
  for (int i = 0; i < 80; ++i) // the others hang
    shake_hands(*this, link(names[static_cast<size_t>(i)]), {"t" + std::to_string(i)});
  CHECK(got.snapshots.empty());
  advance(200ms);
  REQUIRE(got.snapshots.size() == 1);
  CHECK(got.tools().size() == 80);
  CHECK(got.snapshots[0].set->version == 1);
}

} // namespace mcp_hub_servers_test

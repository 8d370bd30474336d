#include "actors/mcp_hub/mcp_hub.hpp"

#include "actors/mcp_hub/mcp_subscribers.hpp"
#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"

namespace mcp_hub_subscribers_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(mcp_hub_fixture, "watchers hear of every change of a server",
                 "[actors][mcp_hub]") {
  watched first;
  watched second;
  open({"one"});
  watcher(first);
  watcher(second);
  shake_hands(*this, link("one"), {"echo"});
  CHECK(first.count("toolsChanged") == 1);
  CHECK(first.last("toolsChanged").data.text == R"({"server":"one"})");
  CHECK(contains(first.last("server").data.text, R"("name":"one")"));
  CHECK(contains(first.last("server").data.text, R"("health":"success")"));
  CHECK(second.kinds() == first.kinds());
  closed("one");
  CHECK(first.count("toolsChanged") == 2); // they are gone
  CHECK(contains(first.last("server").data.text, R"("health":"error")"));
}

TEST_CASE_METHOD(mcp_hub_fixture, "a new list of tools is told once, and nothing else with it",
                 "[actors][mcp_hub]") {
  watched got;
  open_connected({"one"});
  watcher(got);
  link("one").receive({R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"});
  advance(200ms); // changes are collected for a while
  link("one").result(link("one").last("tools/list").request_id, tools_page({"c"}));
  run();
  CHECK(got.count("toolsChanged") == 1);
  CHECK(got.count("resourcesChanged") == 0);
  CHECK(got.count("promptsChanged") == 0);
}

TEST_CASE_METHOD(mcp_hub_fixture, "watchers hear of servers that come and go",
                 "[actors][mcp_hub]") {
  watched got;
  open_connected({"one"});
  watcher(got);
  put(stdio_server("two"));
  CHECK(got.last("server").server == "two");
  change("one", server_verb::disable);
  CHECK(contains(got.last("server").data.text, R"("enabled":false)"));
  change("one", server_verb::remove);
  CHECK(got.last("serverRemoved").data.text == R"({"name":"one"})");
}

TEST_CASE_METHOD(mcp_hub_fixture, "what a server or the resource store tells is passed on",
                 "[actors][mcp_hub]") {
  watched got;
  open({});
  watcher(got);
  self->send(hub, mcp_event{"log", "one", {R"({"level":"info"})"}});
  run();
  CHECK(got.kinds() == strings{"log"});
  CHECK(got.events[0].data.text == R"({"level":"info"})");
}

TEST_CASE_METHOD(mcp_hub_fixture, "a watcher that comes late can ask how each server is",
                 "[actors][mcp_hub]") {
  open_connected({"one", "two"});
  watched late, later;
  watcher(late);
  watcher(later, {.from_now_on = false});
  CHECK(late.events.empty());
  REQUIRE(later.kinds() == strings{"server", "server"});
  CHECK(later.events[0].server == "one");
  CHECK(later.events[1].server == "two");
  CHECK(later.events[1].data.text.find(R"("health":"success")") != std::string::npos);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a watcher that ended is not counted any more",
                 "[actors][mcp_hub]") {
  open({});
  std::vector<watched> heard_by(mcp_subscribers::limit + 2);
  std::vector<mcp_subscriber_actor> all;
  for (size_t i = 0; i < mcp_subscribers::limit; ++i)
    all.push_back(watcher(heard_by[i]));
  watched refused;
  watcher(refused);
  CHECK(refused.kinds() == strings{"lagged"});
  crash(*this, all[0]);
  watched late;
  watcher(late);
  self->send(hub, mcp_event{"log", "one", {"{}"}});
  run();
  CHECK(late.kinds() == strings{"log"});
  CHECK(heard_by[1].kinds() == strings{"log"});
  CHECK(heard_by[0].events.empty());
  CHECK(refused.kinds() == strings{"lagged"});
}

TEST_CASE_METHOD(mcp_hub_fixture,
                 "a watcher that has called is still watched when its call is over",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  auto both = sys.spawn([](caf::event_based_actor* me) {
    me->set_default_handler(caf::drop);
    return caf::behavior{[](atom::done) {}};
  });
  caf::send_as(both, hub, watch_mcp{});
  caf::send_as(both, hub, call_tool{"a", "one", "echo", "{}"});
  run();
  link("one").result(link("one").last("tools/call").request_id, tool_answer("done"));
  run();
  CHECK(flows() == 0);
  crash(*this, both);
  std::vector<watched> others(mcp_subscribers::limit);
  for (auto& each : others)
    watcher(each);
  CHECK(others.back().events.empty()); // its place was free
}

} // namespace mcp_hub_subscribers_test

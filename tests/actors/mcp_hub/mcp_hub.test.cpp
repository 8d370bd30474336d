#include "actors/mcp_hub/mcp_hub.hpp"

#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"

namespace mcp_hub_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(mcp_hub_fixture, "tools are listed at once when every server has settled",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("one"), {"b"});
  link("two").signal(mcp_signal::closed, errc::server_start_failed, "no such program");
  run();
  list(caller(got));
  REQUIRE(got.snapshots.size() == 1);
  CHECK(got.tools() == strings{"b"});
}

TEST_CASE_METHOD(mcp_hub_fixture, "servers that are still connecting are waited for 200 ms",
                 "[actors][mcp_hub]") {
  heard got;
  open({"fast", "slow"});
  shake_hands(*this, link("fast"), {"b"});
  auto who = caller(got);
  list(who);
  advance(199ms);
  CHECK(got.snapshots.empty());
  SECTION("and then go without") {
    advance(1ms);
    REQUIRE(got.snapshots.size() == 1);
    CHECK(got.tools() == strings{"b"});
    shake_hands(*this, link("slow"), {"a"});
    list(who);
    CHECK(got.tools() == strings{"a", "b"});
  }
  SECTION("unless they are there earlier") {
    shake_hands(*this, link("slow"), {"a"});
    REQUIRE(got.snapshots.size() == 1);
    CHECK(got.tools() == strings{"a", "b"});
    advance(1s);
    CHECK(got.snapshots.size() == 1);
  }
  SECTION("or have failed") {
    link("slow").signal(mcp_signal::closed);
    run();
    CHECK(got.snapshots.size() == 1);
  }
}

TEST_CASE_METHOD(mcp_hub_fixture, "a turn can choose its servers", "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("one"), {"a"});
  shake_hands(*this, link("two"), {"a", "b"});
  auto who = caller(got);
  list(who, {"two"});
  CHECK(got.tools() == strings{"b", "two_a"});
  list(who, {"one"});
  CHECK(got.tools() == strings{"a"});
  list(who);
  CHECK(got.tools() == strings{"a", "b", "two_a"});
  caf::send_as(who, hub, list_tools{true, {}});
  run();
  CHECK(got.tools().empty());
  list(who, {"three"});
  CHECK(got.snapshots.back().unknown_server == "three");
}

TEST_CASE_METHOD(mcp_hub_fixture, "each chat waits its own 200 ms", "[actors][mcp_hub]") {
  heard first;
  heard second;
  open({"slow"});
  list(caller(first));
  advance(150ms);
  list(caller(second));
  advance(50ms);
  CHECK(first.snapshots.size() == 1);
  CHECK(second.snapshots.empty());
  shake_hands(*this, link("slow"), {"a"});
  CHECK(first.snapshots.size() == 1);
  REQUIRE(second.snapshots.size() == 1);
  CHECK(second.tools() == strings{"a"});
}

TEST_CASE_METHOD(mcp_hub_fixture, "a chat's 200 ms begin when it asks, not when the hub hears it",
                 "[actors][mcp_hub]") {
  heard got;
  open({"slow"});
  advance(1s);
  const auto asked = std::chrono::duration_cast<std::chrono::microseconds>(
      (sys.clock().now() - 150ms).time_since_epoch());
  caf::send_as(caller(got), hub, list_tools{false, {}, {}, {}, asked.count()});
  advance(49ms);
  CHECK(got.snapshots.empty());
  advance(1ms);
  CHECK(got.snapshots.size() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "names do not change while the server that holds them is away",
                 "[actors][mcp_hub]") {
  heard got;
  open_connected({"one", "two"});
  auto who = caller(got);
  closed("one");
  list(who);
  CHECK(got.tools() == strings{"two_echo"});
  advance(1s);
  shake_hands(*this, link("one"), {"echo"});
  list(who);
  CHECK(got.tools() == strings{"echo", "two_echo"});
}

TEST_CASE_METHOD(mcp_hub_fixture, "who connects first does not decide about names",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("two"), {"echo"});
  shake_hands(*this, link("one"), {"echo"});
  list(caller(got));
  REQUIRE(got.snapshots.back().set->find("echo") != nullptr);
  CHECK(got.snapshots.back().set->find("echo")->server == "one");
}

TEST_CASE_METHOD(mcp_hub_fixture, "an option puts the server's name in front of every tool",
                 "[actors][mcp_hub]") {
  heard got;
  settings.always_prefix = true;
  open_connected({"one"});
  list(caller(got));
  CHECK(got.tools() == strings{"one_echo"});
}

TEST_CASE_METHOD(mcp_hub_fixture, "different choices of servers are different versions",
                 "[actors][mcp_hub]") {
  heard got;
  open_connected({"one", "two"});
  auto who = caller(got);
  list(who, {"one"});
  list(who, {"two"});
  CHECK(got.snapshots[0].set->version != got.snapshots[1].set->version);
  for (int i = 0; i < 100; ++i) // more than are kept
    list(who, strings(static_cast<size_t>(i), "one"));
  CHECK(got.tools() == strings{"echo"});
}

TEST_CASE_METHOD(mcp_hub_fixture, "the same tools are one set, and a change is a new version",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one"});
  shake_hands(*this, link("one"), {"a", "b"});
  auto who = caller(got);
  list(who);
  list(who);
  CHECK(got.snapshots[0].set->version == got.snapshots[1].set->version);
  CHECK(&*got.snapshots[0].set == &*got.snapshots[1].set);
  link("one").receive({R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"});
  advance(200ms); // changes are collected for a while
  link("one").result(link("one").last("tools/list").request_id, tools_page({"c"}));
  run();
  list(who);
  CHECK(got.snapshots[2].set->version != got.snapshots[1].set->version);
  CHECK(got.tools() == strings{"c"});
}

TEST_CASE_METHOD(mcp_hub_fixture, "settled is answered when the last server connects or fails",
                 "[actors][mcp_hub]") {
  open({"one", "two", "disabled"});
  auto pending = self->request(hub, caf::infinite, atom::settled_v);
  run();
  shake_hands(*this, link("one"), {});
  CHECK(self->mailbox().empty());
  link("two").signal(mcp_signal::closed);
  run();
  bool answered = false;
  pending.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(mcp_hub_fixture, "listed is answered when resources and prompts were listed, too",
                 "[actors][mcp_hub]") {
  open({"one"});
  auto settled = self->request(hub, caf::infinite, atom::settled_v);
  auto listed = self->request(hub, caf::infinite, atom::listed_v);
  run();
  shake_hands_with(*this, link("one"), R"("tools":{},"prompts":{})", tools_page({}));
  bool answered = false;
  settled.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
  CHECK(self->mailbox().empty());
  link("one").result(link("one").last("prompts/list").request_id, R"({"prompts":[]})");
  run();
  answered = false;
  listed.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a list of tools says which turn asked for it",
                 "[actors][mcp_hub]") {
  heard got;
  auto who = caller(got);
  auto ask_for = [&](const std::string& turn, const strings& servers) {
    caf::send_as(who, hub, list_tools{!servers.empty(), servers, "s", turn});
    run();
  };
  open({"one"});
  ask_for("waits", {});
  shake_hands(*this, link("one"), {"echo"});
  ask_for("at once", {});
  ask_for("unknown", {"none"});
  strings turns;
  for (const auto& each : got.snapshots)
    turns.push_back(each.turn_id);
  CHECK(turns == strings{"waits", "at once", "unknown"});
}

} // namespace mcp_hub_test

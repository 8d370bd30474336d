#include "actors/mcp_hub.hpp"

#include "tests/actors/some_servers.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

// -- calls and leases ----------------------------------------------------------------------------

TEST_CASE_METHOD(some_servers, "a call holds a lease until its outcome", "[actors][mcp_hub]") {
  heard got;
  open({"one"});
  shake_hands(*this, link("one"), {"echo"});
  call(caller(got), "a", "one");
  CHECK(flows() == 1);
  link("one").result(link("one").last("tools/call").request_id, tool_answer("hello"));
  run();
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].tool_call_id == "a");
  CHECK(got.outcomes[0].text == "hello");
  CHECK(flows() == 0);
}

TEST_CASE_METHOD(some_servers, "answers go to the caller who asked, also when ids are the same",
                 "[actors][mcp_hub]") {
  heard first;
  heard second;
  open({"one"});
  shake_hands(*this, link("one"), {"echo"});
  call(caller(first), "same", "one");
  call(caller(second), "same", "one");
  auto sent = all_sent(link("one"), "tools/call");
  REQUIRE(sent.size() == 2);
  link("one").result(sent[1].request_id, tool_answer("for the second"));
  run();
  CHECK(first.outcomes.empty());
  REQUIRE(second.outcomes.size() == 1);
  CHECK(second.outcomes[0].text == "for the second");
  CHECK(flows() == 1);
}

TEST_CASE_METHOD(some_servers, "a call that is taken back releases its lease and tells the server",
                 "[actors][mcp_hub]") {
  heard mine;
  heard other;
  open({"one"});
  shake_hands(*this, link("one"), {"echo"});
  auto me = caller(mine);
  call(me, "a", "one");
  call(caller(other), "a", "one");
  caf::send_as(me, hub, cancel_call{"a", "stop"});
  run();
  CHECK(flows() == 1);
  CHECK(all_sent(link("one"), "notifications/cancelled").size() == 1);
  for (const auto& each : all_sent(link("one"), "tools/call"))
    link("one").result(each.request_id, tool_answer("late"));
  run();
  CHECK(mine.outcomes.empty());
  CHECK(other.outcomes.size() == 1);
}

TEST_CASE_METHOD(some_servers, "a caller that dies gives all its leases back",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("one"), {"echo"});
  shake_hands(*this, link("two"), {"echo"});
  auto who = caller(got);
  call(who, "a", "one");
  call(who, "b", "two");
  CHECK(flows() == 2);
  crash(*this, who, caf::exit_reason::kill);
  CHECK(flows() == 0);
  CHECK(all_sent(link("one"), "notifications/cancelled").size() == 1);
  CHECK(all_sent(link("two"), "notifications/cancelled").size() == 1);
}

TEST_CASE_METHOD(some_servers, "a call of a server that is not there is answered",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "disabled"});
  auto who = caller(got);
  for (const auto* each : {"nope", "disabled", "one"}) // one is still connecting
    call(who, each, each);
  REQUIRE(got.outcomes.size() == 3);
  for (const auto& each : got.outcomes) {
    CHECK(each.error == errc::server_unavailable);
    CHECK(each.text.find(each.tool_call_id) != std::string::npos);
  }
  CHECK(flows() == 0);
}

// -- crashes and the end -------------------------------------------------------------------------

TEST_CASE_METHOD(some_servers, "a connection that crashes loses its calls and is started again",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("one"), {"echo"});
  shake_hands(*this, link("two"), {"other"});
  auto who = caller(got);
  call(who, "a", "one");
  call(who, "b", "two");
  crash_connection("one");
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].tool_call_id == "a");
  CHECK(got.outcomes[0].error == errc::server_lost);
  CHECK(flows() == 1);
  CHECK(status(0).health == server_health::error);
  list(who);
  CHECK(got.tools() == strings{"other"}); // not the tools of a connection that is gone
  call(who, "c", "one");
  CHECK(got.outcomes.back().error == errc::server_unavailable);
  advance(999ms);
  CHECK(mcp.links.size() == 2);
  advance(1ms);
  REQUIRE(mcp.links.size() == 3);
  shake_hands(*this, link("one"), {"echo"});
  crash_connection("one");
  advance(1999ms);
  CHECK(mcp.links.size() == 3);
  advance(1ms);
  CHECK(mcp.links.size() == 4);
  CHECK(ends->empty());
}

TEST_CASE_METHOD(some_servers, "a connection that crashes before it was connected has settled",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one"});
  list(caller(got));
  CHECK(got.snapshots.empty());
  crash_connection("one");
  CHECK(got.snapshots.size() == 1);
}

TEST_CASE_METHOD(some_servers, "disconnect waits for running calls, then closes every server",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("one"), {"echo"});
  shake_hands(*this, link("two"), {"echo"});
  auto who = caller(got);
  call(who, "a", "one");
  auto pending = self->request(hub, caf::infinite, atom::disconnect_v);
  run();
  CHECK_FALSE(link("one").closing);
  call(who, "b", "two"); // no new ones
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].error == errc::server_unavailable);
  link("one").result(link("one").last("tools/call").request_id, tool_answer("done"));
  run();
  CHECK(got.outcomes.size() == 2);
  CHECK(link("one").closing);
  CHECK(link("two").closing);
  call(who, "c", "two");
  link("one").signal(mcp_signal::closed);
  run();
  CHECK(self->mailbox().empty());
  link("two").signal(mcp_signal::closed);
  run();
  bool answered = false;
  pending.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
  ask<atom::done>(hub, atom::disconnect_v);
  advance(1min);
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(some_servers, "a server that does not close does not hold disconnect up for ever",
                 "[actors][mcp_hub]") {
  open({"one"});
  auto pending = self->request(hub, caf::infinite, atom::disconnect_v);
  run();
  advance(8s);
  bool answered = false;
  pending.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
}

TEST_CASE_METHOD(some_servers, "a hub without servers lists nothing and disconnects at once",
                 "[actors][mcp_hub]") {
  heard got;
  open({});
  list(caller(got));
  REQUIRE(got.snapshots.size() == 1);
  CHECK(got.tools().empty());
  ask<atom::done>(hub, atom::settled_v);
  ask<atom::done>(hub, atom::disconnect_v);
  CHECK(flows() == 0);
}

TEST_CASE_METHOD(some_servers, "the end of the hub ends its connections", "[actors][mcp_hub]") {
  open({"one"});
  shake_hands(*this, link("one"), {"echo"});
  crash(*this, hub);
  CHECK(link("one").destroyed);
  CHECK(ends->size() == 1);
}

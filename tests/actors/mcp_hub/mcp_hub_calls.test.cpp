#include "actors/mcp_hub/mcp_hub.hpp"

#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"

namespace mcp_hub_calls_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

// -- calls and leases ----------------------------------------------------------------------------

TEST_CASE_METHOD(mcp_hub_fixture, "a call holds a lease until its outcome", "[actors][mcp_hub]") {
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

TEST_CASE_METHOD(mcp_hub_fixture, "a call takes its trace to the server", "[actors][mcp_hub]") {
  heard got;
  open_connected({"one"});
  call_tool traced{"a", "one", "echo", "{}"};
  traced.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  caf::send_as(caller(got), hub, traced);
  run();
  auto sent = link("one").last("tools/call").json;
  INFO(sent);
  CHECK(sent.find(R"("traceparent":")" + traced.traceparent + '"') != sent.npos);
}

TEST_CASE_METHOD(mcp_hub_fixture, "answers go to the caller who asked, also when ids are the same",
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

TEST_CASE_METHOD(mcp_hub_fixture,
                 "a call that is taken back releases its lease and tells the server",
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

TEST_CASE_METHOD(mcp_hub_fixture, "a caller that dies gives all its leases back",
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

TEST_CASE_METHOD(mcp_hub_fixture, "a call of a server that is not there is answered",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "disabled"});
  auto who = caller(got);
  for (const auto* each : {"nope", "disabled", "one"}) // one is still connecting
    call(who, each, each);
  REQUIRE(got.outcomes.size() == 3);
  CHECK(got.outcomes[0].error == errc::server_unknown);
  CHECK(got.outcomes[1].error == errc::server_unavailable);
  CHECK(got.outcomes[2].error == errc::server_unavailable);
  for (const auto& each : got.outcomes)
    CHECK(contains(each.text, each.tool_call_id));
  CHECK(flows() == 0);
}

// -- other requests ------------------------------------------------------------------------------

namespace {

mcp_ask read_one() {
  return {"one", "resources/read", {R"({"uri":"a:b"})"}};
}

/// As shake_hands, of a server with resources.
void connect_with_resources(mcp_hub_fixture& world, const std::string& server) {
  auto& link = world.link(server);
  link.signal(mcp_signal::opened);
  world.run();
  link.result(link.last("initialize").request_id,
              R"({"protocolVersion":"2025-11-25","capabilities":{"resources":{}},)"
              R"("serverInfo":{"name":"fake","version":"1"}})");
  world.run();
}

} // namespace

TEST_CASE_METHOD(mcp_hub_fixture, "any other request holds a lease until its answer",
                 "[actors][mcp_hub]") {
  open({"one"});
  connect_with_resources(*this, "one");
  auto asked = ask_later<mcp_answer>(*this, hub, read_one());
  CHECK(flows() == 1);
  auto sent = link("one").last("resources/read");
  CHECK(contains(sent.json, R"("uri":"a:b")"));
  link("one").result(sent.request_id, R"({"contents":[]})");
  run();
  REQUIRE(asked->answers.size() == 1);
  CHECK_FALSE(asked->answers[0].error);
  CHECK(asked->answers[0].result.text == R"({"contents":[]})");
  CHECK(flows() == 0);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a request whose asker dies is cancelled", "[actors][mcp_hub]") {
  open({"one"});
  connect_with_resources(*this, "one");
  auto asked = ask_later<mcp_answer>(*this, hub, read_one());
  crash(*this, asked->asker, caf::exit_reason::kill);
  CHECK(flows() == 0);
  CHECK(all_sent(link("one"), "notifications/cancelled").size() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a request that its asker takes back ends at once",
                 "[actors][mcp_hub]") {
  open({"one"});
  connect_with_resources(*this, "one");
  auto named = read_one();
  named.id = "mine";
  auto asked = ask_later<mcp_answer>(*this, hub, named);
  caf::send_as(asked->asker, hub, cancel_call{"another", "stop"});
  run();
  CHECK(flows() == 1);
  caf::send_as(asked->asker, hub, cancel_call{"mine", "stop"});
  run();
  CHECK(flows() == 0);
  CHECK(all_sent(link("one"), "notifications/cancelled").size() == 1);
  REQUIRE(asked->answers.size() == 1);
  CHECK(contains(asked->answers[0].error.text(), "stop"));
}

TEST_CASE_METHOD(mcp_hub_fixture, "a request on a connection that crashes is answered",
                 "[actors][mcp_hub]") {
  open({"one"});
  connect_with_resources(*this, "one");
  auto asked = ask_later<mcp_answer>(*this, hub, read_one());
  crash_connection("one");
  REQUIRE(asked->answers.size() == 1);
  CHECK(asked->answers[0].error.code == errc::server_lost);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a hub that crashes answers what it was asked",
                 "[actors][mcp_hub]") {
  open({"one", "slow"});
  connect_with_resources(*this, "one");
  auto asked = ask_later<mcp_answer>(*this, hub, read_one());
  auto settled = ask_later<atom::done>(*this, hub, atom::settled_v);
  auto listed = ask_later<atom::done>(*this, hub, atom::listed_v);
  crash(*this, hub);
  REQUIRE(asked->answers.size() == 1);
  CHECK(asked->answers[0].error.code == errc::server_lost);
  CHECK(settled->errors.size() == 1);
  REQUIRE(listed->errors.size() == 1);
  CHECK(listed->errors[0] == caf::make_error(errc::server_lost));
}

TEST_CASE_METHOD(mcp_hub_fixture, "requests that no server can answer are refused with the reason",
                 "[actors][mcp_hub]") {
  open({"one", "disabled"});
  connect_with_resources(*this, "one");
  struct row {
    mcp_ask ask;
    errc code;
    const char* says;
  };
  for (const auto& each : std::vector<row>{
           {{"nope", "ping", {}}, errc::server_unknown, "'nope'; known are: one disabled"},
           {{"disabled", "ping", {}}, errc::server_unavailable, "disabled"},
           {{"one", "tools/call", {"{}"}}, errc::request_invalid, "call the tool"},
           {{"one", "initialize", {"{}"}}, errc::request_invalid, "'initialize'"},
           {{"one", "ping", {"[]"}}, errc::request_invalid, "params"}}) {
    auto got = ask<mcp_answer>(hub, each.ask);
    CHECK(got.error.code == each.code);
    CHECK(contains(got.error.text(), each.says));
  }
  CHECK(flows() == 0);
}

} // namespace mcp_hub_calls_test

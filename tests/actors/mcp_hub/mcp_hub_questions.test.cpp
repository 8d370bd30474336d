#include "actors/mcp_hub/mcp_hub.hpp"

#include "messages/chat/session_id.hpp"

#include "tests/actors/mcp_hub/asking_server.hpp"

namespace mcp_hub_questions_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(asking, "the caller whose call it belongs to is asked", "[actors][mcp_hub]") {
  heard mine;
  heard other;
  watched watching;
  open_one();
  watcher(watching, {.answers = true});
  call_as(caller(other), "a", "s1", true);
  call_as(caller(mine), "b", "s2", true);
  auto calls = all_sent(link("one"), "tools/call");
  elicit(7, form, calls.back().request_id);
  REQUIRE(mine.asks.size() == 1);
  CHECK(other.asks.empty());
  CHECK(watching.count("clientRequest") == 0);
  const auto& got = mine.asks[0];
  CHECK(got.server == "one");
  CHECK(got.method == "elicitation/create");
  CHECK(got.session_id == "s2");
  CHECK(got.params.text == form);
  CHECK(got.timeout_ms == 30'000);
  CHECK_FALSE(answer(got.request_id, "accept", R"({"name":"Ada"})"));
  CHECK(answered(7) == R"("result":{"action":"accept","content":{"name":"Ada","age":7}}})");
  CHECK(watching.count("clientRequestOver") == 1);
  CHECK(answer(got.request_id, "decline").code == errc::not_found);
}

TEST_CASE_METHOD(asking, "an answer that does not fit leaves the request open",
                 "[actors][mcp_hub]") {
  heard got;
  open_one();
  call_as(caller(got), "a", "s", true);
  elicit(7);
  REQUIRE(got.asks.size() == 1);
  auto refused = answer(got.asks[0].request_id, "accept", R"({"age":"old"})");
  CHECK(refused.code == errc::request_invalid);
  CHECK(answered(7).empty());
  CHECK_FALSE(answer(got.asks[0].request_id, "cancel"));
  CHECK(answered(7) == R"("result":{"action":"cancel"}})");
}

TEST_CASE_METHOD(asking, "without a call only the one chat that uses the server is asked",
                 "[actors][mcp_hub]") {
  heard first;
  heard second;
  open_one();
  call_as(caller(first), "a", "s1", true);
  elicit(7);
  CHECK(first.asks.size() == 1);
  call_as(caller(second), "b", "s2", true);
  elicit(8);
  CHECK(first.asks.size() == 1);
  CHECK(second.asks.empty());
  CHECK(answered(8) == declined);
}

TEST_CASE_METHOD(asking, "watchers that answer are asked when no caller does",
                 "[actors][mcp_hub]") {
  heard silent;
  watched answering;
  watched reading;
  open_one();
  watcher(answering, {.answers = true});
  watcher(reading);
  call_as(caller(silent), "a", "s", false);
  elicit(7);
  CHECK(silent.asks.empty());
  CHECK(reading.count("clientRequest") == 0);
  auto event = answering.last("clientRequest");
  CHECK(event.server == "one");
  CHECK(contains(event.data.text, R"("method":"elicitation/create")"));
  auto from = event.data.text.find("ask_");
  auto id = event.data.text.substr(from, event.data.text.find('"', from) - from);
  CHECK_FALSE(answer(id, "decline"));
  CHECK(answered(7) == declined);
  CHECK(answering.last("clientRequestOver").data.text == R"({"requestId":")" + id + "\"}");
  CHECK(reading.count("clientRequestOver") == 1);
}

TEST_CASE_METHOD(asking, "a chat's question waits only for watchers of its owner",
                 "[actors][mcp_hub]") {
  heard silent;
  watched of_ada;
  watched of_bob;
  open_one();
  auto bob = watcher(of_bob, {.answers = true, .owner = "bob", .admin = true});
  call_as(caller(silent), "a", scoped_id("ada", "s"), false);
  elicit(7, form, link("one").last("tools/call").request_id);
  CHECK(answered(7) == declined); // bob could not answer it
  CHECK(of_bob.count("clientRequest") == 0);
  auto ada = watcher(of_ada, {.answers = true, .owner = "ada"});
  elicit(8, form, link("one").last("tools/call").request_id);
  CHECK(of_ada.count("clientRequest") == 1);
  crash(*this, bob);
  CHECK(answered(8).empty());
  crash(*this, ada);
  CHECK(answered(8) == declined);
}

TEST_CASE_METHOD(asking, "a question of no chat is for watchers with an admin's key",
                 "[actors][mcp_hub]") {
  watched of_ada;
  watched of_bob;
  open_one();
  watcher(of_ada, {.answers = true, .owner = "ada"});
  elicit(7);
  CHECK(answered(7) == declined);
  watcher(of_bob, {.answers = true, .owner = "bob", .admin = true});
  elicit(8);
  CHECK(answered(8).empty());
  CHECK(of_bob.count("clientRequest") == 1);
}

TEST_CASE_METHOD(asking, "a question without a call is of the only chat that uses the server",
                 "[actors][mcp_hub]") {
  heard silent;
  watched of_ada;
  open_one();
  watcher(of_ada, {.answers = true, .owner = "ada"});
  call_as(caller(silent), "a", scoped_id("ada", "s"), false);
  elicit(7);
  CHECK(answered(7).empty());
  CHECK(of_ada.count("clientRequest") == 1);
}

TEST_CASE_METHOD(asking, "nobody who could answer means no, at once", "[actors][mcp_hub]") {
  watched reading;
  open_one();
  watcher(reading);
  elicit(7);
  server_asks(8, "sampling/createMessage", prompt);
  CHECK(answered(7) == declined);
  CHECK(answered(8) == R"("error":{"code":-1,"message":"The client declined."}})");
}

TEST_CASE_METHOD(asking, "a request that nobody answers in time is declined", "[actors][mcp_hub]") {
  watched got;
  open_one();
  watcher(got, {.answers = true});
  elicit(7);
  advance(10s);
  elicit(8);
  advance(19999ms);
  CHECK(answered(7).empty());
  advance(1ms);
  CHECK(answered(7) == declined);
  CHECK(answered(8).empty());
  CHECK(got.count("clientRequestOver") == 1);
  advance(10s);
  CHECK(answered(8) == declined);
  CHECK(got.count("clientRequestOver") == 2);
}

TEST_CASE_METHOD(asking, "a request ends with its caller, its call, or the last who could answer",
                 "[actors][mcp_hub]") {
  heard got;
  watched watching;
  open_one();
  auto who = caller(got);
  SECTION("caller") {
    call_as(who, "a", "s", true);
    elicit(7);
    CHECK(answered(7).empty());
    crash(*this, who);
  }
  SECTION("call") {
    call_as(who, "a", "s", true);
    elicit(7, form, link("one").last("tools/call").request_id);
    CHECK(answered(7).empty());
    caf::send_as(who, hub, cancel_call{"a", "stop"});
    run();
  }
  SECTION("watcher") {
    auto last = watcher(watching, {.answers = true});
    elicit(7);
    CHECK(answered(7).empty());
    crash(*this, last);
  }
  CHECK(answered(7) == declined);
}

TEST_CASE_METHOD(asking, "a server that takes its request back, or is lost, is not answered",
                 "[actors][mcp_hub]") {
  watched got;
  open_one();
  watcher(got, {.answers = true});
  elicit(7);
  auto link_before = mcp.links.back();
  SECTION("cancelled") {
    link("one").receive({R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                         R"("params":{"requestId":7}})"});
    run();
  }
  SECTION("lost") {
    closed("one");
  }
  SECTION("crashed") {
    crash_connection("one");
  }
  SECTION("disabled") {
    change("one", server_verb::disable);
  }
  CHECK(got.count("clientRequestOver") == 1);
  for (const auto& each : link_before->sent)
    CHECK_FALSE(contains(each.json, R"("id":7,"result")"));
  advance(31s);
  CHECK(got.count("clientRequestOver") == 1);
}

TEST_CASE_METHOD(asking, "with the policy allow a form gets its defaults without asking",
                 "[actors][mcp_hub]") {
  watched got;
  open_one(client_policy::ask, client_policy::allow);
  watcher(got, {.answers = true});
  elicit(7, optional_form);
  CHECK(answered(7) == R"("result":{"action":"accept","content":{"age":7}}})");
  elicit(8, form); // a required value has no default
  CHECK(answered(8) == declined);
  CHECK(got.count("clientRequest") == 0);
  elicit(9, R"({"mode":"url","message":"m","url":"https://h/","elicitationId":"e"})");
  CHECK(got.count("clientRequest") == 1); // only a person can open it
}

TEST_CASE_METHOD(asking, "requests have ids that cannot be guessed", "[actors][mcp_hub]") {
  heard got;
  open_one();
  call_as(caller(got), "a", "s", true);
  elicit(7);
  elicit(8);
  REQUIRE(got.asks.size() == 2);
  CHECK(got.asks[0].request_id != got.asks[1].request_id);
  CHECK(got.asks[0].request_id.size() >= 24);
  CHECK(answer("ask_1", "decline").code == errc::not_found);
}

} // namespace mcp_hub_questions_test

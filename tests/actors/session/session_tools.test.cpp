// What a session does about tools beside plain calls.
#include "tests/actors/session/tools_fixture.hpp"

namespace session_tools_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

// -- who asks ------------------------------------------------------------------------------------

TEST_CASE_METHOD(tools_fixture, "the hub is told whose tools are wanted, and whose client answers",
                 "[actors][session]") {
  open();
  auto ask_for = request("go");
  ask_for.options.client_requests = true;
  auto got = send(std::move(ask_for));
  run();
  CHECK(notes->lists.at(0).session_id == "s");
  answer({call_chunk(0, "a", "echo", "{}")});
  REQUIRE(notes->calls.size() == 1);
  CHECK(notes->calls[0].first.session_id == "s");
  CHECK(notes->calls[0].first.answers);
  self->send(caf::actor_cast<tool_client_actor>(notes->calls[0].second),
             client_ask{"ask-1", "one", "elicitation/create", "s", {"{}"}, 1000});
  run();
  CHECK(got->names().back() == "MCP_CLIENT_REQUEST");
}

// -- attachments ---------------------------------------------------------------------------------

TEST_CASE_METHOD(tools_fixture,
                 "attachments go in front of the user's text, in this turn and later ones",
                 "[actors][session]") {
  open_resource_store();
  open();
  notes->tools.has_attachments = true;
  auto got = send("what does it say?");
  CHECK(http.calls.empty());
  CHECK(got->names() == strings{"SESSION_START"});
  REQUIRE(consumed.size() == 1);
  CHECK(consumed[0].session_id == "s");
  CHECK(consumed[0].consume);
  auto broken = text("file:///b", "");
  broken.error = "no such file";
  give({text("file:///a", "the secret is 42"), broken});
  REQUIRE(http.calls.size() == 1);
  CHECK(contains(body(), "the secret is 42"));
  CHECK(contains(body(), "could not be read: no such file"));
  CHECK(body().find("the secret is 42") < body().find("what does it say?"));
  answer({text_chunk("42")});
  CHECK(got->names().back() == "SESSION_END");
  notes->tools.has_attachments = false;
  send("sure?");
  CHECK(contains(body(), "the secret is 42"));
  CHECK(consumed.size() == 1);
}

TEST_CASE_METHOD(tools_fixture,
                 "a client that sends the whole history does not lose what was attached",
                 "[actors][session]") {
  open_resource_store();
  open();
  notes->tools.has_attachments = true;
  send("what does it say?");
  give({text("file:///a", "the secret is 42")});
  answer({text_chunk("42")});
  notes->tools.has_attachments = false;
  auto whole = request("what does it say?");
  whole.replaces_history = true;
  whole.messages.push_back({role::assistant, "42", {}, {}, {}});
  whole.messages.push_back({role::user, "sure?", {}, {}, {}});
  send(std::move(whole));
  run();
  CHECK(contains(body(), "the secret is 42"));
}

TEST_CASE_METHOD(tools_fixture, "a turn without attachments does not ask for any",
                 "[actors][session]") {
  open_resource_store();
  open();
  send("hi");
  CHECK(http.calls.size() == 1);
  CHECK(consumed.empty());
}

TEST_CASE_METHOD(tools_fixture,
                 "a resource store that is absent or silent does not hold a turn up for ever",
                 "[actors][session]") {
  notes->tools.has_attachments = true;
  SECTION("absent") {
    open();
    send("hi");
  }
  SECTION("silent") {
    open_resource_store();
    open();
    send("hi");
    CHECK(http.calls.empty());
    advance(12s);
  }
  CHECK(http.calls.size() == 1);
  CHECK(contains(body(), R"("name":"echo")"));
}

TEST_CASE_METHOD(tools_fixture,
                 "an abort while attachments are awaited ends the turn and loses none",
                 "[actors][session]") {
  open_resource_store();
  open();
  notes->tools.has_attachments = true;
  auto got = send("first");
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  CHECK(got->names() == strings{"SESSION_START", "ABORT", "SESSION_END"});
  give({text("file:///a", "the secret is 42")});
  CHECK(http.calls.empty());
  notes->tools.has_attachments = false;
  send("second");
  CHECK(contains(body(), "the secret is 42"));
  CHECK(body().find("the secret is 42") < body().find("first"));
}

// -- names ---------------------------------------------------------------------------------------

TEST_CASE_METHOD(tools_fixture,
                 "a chat keeps the names of tools, and calls still reach the right server",
                 "[actors][session]") {
  open();
  send("one");
  answer({text_chunk("ok")});
  see({{"echo", "", R"({"type":"object"})", "zero", "echo"},
       {"one_echo", "", R"({"type":"object"})", "one", "echo"}});
  send("two");
  CHECK(contains(body(), R"("name":"zero_echo")"));
  CHECK_FALSE(contains(body(), R"("name":"one_echo")"));
  answer({call_chunk(0, "a", "echo", "{}"), call_chunk(1, "b", "zero_echo", "{}")});
  REQUIRE(notes->calls.size() == 2);
  CHECK(notes->calls[0].first.server == "one");
  CHECK(notes->calls[1].first.server == "zero");
  CHECK(notes->calls[1].first.tool == "echo");
  send("other chat", "t");
  CHECK(contains(body(), R"("name":"one_echo")"));
}

} // namespace session_tools_test

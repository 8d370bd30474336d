// Many sessions on one WebSocket.
#include "tests/apps/engine/http/websocket/ws_fixture.hpp"
#include "tests/support/catch.hpp"

namespace ws_connection_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string start_a = R"({"type":"start","session":"a","turn":"t","message":"hello"})";

bool holds(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE_METHOD(ws_fixture, "a started turn is the native request with the connection's ids",
                 "[apps][ws]") {
  says(R"({"type":"start","session":"a","turn":"t1","message":"hello","resumable":true})");
  REQUIRE(turns.size() == 1);
  CHECK(turns[0].session_id == "a");
  CHECK(turns[0].turn_id == "t1");
  CHECK(turns[0].messages.at(0).text == "hello");
  CHECK(turns[0].options.resumable);
  CHECK(turns[0].options.request_id == "req_1");
  CHECK(turns[0].options.traceparent == "trace");
  CHECK(heard().empty());
}

TEST_CASE_METHOD(ws_fixture, "one batch of events is one message", "[apps][ws]") {
  says(start_a);
  happens(0, 1, {session_start{"m"}, text_delta{"A\n"}});
  CHECK(heard() == R"({"type":"events","session":"a","turn":"t","first":1,"events":[)"
                   R"({"type":"SESSION_START","seq":1,"sessionId":"a","turnId":"t","timeUs":0,)"
                   R"("messageId":"m"},{"type":"TEXT","seq":2,"sessionId":"a","turnId":"t",)"
                   R"("timeUs":0,"text":"A\n"}]})"
                   "\n");
}

TEST_CASE_METHOD(ws_fixture, "sessions share the connection and end by themselves", "[apps][ws]") {
  says(start_a);
  says(R"({"type":"start","session":"b","message":"hello"})");
  REQUIRE(turns.size() == 2);
  CHECK(turns[1].turn_id.starts_with("turn_")); // nobody else's
  happens(0, 1, texts(1));
  happens(1, 1, texts(1));
  happens(0, 2, {session_end{}});
  const auto text = heard();
  CHECK(count(text, R"("session":"a")") == 2);
  CHECK(count(text, R"("session":"b")") == 1);
  leave();
  CHECK(left == std::vector<std::string>{"b"});
  CHECK(socket_destroyed);
}

TEST_CASE_METHOD(ws_fixture, "a refused turn is told with its session and turn", "[apps][ws]") {
  says(start_a);
  caf::anon_send(viewers.at(0), turn_refused{errc::session_busy, ""});
  run();
  CHECK(heard() == R"({"type":"refused","session":"a","turn":"t","error":{"code":"session_busy",)"
                   R"("message":"This chat is still answering; wait or stop it first.",)"
                   R"("retryable":true}})"
                   "\n");
  SECTION("so is one whose body is not valid") {
    says(R"({"type":"start","session":"a","turn":"t2","massage":"hello"})");
    const auto text = heard();
    CHECK(holds(text, R"("type":"refused","session":"a","turn":"t2")"));
    CHECK(holds(text, "massage"));
    CHECK(turns.size() == 1);
  }
}

TEST_CASE_METHOD(ws_fixture, "a resumed turn is watched from the number on", "[apps][ws]") {
  says(R"({"type":"resume","session":"s","turn":"t","after":7})");
  REQUIRE(watched.size() == 1);
  CHECK(watched[0].session_id == "s");
  CHECK(watched[0].turn_id == "t");
  CHECK(watched[0].after_seq == 7);
  CHECK(watched[0].replays_ended);
  SECTION("its events follow") {
    happens(0, 8, texts(2));
    CHECK(holds(heard(), R"("first":8)"));
  }
  SECTION("or nothing is there") {
    caf::anon_send(viewers.at(0), turn_refused{errc::turn_not_running, ""});
    run();
    CHECK(heard() == "{\"type\":\"idle\",\"session\":\"s\"}\n");
  }
}

TEST_CASE_METHOD(ws_fixture, "a session that is left is told so after its last event",
                 "[apps][ws]") {
  says(start_a);
  says(R"({"type":"leave","session":"a"})");
  CHECK(left == std::vector<std::string>{"a"});
  CHECK(heard() == "{\"type\":\"left\",\"session\":\"a\"}\n");
  says(R"({"type":"leave","session":"a"})"); // it is not viewed any more
  CHECK(left.size() == 1);
  CHECK(heard() == "{\"type\":\"left\",\"session\":\"a\"}\n");
}

TEST_CASE_METHOD(ws_fixture, "aborts and approvals go to the hub", "[apps][ws]") {
  says(R"({"type":"abort","session":"a","turn":"t"})");
  REQUIRE(aborted.size() == 1);
  CHECK(aborted[0].session_id == "a");
  CHECK(aborted[0].turn_id == "t");
  CHECK(aborted[0].reason == "stop");
  says(R"({"type":"approvals","session":"a","approvals":[{"approvalId":"x","approved":true}]})");
  REQUIRE(approvals.size() == 1);
  CHECK(approvals[0].session_id == "a");
  CHECK(approvals[0].approvals.at(0).approval_id == "x");
  CHECK(heard().empty());
}

TEST_CASE_METHOD(ws_fixture, "results of tools begin a turn that goes on", "[apps][ws]") {
  says(R"({"type":"tool-results","session":"a","results":[{"toolCallId":"c","output":{"n":1}}]})");
  REQUIRE(turns.size() == 1);
  CHECK(turns[0].messages.at(0).who == role::tool);
  CHECK(turns[0].messages.at(0).tool_call_id == "c");
}

TEST_CASE_METHOD(ws_fixture, "a ping of the application is answered", "[apps][ws]") {
  says(R"({"type":"ping"})");
  CHECK(heard() == "{\"type\":\"pong\"}\n");
}

TEST_CASE_METHOD(ws_fixture, "a slow socket pauses sessions, and drained wakes them",
                 "[apps][ws]") {
  says(start_a);
  client->takes_more = false;
  happens(0, 1, texts(credit));
  CHECK(granted.empty());
  drains();
  REQUIRE(granted.size() == 1);
  CHECK(granted[0].events == credit);
}

TEST_CASE_METHOD(ws_fixture, "with manual flow nothing is sent beyond the credit", "[apps][ws]") {
  says(R"({"type":"start","session":"a","turn":"t","message":"m","flow":"manual","credit":2})");
  says(R"({"type":"start","session":"b","message":"m"})");
  happens(0, 1, texts(5));
  CHECK(count(heard(), R"("type":"TEXT")") == 2);
  happens(0, 6, texts(1));
  happens(1, 1, texts(3)); // others do not wait
  auto text = heard();
  CHECK(count(text, R"("session":"a")") == 0);
  CHECK(count(text, R"("session":"b")") == 1);
  says(R"({"type":"credit","session":"a","events":3})");
  text = heard();
  CHECK(holds(text, R"("first":3)"));
  CHECK(count(text, R"("type":"TEXT")") == 3);
  happens(0, 7, {model_generation_stop{}, session_end{}});
  CHECK(heard().empty());
  says(R"({"type":"credit","session":"a","events":100})");
  text = heard();
  CHECK(holds(text, R"("first":6)"));
  CHECK(holds(text, R"("first":7)"));
  CHECK(count(text, "SESSION_END") == 1);
  says(R"({"type":"credit","session":"a","events":1})"); // it is over
  CHECK(heard().empty());
}

TEST_CASE_METHOD(ws_fixture, "with manual flow the model waits when the credit is used up",
                 "[apps][ws]") {
  says(R"({"type":"start","session":"a","turn":"t","message":"m","flow":"manual","credit":10})");
  happens(0, 1, texts(credit));
  CHECK(granted.empty());
  says(R"({"type":"credit","session":"a","events":100})");
  CHECK(granted.empty());
  says(R"({"type":"credit","session":"a","events":10000})");
  REQUIRE(granted.size() == 1);
  CHECK(granted[0].events == credit);
}

TEST_CASE_METHOD(ws_fixture, "credit does not overtake a slow socket", "[apps][ws]") {
  says(R"({"type":"start","session":"a","turn":"t","message":"m","flow":"manual","credit":2})");
  client->takes_more = false;
  happens(0, 1, texts(1));
  happens(0, 2, texts(1));
  CHECK(count(heard(), "TEXT") == 1);
  drains();
  CHECK(count(heard(), "TEXT") == 1);
}

TEST_CASE_METHOD(ws_fixture, "what waits for credit is dropped when the client leaves the session",
                 "[apps][ws]") {
  says(R"({"type":"start","session":"a","turn":"t","message":"m","flow":"manual"})");
  happens(0, 1, {session_start{}, session_end{}});
  CHECK(heard().empty());
  says(R"({"type":"leave","session":"a"})");
  CHECK(heard() == "{\"type\":\"left\",\"session\":\"a\"}\n");
  says(R"({"type":"credit","session":"a","events":9})");
  CHECK(heard().empty());
}

TEST_CASE_METHOD(ws_fixture, "a subscriber that dies does not leave the client waiting",
                 "[apps][ws]") {
  says(start_a);
  caf::anon_send_exit(viewers.at(0), caf::exit_reason::kill);
  run();
  CHECK(holds(heard(), R"("type":"refused","session":"a","turn":"t","error":{"code":"internal")"));
}

TEST_CASE("messages that are not valid are answered, and 16 in a row close", "[apps][ws]") {
  ws_fixture at;
  for (int i = 0; i < 15; ++i)
    at.says("{\"type\":\"nonsense\",\"session\":\"s\"}");
  CHECK(count(at.heard(), R"({"type":"error","session":"s","error":{"code":"request_invalid")") ==
        15);
  at.says(R"({"type":"ping"})");
  for (int i = 0; i < 15; ++i)
    at.says("[");
  CHECK(at.client->closed_with == 0);
  at.says("[");
  CHECK(at.client->closed_with == 4400);
}

TEST_CASE("one session too many closes with 4429", "[apps][ws]") {
  ws_limits limits;
  limits.streams = 1;
  ws_fixture at{limits};
  at.says(start_a);
  at.happens(0, 1, {session_end{}});
  at.says(start_a); // the first one is over
  CHECK(at.client->closed_with == 0);
  at.says(R"({"type":"resume","session":"s"})");
  CHECK(at.client->closed_with == 4429);
  CHECK(at.watched.empty());
}

TEST_CASE("a client that floods the connection is closed with 1008", "[apps][ws]") {
  ws_limits limits;
  limits.backlog_bytes = 10'000;
  ws_fixture at{limits};
  for (int i = 0; i < 100; ++i) // nobody looks at them in between
    at.client->tell({websocket_inbound::kind::text, R"({"type":"ping"})", 0});
  CHECK(at.client->closed_with == 1008);
  at.run();
  CHECK(count(at.heard(), "pong") < 50);
}

TEST_CASE_METHOD(ws_fixture, "a hub that is not there refuses", "[apps][ws]") {
  sys.registry().erase(session_hub_name);
  says(start_a);
  CHECK(holds(heard(), R"("code":"shutting_down")"));
}

TEST_CASE_METHOD(ws_fixture, "a WebSocket whose key was revoked closes before its next event",
                 "[apps][ws]") {
  const auto manual = GENERATE(false, true);
  says(manual
           ? R"({"type":"start","session":"a","turn":"t","message":"x","flow":"manual","credit":9})"
           : start_a);
  REQUIRE(viewers.size() == 1);
  happens(0, 1, texts(1));
  CHECK(holds(heard(), R"("seq":1)"));
  meter->revoke();
  happens(0, 2, texts(1));
  CHECK(heard().empty());
  CHECK(client->closed_with == 4401);
}

} // namespace ws_connection_test

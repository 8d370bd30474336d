#include "actors/mcp_connection.hpp"

#include "tests/actors/recording_hub.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string progress_of(int64_t token, const std::string& value) {
  return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
         std::to_string(token) + R"(,"progress":)" + value + "}}";
}

} // namespace

TEST_CASE_METHOD(one_server, "a call reports its progress and then its result",
                 "[actors][mcp_connection]") {
  connect();
  call(7);
  auto sent = link().last("tools/call");
  CHECK(contains(sent.json, R"("progressToken":)" + std::to_string(sent.request_id)));
  receive(progress_of(sent.request_id, "1"));
  receive(progress_of(sent.request_id, "2"));
  link().result(sent.request_id, tool_answer("done"));
  run();
  REQUIRE(progress.size() == 2);
  CHECK(progress[1].call == 7);
  CHECK(progress[1].progress == 2);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 7);
  CHECK(outcomes[0].error == errc::none);
  CHECK(outcomes[0].text == "done");
  CHECK(contains(outcomes[0].result.text, "content"));
  receive(progress_of(sent.request_id, "3"));
  link().result(sent.request_id, tool_answer("again"));
  run();
  CHECK(progress.size() == 2);
  CHECK(outcomes.size() == 1);
}

TEST_CASE_METHOD(one_server, "an error of a tool is a tool_failed, however it is said",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  link().result(link().last("tools/call").request_id, tool_answer("no such file", true));
  run();
  call(2);
  receive(R"({"jsonrpc":"2.0","id":)" + std::to_string(link().last("tools/call").request_id) +
          R"(,"error":{"code":-32602,"message":"bad arguments"}})");
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[0].error == errc::tool_failed);
  CHECK(outcomes[0].text == "no such file");
  CHECK(outcomes[1].error == errc::tool_failed);
  CHECK(outcomes[1].text == "bad arguments");
}

TEST_CASE_METHOD(one_server, "a cancelled call is told to the server, and its late answer dropped",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  self->send(connection, server_cancel{1, "the user stopped it"});
  run();
  auto note = link().last("notifications/cancelled");
  CHECK(note.request_id == 0);
  CHECK(contains(note.json, R"("requestId":)" + std::to_string(id)));
  CHECK(contains(note.json, "the user stopped it"));
  link().result(id, tool_answer("late"));
  run();
  CHECK(outcomes.empty());
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(one_server, "a call that is not answered in time is a tool_timeout",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  advance(9s);
  CHECK(outcomes.empty());
  advance(1200ms);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
  CHECK(contains(link().last("notifications/cancelled").json, std::to_string(id)));
  link().result(id, tool_answer("late"));
  run();
  CHECK(outcomes.size() == 1);
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(one_server, "progress keeps a call alive, but not for ever",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  for (int second = 0; second < 95; second += 5) {
    advance(5s);
    receive(progress_of(id, std::to_string(second)));
  }
  CHECK(outcomes.empty());
  advance(5s);
  receive(progress_of(id, "99"));
  advance(200ms);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
}

TEST_CASE_METHOD(one_server, "more calls than max_parallel wait for their turn",
                 "[actors][mcp_connection]") {
  config.max_parallel = 2;
  connect();
  for (uint64_t number = 1; number <= 4; ++number)
    call(number);
  auto sent = all_sent(link(), "tools/call");
  REQUIRE(sent.size() == 2);
  self->send(connection, server_cancel{3, "not wanted"});
  run();
  CHECK(all_sent(link(), "notifications/cancelled").empty()); // the server never heard of it
  link().result(sent[1].request_id, tool_answer("2"));
  run();
  sent = all_sent(link(), "tools/call");
  REQUIRE(sent.size() == 3);
  link().result(sent[2].request_id, tool_answer("4"));
  run();
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[1].call == 4);
  CHECK(all_sent(link(), "tools/call").size() == 3);
}

TEST_CASE_METHOD(one_server, "one request that failed in the transport fails its call alone",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  call(2);
  mcp_inbound in;
  in.channel = link().number;
  in.signal = mcp_signal::failed;
  in.request_id = link().last("tools/call").request_id;
  in.error = errc::deadline_exceeded;
  in.error_text = "the answer broke off";
  link().deliver(std::move(in));
  run();
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 2);
  CHECK(outcomes[0].error == errc::deadline_exceeded);
  CHECK(contains(outcomes[0].text, "broke off"));
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(one_server, "a call before the handshake is over is refused at once",
                 "[actors][mcp_connection]") {
  open();
  call(1);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_unavailable);
  CHECK(contains(outcomes[0].text, "one"));
}

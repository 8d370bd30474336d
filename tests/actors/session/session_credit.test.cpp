#include "actors/session/session.hpp"

#include <algorithm>

#include "tests/actors/session/chat.hpp"

namespace session_credit_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(chat, "without credit the exchange is paused, and credit lets every event out",
                 "[actors][session]") {
  open();
  auto got = stalled_client(1500);
  auto call = http.calls.at(0);
  run();
  CHECK(got->events.size() == 1024);
  CHECK(call->paused == 1);
  CHECK(call->resumed == 0);
  CHECK_FALSE(call->cancelled);
  got->wants_more = true;
  got->signal(response_signal::drained);
  run();
  CHECK(call->resumed == 1);
  call->bytes("data: [DONE]\n\n");
  run();
  CHECK(got->events.size() == 1504);
  CHECK(got->numbers == numbers_from_one(1504));
  CHECK(std::get<text_delta>(got->events[1501]).text == "1499");
  CHECK(got->names().back() == "SESSION_END");
}

TEST_CASE_METHOD(chat, "a turn whose answer ended without credit ends when credit comes",
                 "[actors][session]") {
  open();
  auto got = stalled_client(1100);
  auto call = http.calls.at(0);
  call->bytes("data: [DONE]\n\n");
  run();
  CHECK(got->events.size() == 1024);
  CHECK(counts().running_turns == 1);
  CHECK(send("more")->refused.code == errc::session_busy);
  got->wants_more = true;
  got->signal(response_signal::drained);
  run();
  CHECK(got->events.size() == 1104);
  CHECK(got->names().back() == "SESSION_END");
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(chat, "progress of a tool is not kept for a client that reads slowly",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  auto got = stalled_client(1100);
  auto call = http.calls.at(0);
  call->bytes("data: " + call_chunk(0, "a", "echo", "{}") + "\n\ndata: [DONE]\n\n");
  run();
  auto id = server().last("tools/call").request_id;
  for (int i = 1; i <= 100; ++i)
    server().receive({R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
                      R"({"progressToken":)" +
                      std::to_string(id) + R"(,"progress":)" + std::to_string(i) + "}}"});
  server().result(id, tool_answer("ok"));
  run();
  got->wants_more = true;
  got->signal(response_signal::drained);
  run();
  auto names = got->names();
  CHECK(std::count(names.begin(), names.end(), "MCP_TOOL_PROGRESS") == 0);
  CHECK(std::count(names.begin(), names.end(), "MCP_TOOL_SUCCESS") == 1);
  CHECK(got->numbers == numbers_from_one(got->events.size()));
}

} // namespace session_credit_test

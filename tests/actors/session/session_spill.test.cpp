// Results that are too long for a model.
#include <algorithm>

#include "tests/actors/session/tools_fixture.hpp"

namespace session_spill_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(tools_fixture,
                 "a result that is too long goes to a file, and the model is told which",
                 "[actors][session]") {
  settings.limits.max_tool_text_bytes = 200;
  open_output_store();
  open();
  auto got = send("go");
  answer({call_chunk(0, "a", "echo", "{}")});
  std::string result(5000, 'x');
  SECTION("written") {
    end_call(result);
    REQUIRE(spilled.size() == 1);
    CHECK(spilled[0].first == "a");
    CHECK(spilled[0].second == result);
    REQUIRE(http.calls.size() == 2);
    CHECK(contains(body(), "of 5000 bytes; the whole is in the file /data/tool-1.txt]"));
    CHECK_FALSE(contains(body(), std::string(200, 'x')));
  }
  SECTION("not written") {
    path.clear();
    end_call(result);
    CHECK(contains(body(), "of 5000 bytes]"));
  }
  SECTION("within the limit") {
    end_call(std::string(200, 'x'));
    CHECK(spilled.empty());
    CHECK(contains(body(), std::string(200, 'x')));
  }
  SECTION("no store") {
    sys.registry().erase(tool_output_store_name);
    end_call(result);
    CHECK(contains(body(), "[cut: the first 200 of 5000 bytes]"));
  }
  auto names = got->names();
  CHECK(std::count(names.begin(), names.end(), "MCP_TOOL_SUCCESS") == 1);
}

TEST_CASE_METHOD(tools_fixture,
                 "an abort while a result is written ends the turn; the file comes too late",
                 "[actors][session]") {
  settings.limits.max_tool_text_bytes = 200;
  open();
  auto silent = sys.spawn([](tool_output_store_actor::pointer me) {
    auto never = std::make_shared<caf::typed_response_promise<std::string>>();
    return tool_output_store_actor::behavior_type{
        [me, never](const std::string&, const std::string&) -> caf::result<std::string> {
          *never = me->make_response_promise<std::string>();
          return *never;
        }};
  });
  enter(tool_output_store_name, silent);
  auto got = send("go");
  answer({call_chunk(0, "a", "echo", "{}")});
  end_call(std::string(5000, 'x'));
  CHECK(got->names().back() == "MCP_TOOL_START");
  SECTION("abort") {
    self->send(hub, abort_turn{"s", "", "stop"});
    run();
    CHECK(got->names().back() == "SESSION_END");
    send("again");
    answer({call_chunk(0, "a", "echo", "{}")});
    advance(6s); // the answer for the first turn's call
    CHECK(http.calls.size() == 2);
  }
  SECTION("a disk that hangs") {
    advance(5s);
    REQUIRE(http.calls.size() == 2);
    CHECK(contains(body(), "of 5000 bytes]"));
  }
}

} // namespace session_spill_test

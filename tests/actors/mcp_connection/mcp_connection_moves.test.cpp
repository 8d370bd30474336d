// A server of which there is one in a cluster: it moves from node to node.
#include "actors/mcp_connection/mcp_connection.hpp"

#include <algorithm>

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_moves_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class moving : public mcp_connection_fixture {
public:
  moving() { open_at("a", false); }

  void open_at(const std::string& node, bool remote) {
    if (!connection)
      open();
    tell(mcp_signal::opened, node, remote);
    run();
    link().result(link().last("initialize").request_id, initialize_answer());
    run();
    link().result(link().last("tools/list").request_id, tools_page({"echo"}));
    run();
  }
  void tell(mcp_signal what, const std::string& node = "", bool remote = false) {
    mcp_inbound in;
    in.channel = link().number;
    in.signal = what;
    in.node = node;
    in.remote = remote;
    in.error = what == mcp_signal::closed ? errc::server_session_lost : errc::none;
    in.moved = what == mcp_signal::closed;
    link().deliver(std::move(in));
    run();
  }
  void call_for_other_node(uint64_t number) {
    server_call ask{number, "tools/call", "echo", "{}", false, "", true};
    self->send(connection, std::move(ask));
    run();
  }
};

} // namespace

TEST_CASE_METHOD(moving, "a server's status says on which node it is", "[actors][mcp_connection]") {
  CHECK(status.node == "a");
  CHECK_FALSE(status.remote);
  const auto first = status.connection;
  tell(mcp_signal::closed);
  open_at("b", true);
  CHECK(status.node == "b");
  CHECK(status.remote);
  CHECK(status.connection > first);
}

TEST_CASE_METHOD(moving, "a server may move as often as it likes, and no call notices",
                 "[actors][mcp_connection]") {
  for (uint64_t number = 1; number <= 4; ++number) {
    tell(mcp_signal::closed);
    call(number);
    CHECK(status.health == server_health::success);
    open_at("b", true);
    link().result(link().last("tools/call").request_id, tool_answer("done"));
    run();
    CHECK(outcomes.size() == number);
    CHECK(outcomes.back().error == errc::none);
  }
}

TEST_CASE_METHOD(moving, "a call of another node is not sent anywhere else",
                 "[actors][mcp_connection]") {
  SECTION("it was not run: that node looks where the server is") {
    call_for_other_node(1);
    fail(link().last("tools/call").request_id, errc::server_session_lost, "moved", true);
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::server_session_lost);
  }
  SECTION("it waits for its turn") {
    for (uint64_t number = 1; number <= 16; ++number)
      call(number);
    call_for_other_node(99);
    tell(mcp_signal::closed);
    const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                    [](const auto& each) { return each.call == 99; });
    REQUIRE(found != outcomes.end());
    CHECK(found->error == errc::server_session_lost);
  }
  SECTION("the server is not connected") {
    tell(mcp_signal::closed);
    call_for_other_node(1);
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::server_session_lost);
  }
  SECTION("it is on another node") {
    tell(mcp_signal::closed);
    open_at("b", true);
    call_for_other_node(1);
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::server_session_lost);
  }
}

} // namespace mcp_connection_moves_test

// The connection of one server, with a hub that only writes down and a server that the test plays.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "actors/mcp_connection/mcp_connection.hpp"
#include "tests/actors/mcp_connection/recording_hub.hpp"
#include "tests/actors/mcp_connection/server_answers.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace troupe::test {

class mcp_connection_fixture : public deterministic, public hub_records {
public:
  mcp_connection_fixture() {
    config.name = "one";
    config.request_timeout = std::chrono::seconds{10};
    config.total_timeout = std::chrono::seconds{100};
    config.connect_timeout = std::chrono::seconds{5};
  }

  ~mcp_connection_fixture() {
    if (hub)
      crash(*this, hub, caf::exit_reason::kill);
    hub = nullptr;
    connection = nullptr;
  }

  /// Spawns the connection.
  void open() {
    hub = sys.spawn(
        [this](mcp_hub_for_connections::pointer me) -> mcp_hub_for_connections::behavior_type {
          me->set_exit_handler([this](caf::exit_msg& msg) { ends.push_back(msg.reason); });
          connection = spawn_mcp_connection(*me, mcp, config);
          return recording();
        });
    run();
  }

  /// Spawns the connection and goes through the handshake.
  void connect(const std::vector<std::string>& tools = {"echo"}) {
    open();
    shake_hands(*this, link(), tools);
  }

  /// Spawns the connection of a server with these capabilities, and answers tools/list with a page.
  void connect_with(const std::string& capabilities, const std::string& page = tools_page({})) {
    open();
    shake_hands_with(*this, link(), capabilities, page);
  }

  fake_mcp::link& link() { return *mcp.links.back(); }

  void call(uint64_t number, const std::string& tool = "echo", bool as_task = false) {
    self->send(connection, server_call{number, "tools/call", tool, "{}", as_task});
    run();
  }

  /// Sends any other request.
  void ask_server(uint64_t number, const std::string& method, const std::string& params = "{}") {
    self->send(connection, server_call{number, method, "", params, false});
    run();
  }

  void receive(const std::string& message) {
    link().receive({message});
    run();
  }

  /// Answers the last request of that method.
  void result_of(const std::string& method, const std::string& json) {
    auto id = link().last(method).request_id;
    REQUIRE(id != 0);
    link().result(id, json);
    run();
  }

  void refusal_of(const std::string& method, int64_t code, const std::string& message) {
    receive(refusal(link().last(method).request_id, code, message));
  }

  /// The transport gives up one request.
  void fail(int64_t request_id, errc error, const std::string& text, bool not_run = false) {
    mcp_inbound in;
    in.channel = link().number;
    in.signal = mcp_signal::failed;
    in.request_id = request_id;
    in.error = error;
    in.error_text = text;
    in.not_run = not_run;
    link().deliver(std::move(in));
    run();
  }

  mcp_server_config config; // hides the actor system's own
  fake_mcp mcp;
  mcp_hub_for_connections hub;
  mcp_connection_actor connection;
  std::vector<caf::error> ends;
};

} // namespace troupe::test

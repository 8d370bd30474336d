// An mcp_hub that only writes down what its connection reports.
#pragma once

#include <string>
#include <vector>

#include "actors/mcp_connection.hpp"
#include "tests/actors/family.hpp"
#include "tests/actors/server_side.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace troupe::test {

class one_server : public deterministic {
public:
  one_server() {
    config.name = "one";
    config.request_timeout = std::chrono::seconds{10};
    config.connect_timeout = std::chrono::seconds{5};
  }

  ~one_server() {
    if (hub)
      crash(*this, hub, caf::exit_reason::kill);
    hub = nullptr;
    connection = nullptr;
  }

  /// Spawns the connection.
  void open() {
    hub = sys.spawn([this](mcp_hub_actor::pointer me) -> mcp_hub_actor::behavior_type {
      me->set_exit_handler([this](caf::exit_msg& msg) { ends.push_back(msg.reason); });
      connection = spawn_mcp_connection(me, mcp, config);
      return behavior();
    });
    run();
  }

  /// Spawns the connection and goes through the handshake.
  void connect(const std::vector<std::string>& tools = {"echo"}) {
    open();
    shake_hands(*this, link(), tools);
  }

  fake_mcp::link& link() { return *mcp.links.back(); }

  void call(uint64_t number, const std::string& tool = "echo") {
    self->send(connection, server_call{number, tool, "{}"});
    run();
  }

  void receive(const std::string& message) {
    link().receive({message});
    run();
  }

  std::vector<std::string> tools() const {
    std::vector<std::string> names;
    for (const auto& each : status.offered->tools)
      names.push_back(each.name);
    return names;
  }

  mcp_server_config config; // hides the actor system's own
  fake_mcp mcp;
  mcp_hub_actor hub;
  mcp_connection_actor connection;
  server_status status; ///< the last report
  std::vector<server_status> reports;
  std::vector<server_outcome> outcomes;
  std::vector<server_progress> progress;
  std::vector<caf::error> ends;

private:
  mcp_hub_actor::behavior_type behavior() {
    return {
        [](const list_tools&) {},
        [](const call_tool&) {},
        [](const cancel_call&) {},
        [](atom::status) { return server_list{}; },
        [](atom::settled) { return atom::done_v; },
        [](atom::disconnect) { return atom::done_v; },
        [this](const server_status& now) {
          status = now;
          reports.push_back(now);
        },
        [this](const server_outcome& outcome) { outcomes.push_back(outcome); },
        [this](const server_progress& report) { progress.push_back(report); },
        [](atom::tick) {},
        [](atom::restart, const std::string&) {},
    };
  }
};

} // namespace troupe::test

// An mcp_hub with servers and callers that the test plays.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actors/mcp_hub.hpp"
#include "tests/actors/family.hpp"
#include "tests/actors/server_side.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

using strings = std::vector<std::string>;

/// What a caller of the hub has heard.
struct heard {
  std::vector<tool_snapshot> snapshots;
  std::vector<tool_outcome> outcomes;
  std::vector<tool_progress> progress;

  strings tools() const {
    strings names;
    for (const auto& each : snapshots.back().set->tools)
      names.push_back(each.name);
    return names;
  }
};

class some_servers : public deterministic {
public:
  ~some_servers() {
    for (auto& each : callers)
      crash(*this, each, caf::exit_reason::kill);
    crash(*this, parent);
  }

  void open(const strings& names) {
    mcp_hub_config settings{&mcp, {}};
    for (const auto& each : names) {
      mcp_server_config server;
      server.name = each;
      server.enabled = each != "disabled";
      settings.servers.push_back(server);
    }
    parent = make_parent(*this, ends, [this, settings](caf::local_actor& self_) {
      hub = spawn_mcp_hub(self_, settings);
    });
    run();
  }

  /// The newest link to a server.
  fake_mcp::link& link(const std::string& server) {
    std::shared_ptr<fake_mcp::link> found;
    for (const auto& each : mcp.links)
      if (each->config.name == server)
        found = each;
    REQUIRE(found);
    return *found;
  }

  tool_client_actor caller(heard& into) {
    auto made = sys.spawn([&into](tool_client_actor::pointer) -> tool_client_actor::behavior_type {
      return {[&into](const tool_snapshot& tools) { into.snapshots.push_back(tools); },
              [&into](const tool_outcome& outcome) { into.outcomes.push_back(outcome); },
              [&into](const tool_progress& report) { into.progress.push_back(report); }};
    });
    callers.push_back(made);
    return made;
  }

  void list(const tool_client_actor& by, const strings& servers = {}) {
    caf::send_as(by, hub, list_tools{"openai", !servers.empty(), servers});
    run();
  }

  void call(const tool_client_actor& by, const std::string& id, const std::string& server) {
    caf::send_as(by, hub, call_tool{id, server, "echo", "{}"});
    run();
  }

  uint64_t flows() { return ask<server_list>(hub, atom::status_v).active_flows; }

  server_status status(size_t index) {
    return ask<server_list>(hub, atom::status_v).servers.at(index);
  }

  /// Ends the connection of the newest link, as a defect would; the link keeps its handle.
  void crash_connection(const std::string& server) {
    mcp_inbound poison;
    poison.channel = link(server).number;
    poison.messages.emplace_back(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    link(server).fails = true;
    link(server).deliver(std::move(poison));
    run();
  }

  fake_mcp mcp;
  mcp_hub_actor hub;
  caf::actor parent;
  endings ends = std::make_shared<std::vector<caf::error>>();
  std::vector<tool_client_actor> callers;
};

} // namespace troupe::test

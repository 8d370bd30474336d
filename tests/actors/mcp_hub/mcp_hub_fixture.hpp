// An mcp_hub with servers, callers and watchers that the test plays.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/mcp_hub/mcp_hub.hpp"
#include "tests/actors/mcp_connection/server_answers.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

using strings = std::vector<std::string>;

/// What a caller of the hub has heard.
struct heard {
  std::vector<tool_snapshot> snapshots;
  std::vector<tool_outcome> outcomes;
  std::vector<tool_progress> progress;
  std::vector<client_ask> asks;

  strings tools() const {
    strings names;
    for (const auto& each : snapshots.back().set->tools)
      names.push_back(each.name);
    return names;
  }
};

/// What a watcher has heard.
struct watched {
  std::vector<mcp_event> events;

  strings kinds() const {
    strings found;
    for (const auto& each : events)
      found.push_back(each.kind);
    return found;
  }

  size_t count(const std::string& kind) const {
    auto all = kinds();
    return static_cast<size_t>(std::count(all.begin(), all.end(), kind));
  }

  const mcp_event& last(const std::string& kind) const {
    auto found = std::find_if(events.rbegin(), events.rend(),
                              [&](const auto& each) { return each.kind == kind; });
    REQUIRE(found != events.rend());
    return *found;
  }
};

inline mcp_server_config stdio_server(const std::string& name) {
  mcp_server_config server;
  server.name = name;
  server.type = "stdio";
  server.command = "true";
  server.enabled = name != "disabled";
  return server;
}

class mcp_hub_fixture : public deterministic {
public:
  ~mcp_hub_fixture() {
    for (auto& each : callers)
      crash(*this, each, caf::exit_reason::kill);
    crash(*this, parent);
  }

  void open(const strings& names) {
    for (const auto& each : names)
      settings.servers.push_back(stdio_server(each));
    open();
  }

  /// Spawns the hub with `settings`.
  void open() {
    settings.port = &mcp;
    parent = make_parent(*this, ends,
                         [this](caf::local_actor& self_) { hub = spawn_mcp_hub(self_, settings); });
    run();
  }

  /// Spawns the hub with these servers connected, each with a tool "echo".
  void open_connected(const strings& names) {
    open(names);
    for (const auto& each : names)
      shake_hands(*this, link(each), {"echo"});
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
              [&into](const tool_progress& report) { into.progress.push_back(report); },
              [&into](const client_ask& ask) { into.asks.push_back(ask); }};
    });
    callers.push_back(caf::actor_cast<caf::actor>(made));
    return made;
  }

  mcp_subscriber_actor watcher(watched& into, const watch_mcp& how = {}) {
    auto made =
        sys.spawn([&into](mcp_subscriber_actor::pointer) -> mcp_subscriber_actor::behavior_type {
          return {[&into](const mcp_event& news) { into.events.push_back(news); }};
        });
    callers.push_back(caf::actor_cast<caf::actor>(made));
    caf::send_as(made, hub, how);
    run();
    return made;
  }

  void list(const tool_client_actor& by, const strings& servers = {}) {
    caf::send_as(by, hub, list_tools{!servers.empty(), servers});
    run();
  }

  void call(const tool_client_actor& by, const std::string& id, const std::string& server) {
    caf::send_as(by, hub, call_tool{id, server, "echo", "{}"});
    run();
  }

  failure put(const mcp_server_config& server) { return ask<failure>(hub, put_server{server}); }

  failure change(const std::string& server, server_verb verb) {
    return ask<failure>(hub, change_server{server, verb});
  }

  uint64_t flows() { return ask<server_list>(hub, atom::status_v).active_flows; }

  server_status status(size_t index) {
    return ask<server_list>(hub, atom::status_v).servers.at(index);
  }

  /// The transport has closed the newest link of a server.
  void closed(const std::string& server) {
    link(server).signal(mcp_signal::closed);
    run();
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
  mcp_hub_config settings;
  mcp_hub_actor hub;
  caf::actor parent;
  endings ends = std::make_shared<std::vector<caf::error>>();
  std::vector<caf::actor> callers;
};

/// A request whose answer the test takes later. The actor that asks can be crashed.
template <class Answer>
struct pending_answer {
  std::vector<Answer> answers;
  std::vector<caf::error> errors;
  caf::actor asker;
};

/// Asks from an actor of its own.
template <class Answer, class Handle, class Question>
std::shared_ptr<pending_answer<Answer>> ask_later(mcp_hub_fixture& world, const Handle& whom,
                                                  Question question) {
  auto into = std::make_shared<pending_answer<Answer>>();
  into->asker = world.sys.spawn([into, whom, question](caf::event_based_actor* self) {
    self->request(whom, caf::infinite, question)
        .then([into](const Answer& answer) { into->answers.push_back(answer); },
              [into](const caf::error& error) { into->errors.push_back(error); });
    return caf::behavior{[](atom::done) {}};
  });
  world.callers.push_back(into->asker);
  world.run();
  return into;
}

} // namespace troupe::test

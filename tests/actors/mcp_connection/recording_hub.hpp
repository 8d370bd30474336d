// An mcp_hub that only writes down what its connection reports.
#pragma once

#include <string>
#include <vector>

#include "messages/interfaces/mcp_interfaces.hpp"

namespace troupe::test {

/// What a connection has told its hub.
struct hub_records {
  server_status status; ///< the last report
  std::vector<server_status> reports;
  std::vector<server_outcome> outcomes;
  std::vector<server_progress> progress;
  std::vector<server_ask> asks;
  std::vector<server_ask_over> asks_over;
  std::vector<mcp_event> events;

  std::vector<std::string> tools() const {
    std::vector<std::string> names;
    for (const auto& each : status.offered->tools)
      names.push_back(each.name);
    return names;
  }

  /// The diary of the last report, one line each.
  std::string diary() const {
    std::string text;
    for (const auto& each : status.log->lines)
      text += each.text + '\n';
    return text;
  }

  mcp_hub_for_connections::behavior_type recording() {
    return {
        [this](const mcp_event& event) { events.push_back(event); },
        [this](const server_status& now) {
          status = now;
          reports.push_back(now);
        },
        [this](const server_outcome& outcome) { outcomes.push_back(outcome); },
        [this](const server_progress& report) { progress.push_back(report); },
        [this](const server_ask& ask) { asks.push_back(ask); },
        [this](const server_ask_over& over) { asks_over.push_back(over); },
    };
  }
};

} // namespace troupe::test

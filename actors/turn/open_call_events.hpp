// The calls that a turn has left open in its events.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/skipped_call_texts.hpp"

namespace troupe {

/// Reads the events of a turn that was cut off, and closes the calls that they left open. Text
/// needs no closing: any other event ends it. Not thread safe.
class open_call_events {
public:
  void read(const std::vector<event>& events) {
    for (const auto& each : events)
      std::visit([this](const auto& what) { take(what); }, each);
  }

  /// Appends the events that close them, in the order of their ids.
  void close(std::vector<event>& out) const {
    constexpr auto code = errc::server_restarted;
    std::string text{user_text(code)};
    for (const auto& [id, start] : asked_)
      out.emplace_back(tool_args_complete{
          id, start.tool_name, {"\"\""}, start.client_side, code, text, {}, start.title});
    for (const auto& [id, start] : running_)
      out.emplace_back(
          mcp_tool_error{id, start.tool_name, start.server, code, std::string{restarted_text}});
  }

private:
  void take(const tool_args_start& e) { asked_[e.tool_call_id] = e; }
  void take(const tool_args_complete& e) { asked_.erase(e.tool_call_id); }
  void take(const mcp_tool_start& e) { running_[e.tool_call_id] = e; }
  void take(const mcp_tool_success& e) { running_.erase(e.tool_call_id); }
  void take(const mcp_tool_error& e) { running_.erase(e.tool_call_id); }

  template <class Other>
  void take(const Other&) {}

  std::map<std::string, tool_args_start> asked_;
  std::map<std::string, mcp_tool_start> running_;
};

} // namespace troupe

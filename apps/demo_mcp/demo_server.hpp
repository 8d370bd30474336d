// The demo MCP server: JSON-RPC lines in, JSON-RPC lines out, and calls that take their time.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/demo_mcp/demo_tools.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe::demo {

/// The server's own version.
inline constexpr std::string_view version = "0.1.0";

/// Speaks MCP (2024-11-05 to 2025-11-25), tools only. Does no I/O. Not thread safe.
class demo_server {
public:
  using clock = std::chrono::steady_clock;
  using sender = std::function<void(std::string_view)>;

  /// @param page tools per page of tools/list; 0 = all on one
  /// @param send takes one message, without a newline
  demo_server(size_t page, sender send);

  /// Handles one line: a message or a batch.
  void receive(std::string_view line, clock::time_point now);

  /// Returns when run_due() has something to do next, if ever.
  std::optional<clock::time_point> next_due() const;

  /// Sends what is due.
  void run_due(clock::time_point now);

private:
  /// A call that is not answered yet.
  struct running_call {
    std::string id;    ///< JSON text
    std::string token; ///< of its progress, JSON text; "" = none wanted
    tool_outcome outcome;
    uint64_t steps_done = 0;
    clock::time_point due;
  };

  void on(const jsonrpc::request& what, clock::time_point now);
  void on(const jsonrpc::notification& what);
  void on(const jsonrpc::malformed& what);
  void initialize(const jsonrpc::request& what);
  void list_tools(const jsonrpc::request& what);
  void call_tool(const jsonrpc::request& what, clock::time_point now);
  bool step(running_call& what, clock::time_point now);
  void refuse(const jsonrpc::request& what, int64_t code, std::string_view message);

  size_t page_;
  sender send_;
  bool is_initialized_ = false;
  std::vector<running_call> running_;
};

} // namespace troupe::demo

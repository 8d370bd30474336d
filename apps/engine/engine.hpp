// Troupe as a library: one object, turns with a callback or a range of events, MCP tools, an HTTP
// server.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/engine/config.hpp"
#include "apps/engine/event_range.hpp"
#include "messages/errors.hpp"
#include "messages/events.hpp"
#include "messages/turn_request.hpp"
#include "messages/types.hpp"
#include "messages/wire/mcp/tools_list.hpp"

namespace troupe {

/// A configured MCP server as it is now.
struct server_info {
  std::string name;
  std::string health; ///< "idle", "connecting", "success", "error"
  std::string phase;  ///< "Initializing", "Connected", ...
  std::string server_name;
  std::string server_version;
  std::string protocol_version;
  failure error; ///< the last one, while health is not "success"
  std::vector<mcp::tool> tools;
};

/// What a tool answered.
struct tool_result {
  failure error;    ///< tool_failed: the tool said so itself, with its text
  std::string text; ///< what a model would be told
  raw_json result;  ///< the MCP result object, if there was one
};

/// What an engine is doing.
struct engine_status {
  uint64_t sessions = 0;
  uint64_t running_turns = 0;
  uint64_t turns = 0;        ///< accepted since the start
  uint64_t connections = 0;  ///< of HTTP clients
  uint64_t active_flows = 0; ///< running MCP calls
};

/// The engine: actors, event loops, MCP servers. Members are for any thread but the engine's own (a
/// callback must not call them, abort() excepted). Construction throws std::invalid_argument on a
/// configuration that parse_config would refuse.
class engine {
public:
  /// Gets the events of a turn in order, the terminal one last; or one SESSION_ERROR when the turn
  /// was not accepted. Runs on an event loop and must not block.
  using event_callback = std::function<void(const event_batch&)>;

  explicit engine(engine_config config);

  /// Like shutdown() with no time for running turns.
  ~engine();

  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Starts a turn and returns at once.
  void start_turn(turn_request request, event_callback deliver);

  /// Starts a turn whose events are read with a range-for, at the reader's own pace. Leaving the
  /// range early aborts the turn.
  event_range stream(turn_request request);

  /// Stops the running turn of a session, if there is one. Any thread, also in a callback.
  void abort(const std::string& session_id, const std::string& reason = "stop");

  /// Serves HTTP. @param address "127.0.0.1:8080"; port 0 takes a free one
  failure listen(std::string_view address);

  /// Returns the port that listen() got, or 0.
  uint16_t port() const;

  /// Returns whether every MCP server is connected or has failed once, waiting at most so long.
  bool wait_for_servers(std::chrono::milliseconds limit);

  std::vector<server_info> servers();

  /// Calls a tool of an MCP server, outside of any turn. Blocks until it answers.
  /// @param arguments JSON text of an object
  tool_result call_tool(const std::string& server, const std::string& tool,
                        const std::string& arguments);

  engine_status status();

  /// Returns whether the model is the scripted one, because none was configured.
  bool uses_scripted_model() const;

  /// Refuses new turns, waits for the running ones, then aborts what is left (its events still go
  /// out), disconnects the MCP servers in their own order and closes the clients' connections.
  /// Idempotent. @param drain_limit for running turns
  void shutdown(std::chrono::milliseconds drain_limit);

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe

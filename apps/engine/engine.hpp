// Troupe as a library: one object, turns with a callback or a range of events, MCP tools, an HTTP
// server.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/engine/config.hpp"
#include "apps/engine/conversations.hpp"
#include "apps/engine/event_range.hpp"
#include "apps/engine/mcp_host.hpp"
#include "messages/chat/events.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Why an engine with a valid configuration cannot start, such as a data folder that another
/// process uses; what() is why().text().
class start_error : public std::runtime_error {
public:
  explicit start_error(failure why) : std::runtime_error{why.text()}, why_{std::move(why)} {}
  const failure& why() const noexcept { return why_; }

private:
  failure why_;
};

/// Figures of a running engine.
struct engine_status {
  uint64_t sessions = 0;
  uint64_t running_turns = 0;
  uint64_t turns = 0;        ///< accepted since the start
  uint64_t connections = 0;  ///< of HTTP clients
  uint64_t active_flows = 0; ///< running MCP calls
};

/// The engine: actors, event loops, MCP servers. Members are for any thread but the engine's own: a
/// callback may call only abort() and answer_approvals(). The constructor throws
/// std::invalid_argument if check_config() fails or an MCP server is not valid, and start_error if
/// the data folder cannot be used (store_locked, store_newer, ...) or descriptors are lacking.
/// Times above ten years count as ten.
class engine {
public:
  /// Gets the events of a turn in order, the terminal one last; or one SESSION_ERROR if the turn
  /// was not accepted. Runs on an event loop and must not block. A callback that throws is not
  /// called again: its turn is aborted as if the client had left, and the exception is logged.
  using event_callback = std::function<void(const event_batch&)>;

  explicit engine(engine_config config);

  /// Like shutdown() with no time for running turns.
  ~engine();

  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Starts a turn and returns at once. Throws std::invalid_argument if `deliver` is empty.
  void start_turn(turn_request request, event_callback deliver);

  /// Starts a turn whose events are read with a range-for, at the reader's own pace. Leaving the
  /// range early aborts the turn.
  event_range stream(turn_request request);

  /// Views the running turn, or the last one if it was resumable: first its past events, then live
  /// ones; turn_not_running without one. @param after_seq last number the reader has; 0: none
  event_range view(const std::string& session_id, uint64_t after_seq = 0);

  /// Stops the running turn of a session, if there is one. Any thread, also in a callback.
  void abort(const std::string& session_id, const std::string& reason = "stop");

  /// Answers the tool_approval_requests of a running turn; approvals with unknown ids are ignored.
  /// Any thread, also in a callback.
  void answer_approvals(const std::string& session_id, std::vector<tool_approval> approvals);

  /// Serves HTTP at one address. Fails with address_unavailable if the engine listens already,
  /// config_invalid if API keys are required without a data folder for them, shutting_down.
  /// @param address "127.0.0.1:8080"; port 0 takes a free one
  failure listen(std::string_view address);

  /// Returns the port that listen() got, or 0.
  uint16_t port() const;

  /// Returns whether every MCP server is connected or has failed once, waiting at most this long.
  bool wait_for_servers(std::chrono::milliseconds limit);

  /// The same, and whether their resources and prompts were listed, which comes after the tools.
  bool wait_for_lists(std::chrono::milliseconds limit);

  /// Returns the MCP side: servers, tools, resources, prompts. Lives as long as the engine.
  mcp_host& mcp();

  /// Returns the conversations that are kept. Lives as long as the engine.
  troupe::conversations& conversations();

  engine_status status();

  /// Returns whether the model is the scripted one, because none was configured.
  bool uses_scripted_model() const;

  /// Refuses new turns, waits for running turns and MCP calls, aborts the rest (their events still
  /// go out), disconnects the MCP servers in their own order, closes the clients' connections and
  /// commits the last writes. Returns when all is done, also if another thread began it; a call
  /// with a shorter limit hurries a shutdown that is under way. @param drain_limit for running
  /// turns and calls
  void shutdown(std::chrono::milliseconds drain_limit);

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe

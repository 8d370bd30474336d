// Bounds that operators set: of turns, and of the clients of the HTTP server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace troupe {

/// Which tool calls wait for the client's approval.
struct approval_policy {
  bool always = false;           ///< every call that the engine runs
  bool unless_read_only = false; ///< all but those of tools whose server says that they only read
  std::set<std::string> tools;   ///< else these: "SERVER/TOOL" or "SERVER/*"
  std::chrono::milliseconds timeout{5 * 60 * 1000}; ///< after it a call counts as denied

  /// Returns whether any call may have to wait.
  bool any() const noexcept { return always || unless_read_only || !tools.empty(); }
};

/// Bounds of one turn; zero means no limit.
struct turn_limits {
  uint32_t max_tool_roundtrips = 10; ///< unless the request sets it
  size_t max_tool_text_bytes =
      256 * 1024; ///< of one result for the model; a longer one is cut, with a note
  uint32_t max_calls_per_round = 64;        ///< further calls are refused with too_many_tool_calls
  uint32_t max_identical_calls = 3;         ///< rounds with the same call; further ones are refused
  uint64_t max_turn_tokens = 0;             ///< as the provider counts; then turn_limit_reached
  size_t max_turn_bytes = 32 * 1024 * 1024; ///< of text and arguments, and 64 for each piece
  std::chrono::milliseconds tool_timeout{600'000}; ///< of one call; after it tool_timeout
  approval_policy approval;
};

/// Bounds of all chats.
struct chat_limits {
  size_t max_sessions = 100'000; ///< at the limit the session that is idle longest is ended
  std::chrono::milliseconds session_idle{30 * 60 * 1000}; ///< then a session without a turn ends
  size_t max_waiting_turns = 16;                          ///< of one chat, after the running turn
  size_t max_log_bytes = 16 * 1024 * 1024;    ///< of a resumable turn's events; then it ends
  size_t max_hidden_bytes = 32 * 1024 * 1024; ///< of rounds of tools that clients do not have
};

/// Bounds of uploaded files.
struct file_limits {
  uint64_t max_file_bytes = 64 << 20;           ///< of one; else 413
  uint64_t max_owner_bytes = uint64_t{1} << 30; ///< of all of an owner; 0: no limit
  std::chrono::hours lifetime{30 * 24};         ///< if no kept chat uses the file; 0: no end
};

/// Limits of the HTTP server for its clients. Times are per connection.
struct server_limits {
  size_t max_connections = 10'000;        ///< of all shards; see docs/configuration.md
  size_t max_connections_per_address = 0; ///< of one client's address; 0: no limit
  size_t max_buffered_bytes = 0; ///< of clients, waiting in memory, in all; 0: as memory allows
  size_t max_header_bytes = 16 * 1024;              ///< request line and headers; else 431
  size_t max_body_bytes = 8 * 1024 * 1024;          ///< else 413; of one WebSocket message, too
  std::chrono::milliseconds header_timeout{10'000}; ///< from the first byte to the whole head
  std::chrono::milliseconds body_timeout{30'000};   ///< between two reads of the body
  std::chrono::milliseconds body_total{300'000}; ///< for a body, or one WebSocket message; else 408
  size_t least_body_rate = 1024; ///< bytes of a body per second, on average, after header_timeout
  std::chrono::milliseconds idle_timeout{75'000};  ///< between two requests
  std::chrono::milliseconds stall_timeout{60'000}; ///< bytes wait and the client takes too few
  std::chrono::milliseconds keep_alive{15'000}; ///< of silence, then http_response::keep_alive acts
  std::chrono::milliseconds websocket_ping{20'000};    ///< of silence, then the client is pinged
  std::chrono::milliseconds websocket_silence{60'000}; ///< nothing came, not even a pong: closed
  std::chrono::milliseconds websocket_close_timeout{5'000}; ///< for the client's close frame
  size_t high_water = 256 * 1024; ///< above so many waiting bytes write() returns false
  size_t low_water = 64 * 1024;   ///< at so many waiting bytes `drained` follows
};

} // namespace troupe

// The state that all exchanges of one MCP channel over HTTP share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "messages/http.hpp"
#include "messages/mcp/mcp_channel.hpp"
#include "messages/ports/ports.hpp"
#include "transport/loop/loop.hpp"
#include "transport/mcp/mcp_answer_reader.hpp"
#include "transport/mcp/mcp_refusal.hpp"
#include "transport/mcp/mcp_throttle.hpp"

namespace troupe {

class mcp_http_session;

/// A running exchange whose parts arrive on the channel's loop. Redirects that keep the method (307
/// and 308, RFC 9110, section 15.4) are followed within the same origin, at most three. The handler
/// gets the answer of any other redirect, with an absolute `location`. Destroying it cancels, also
/// from within the handler. Loop thread only, or any single thread after stop().
class mcp_http_call {
public:
  using handler = std::function<void(http_part&&)>;

  /// @param session must outlive the call
  mcp_http_call(mcp_http_session& session, http_request request, handler handle);
  ~mcp_http_call();
  mcp_http_call(const mcp_http_call&) = delete;
  mcp_http_call& operator=(const mcp_http_call&) = delete;

  /// Says how many messages a part brought. When the stream's allowance is used up, nothing more is
  /// read until it has recovered.
  void pace(const http_part& part, size_t messages);

private:
  struct route;
  std::shared_ptr<route> route_;
};

/// Bounds and patience of a channel over HTTP.
struct mcp_http_limits {
  size_t answer_bytes = 16 * 1024 * 1024;          ///< longest JSON body, longest event
  std::chrono::milliseconds retry{1000};           ///< to the resumption of a stream, by default
  std::chrono::milliseconds longest_retry{30'000}; ///< before the server's own stream is reopened
  int resumes = 5;                                 ///< of an answer, without any progress
  std::chrono::milliseconds linger{5000};          ///< from the response to the end of its stream
  std::chrono::milliseconds expiry{1000};   ///< for answers under way when the session is lost
  std::chrono::milliseconds farewell{5000}; ///< for the DELETE
  std::chrono::milliseconds check{3000};    ///< for a server to show that it knows the session
  mcp_flood_limits flood;                   ///< of each stream
};

/// The server's address, and the session and revision that were agreed on. Loop thread only.
class mcp_http_session {
public:
  mcp_http_session(loop& on, http_port& with, const mcp_server_config& server,
                   const mcp_http_limits& within)
      : home{on}, config{server}, limits{within}, http_{with} {}

  /// Returns a request with every header and deadline of the channel. Only connecting has a time
  /// limit.
  http_request request(std::string method, std::string accept) const;

  /// Starts an exchange.
  std::unique_ptr<mcp_http_call> open(http_request request, mcp_http_call::handler handle);

  /// Takes the session id that the server gave in its answer to initialize; ignores an invalid one.
  void join(const std::string& session_id);

  /// Returns whether there is a session that the server may forget.
  bool has_begun() const noexcept { return !id.empty() || (legacy && !version.empty()); }

  /// Returns a text for the operator: the session is lost.
  std::string describe_loss(const mcp_refusal& refusal) const;

  /// Returns a text for the operator: how the server refused `what`, and the remedy.
  /// @param why what else is known
  std::string describe_refusal(const mcp_answer_reader& answer, std::string_view what,
                               std::string_view why = {}) const;

  /// Returns the beginning of a server's text as one printable line. Servers echo our requests:
  /// values of our headers are left out.
  std::string quote(std::string_view text) const;

  http_port& port() noexcept { return http_; }
  uint64_t next_number() noexcept { return ++last_number_; }

  loop& home;
  mcp_server_config config; ///< `url` is the target of requests; with HTTP+SSE the server names it
  mcp_http_limits limits;
  std::string id;      ///< Mcp-Session-Id; empty if there is none
  std::string version; ///< negotiated revision; empty before initialize
  bool legacy = false; ///< HTTP+SSE, 2024-11-05: responses come on the one stream, never on POSTs

private:
  http_port& http_;
  uint64_t last_number_ = 0;
};

} // namespace troupe

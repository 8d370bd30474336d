// What all exchanges of one MCP channel over HTTP share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "messages/mcp.hpp"
#include "messages/ports.hpp"
#include "transport/loop.hpp"

namespace troupe {

/// Bounds and patience of a channel over HTTP.
struct mcp_http_limits {
  size_t answer_bytes = 16 * 1024 * 1024; ///< longest JSON body, longest event
  std::chrono::milliseconds retry{1000};  ///< before a stream is resumed, if the server is silent
  std::chrono::milliseconds longest_retry{30'000}; ///< before the server's own stream is reopened
  int resumes = 5;                                 ///< of an answer, without any progress
  std::chrono::milliseconds linger{5000};          ///< from the response to the end of its stream
  std::chrono::milliseconds farewell{5000};        ///< for the DELETE
};

/// A running exchange whose parts arrive on the channel's loop. Destroying it cancels it; that is
/// allowed while a part of it is being handled. Loop thread only, or any single thread after
/// stop().
class mcp_http_call {
public:
  using handler = std::function<void(http_part&&)>;

  mcp_http_call(loop& home, http_port& http, http_request request, uint64_t number, handler handle);
  mcp_http_call(const mcp_http_call&) = delete;
  mcp_http_call& operator=(const mcp_http_call&) = delete;

private:
  struct route {
    handler handle;
    bool opening = true;
  };

  std::shared_ptr<route> route_;
  std::unique_ptr<http_exchange> exchange_;
};

/// The server's address and what was agreed with it. Loop thread only.
class mcp_http_session {
public:
  mcp_http_session(loop& on, http_port& with, const mcp_server_config& server,
                   const mcp_http_limits& within)
      : home{on}, config{server}, limits{within}, http_{with} {}

  /// Returns a request with every header and deadline that belongs to the channel. Only the
  /// connection is limited in time.
  http_request request(std::string method, std::string accept) const;

  /// Starts an exchange.
  std::unique_ptr<mcp_http_call> open(http_request request, mcp_http_call::handler handle);

  /// Takes the session id that the server gave in its answer to initialize; ignores an invalid one.
  void join(const std::string& session_id);

  /// Returns whether an answer says that the server does not know our session any more. The
  /// specification says 404; servers also say it in words with 400, 401 and 503.
  bool is_lost(uint16_t status, std::string_view body) const;

  loop& home;
  mcp_server_config config;
  mcp_http_limits limits;
  std::string id;      ///< Mcp-Session-Id; empty if there is none
  std::string version; ///< negotiated revision; empty before initialize

private:
  http_port& http_;
  uint64_t last_number_ = 0;
};

} // namespace troupe

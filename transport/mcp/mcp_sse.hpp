// The one stream of HTTP+SSE, the transport of revision 2024-11-05.
//
//   GET --> event stream --> `endpoint` event --> messages --> over
//    |           |  (no endpoint in time)                       ^
//    +-----------+----------------------------------------------+
//
// Messages to the server are POSTs to the endpoint; all its messages come on this stream.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transport/loop/timer.hpp"
#include "transport/mcp/mcp_answer_reader.hpp"
#include "transport/mcp/mcp_http_session.hpp"

namespace troupe {

/// Gets the events of the stream. Loop thread. Must not destroy the stream before the call returns.
class mcp_sse_listener {
public:
  virtual ~mcp_sse_listener() = default;

  /// The server has named the URL of the POSTs. Once, before any message.
  /// @param url absolute, of the stream's own origin
  virtual void sse_ready(std::string url) = 0;

  /// Messages of one network read.
  virtual void sse_received(std::vector<std::string> messages) = 0;

  /// The stream is over. At most once: server_unavailable if the server does not speak HTTP+SSE or
  /// cannot be reached; server_lost if the stream ended; server_protocol if the endpoint has
  /// another origin or an event was too long.
  virtual void sse_ended(errc error, std::string text) = 0;
};

/// Opens the stream at `config.url`, which has `config.connect_timeout` to name its endpoint. Loop
/// thread only, or any single thread after stop(); destroying it closes the stream.
class mcp_sse {
public:
  mcp_sse(mcp_http_session& session, mcp_sse_listener& listener);
  mcp_sse(const mcp_sse&) = delete;
  mcp_sse& operator=(const mcp_sse&) = delete;

  void start();

private:
  void on_part(const http_part& part);
  void find_endpoint();
  void on_last(const http_part& part);
  void fail(errc error, std::string_view why);
  void end(errc error, std::string text);

  mcp_http_session& session_;
  mcp_sse_listener& listener_;
  mcp_answer_reader answer_;
  std::unique_ptr<mcp_http_call> call_;
  timer patience_;
  bool ready_ = false;
  bool over_ = false;
};

} // namespace troupe

// The stream on which a server sends messages of its own accord.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "transport/loop/timer.hpp"
#include "transport/mcp/mcp_answer_reader.hpp"
#include "transport/mcp/mcp_http_session.hpp"

namespace troupe {

/// Gets the events of the server's own stream. Loop thread.
class mcp_listen_listener {
public:
  virtual ~mcp_listen_listener() = default;

  /// Messages of one network read. The stream may not be destroyed before this returns.
  virtual void listen_received(std::vector<std::string> messages) = 0;

  /// The server does not know our session any more. At most once; may destroy the stream.
  virtual void listen_lost(std::string text) = 0;

  /// It sent a message that is too long. At most once; may destroy the stream.
  virtual void listen_broken(std::string text) = 0;

  /// The server could not be reached, several times in a row. The stream tries on; the call may
  /// destroy it.
  virtual void listen_unreachable(std::string text) = 0;
};

/// Keeps a GET stream open. When it ends it is reopened from the last event on, after the time that
/// the server asks for (`retry`). The delay grows while the server cannot be reached or, if it asks
/// for no time, while no messages come. A server that refuses the stream (405, any other 4xx, or an
/// answer that is no event stream) is not asked again; after an earlier success such a refusal may
/// mean that the session is lost. Loop thread only, or any single thread after stop(); destroying
/// it closes the stream.
class mcp_listen {
public:
  mcp_listen(mcp_http_session& session, mcp_listen_listener& listener);
  mcp_listen(const mcp_listen&) = delete;
  mcp_listen& operator=(const mcp_listen&) = delete;

  void start();

private:
  void on_part(const http_part& part);
  void on_last(const http_part& part);
  std::chrono::milliseconds next_delay() const;

  mcp_http_session& session_;
  mcp_listen_listener& listener_;
  mcp_answer_reader answer_;
  std::chrono::milliseconds delay_{0}; // before the next opening; 0 = none was needed yet
  int unreachable_ = 0;                // times in a row
  bool offered_ = false;               // the server took it at least once
  std::unique_ptr<mcp_http_call> call_;
  timer again_;
};

} // namespace troupe

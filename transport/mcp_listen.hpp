// The stream that a server may send messages on without being asked.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "transport/mcp_answer.hpp"
#include "transport/mcp_http_session.hpp"

namespace troupe {

/// Keeps a GET stream open: when it ends it is opened again from the last event on, after the time
/// the server asks for, and ever later while nothing comes. A server that refuses it (405, any
/// other 4xx, or an answer that is no event stream) is not asked again; one that took it before may
/// say that way that the session is lost. Loop thread only, or any single thread after stop();
/// destroying it closes the stream.
class mcp_listen {
public:
  using receiver = std::function<void(std::vector<std::string>)>;

  /// @param received gets the messages of one network read
  /// @param lost called at most once; may destroy this
  mcp_listen(mcp_http_session& session, receiver received, std::function<void()> lost);
  mcp_listen(const mcp_listen&) = delete;
  mcp_listen& operator=(const mcp_listen&) = delete;

  void start();

private:
  void on_part(const http_part& part);
  void on_last();

  mcp_http_session& session_;
  receiver received_;
  std::function<void()> lost_;
  mcp_answer answer_;
  std::chrono::milliseconds delay_{0}; // before the next opening; 0 = none was needed yet
  bool offered_ = false;               // the server took it at least once
  std::unique_ptr<mcp_http_call> call_;
  timer again_;
};

} // namespace troupe

// Asks a server whether it still knows our session.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "transport/loop/timer.hpp"
#include "transport/mcp/mcp_answer_reader.hpp"
#include "transport/mcp/mcp_http_session.hpp"
#include "transport/mcp/mcp_refusal.hpp"

namespace troupe {

/// A ping within the session. A server that refuses it in the same way as a request before it, or
/// in a way that shows the loss, has not looked at either. Any other answer, or none in time,
/// leaves that refusal what it is. Loop thread only, or any single thread after stop(); destroying
/// it cancels.
class mcp_session_check {
public:
  /// Called once; may destroy the check.
  using verdict = std::function<void(bool lost)>;

  /// @param doubted the refusal that may mean a lost session
  mcp_session_check(mcp_http_session& session, mcp_refusal doubted, verdict tell);
  mcp_session_check(const mcp_session_check&) = delete;
  mcp_session_check& operator=(const mcp_session_check&) = delete;

  void start();

  const mcp_refusal& doubted() const noexcept { return doubted_; }

private:
  void on_part(const http_part& part);
  void judge(const mcp_refusal& got);
  void end(bool lost);

  mcp_http_session& session_;
  mcp_refusal doubted_;
  verdict tell_;
  mcp_answer_reader answer_;
  std::unique_ptr<mcp_http_call> call_;
  timer patience_;
};

} // namespace troupe

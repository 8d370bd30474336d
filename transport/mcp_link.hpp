// What every transport of MCP messages has in common.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "messages/mcp.hpp"
#include "messages/ports.hpp"

namespace troupe {

/// One channel as its transport sees it. It lives on one loop; loop thread only, or any single
/// thread after stop(). Destroying it ends it at once and reports nothing; it is never destroyed
/// from within a report.
class mcp_link {
public:
  virtual ~mcp_link() = default;

  /// Begins to open; the first report follows, at once or later.
  virtual void start() = 0;

  /// Sends one message; what can not be sent is reported as failed.
  virtual void send(mcp_outbound message) = 0;

  /// Closes in the protocol's own order; ends with a report of `closed`.
  virtual void close() = 0;
};

/// Makes the reports of one channel: numbered, and none after `closed`. Loop thread only.
class mcp_reporter {
public:
  mcp_reporter(uint64_t channel, mcp_port::receiver deliver)
      : channel_{channel}, deliver_{std::move(deliver)} {}

  void opened() { report(mcp_signal::opened); }

  /// Does nothing without messages.
  void received(std::vector<std::string> messages) {
    if (!messages.empty())
      report(mcp_signal::received, 0, errc::none, {}, std::move(messages));
  }

  /// Does nothing for notifications and responses, which have the id 0.
  void failed(int64_t request_id, errc error, std::string text) {
    if (request_id != 0)
      report(mcp_signal::failed, request_id, error, std::move(text));
  }

  void closed(errc error, std::string text) {
    report(mcp_signal::closed, 0, error, std::move(text));
    closed_ = true;
  }

  bool is_closed() const noexcept { return closed_; }

private:
  void report(mcp_signal what, int64_t request_id = 0, errc error = errc::none,
              std::string text = {}, std::vector<std::string> messages = {}) {
    if (!closed_)
      deliver_({channel_, what, std::move(messages), request_id, error, std::move(text)});
  }

  uint64_t channel_;
  mcp_port::receiver deliver_;
  bool closed_ = false;
};

} // namespace troupe

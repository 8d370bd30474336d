// The common parts of all transports of MCP messages.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "messages/mcp/mcp_channel.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// One channel as its transport sees it. It lives on one loop; loop thread only, or any single
/// thread after stop(). Destroying it ends it at once and reports nothing; it is never destroyed
/// from within a report.
class mcp_link {
public:
  virtual ~mcp_link() = default;

  /// Begins to open; the first report follows, at once or later.
  virtual void start() = 0;

  /// Sends one message; a message that cannot be sent is reported as failed.
  virtual void send(mcp_outbound message) = 0;

  /// Closes in the protocol's own order; ends with a report of `closed`.
  virtual void close() = 0;

  /// Called when the owner drops the link; it gets no more reports. Returns whether the link ends
  /// by itself: then it lives until it reports `closed`, else it is destroyed.
  virtual bool leave() { return false; }
};

/// Makes the reports of one channel: numbered, and none after `closed`. Loop thread only.
class mcp_reporter {
public:
  mcp_reporter(uint64_t channel, mcp_port::receiver deliver)
      : channel_{channel}, deliver_{std::move(deliver)} {}

  void opened() { report(make(mcp_signal::opened)); }

  /// Does nothing without messages and noise. @param related our request on whose answer stream
  /// they came; 0 = unknown @param noise the beginning of a line that is no message
  void received(std::vector<std::string> messages, int64_t related = 0, std::string noise = {}) {
    if (messages.empty() && noise.empty())
      return;
    auto what = make(mcp_signal::received);
    what.messages = std::move(messages);
    what.related = related;
    what.noise = std::move(noise);
    report(std::move(what));
  }

  /// Does nothing for notifications and responses, which have the id 0.
  /// @param not_run the server has certainly not begun the request
  void failed(int64_t request_id, errc error, std::string text, bool not_run = false) {
    if (request_id == 0)
      return;
    auto what = make(mcp_signal::failed, error, std::move(text));
    what.request_id = request_id;
    what.not_run = not_run;
    report(std::move(what));
  }

  void closed(errc error, std::string text) {
    report(make(mcp_signal::closed, error, std::move(text)));
    closed_ = true;
  }

  bool is_closed() const noexcept { return closed_; }

private:
  mcp_inbound make(mcp_signal what, errc error = errc::none, std::string text = {}) const {
    mcp_inbound out;
    out.channel = channel_;
    out.signal = what;
    out.error = error;
    out.error_text = std::move(text);
    return out;
  }

  void report(mcp_inbound what) {
    if (!closed_)
      deliver_(std::move(what));
  }

  uint64_t channel_;
  mcp_port::receiver deliver_;
  bool closed_ = false;
};

} // namespace troupe

// One exchange of an MCP channel over HTTP: follows redirects and slows down floods.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "messages/http.hpp"

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

} // namespace troupe

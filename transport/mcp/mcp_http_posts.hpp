// The running POSTs of one MCP channel over HTTP.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "transport/mcp/mcp_post.hpp"

namespace troupe {

/// Owns the POSTs, all in parallel. Loop thread only, or any single thread after stop(). Destroying
/// it cancels them, which is not allowed from within one of them.
class mcp_http_posts {
public:
  /// @param session, listener must outlive this
  mcp_http_posts(mcp_http_session& session, mcp_post_listener& listener)
      : session_{session}, listener_{listener} {}

  void start(mcp_outbound message);

  /// The request needs no answer any more. Does nothing for 0 and for unknown requests.
  void settle(int64_t request_id);

  /// Removes a post that is over. It may be the caller, so it is destroyed later.
  void retire(mcp_post& post);

  /// Cancels all posts; one of them may be the caller.
  void drop();

  /// Returns the requests whose answers are still awaited, in their order.
  std::vector<int64_t> awaited() const;

  /// Returns whether another request than that of `post` is under way, and not about to be refused.
  bool run_beside(const mcp_post& post) const;

  bool empty() const noexcept { return posts_.empty(); }

private:
  mcp_http_session& session_;
  mcp_post_listener& listener_;
  std::list<std::unique_ptr<mcp_post>> posts_;
};

} // namespace troupe

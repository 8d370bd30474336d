#include "transport/mcp/mcp_http_posts.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void mcp_http_posts::start(mcp_outbound message) {
  posts_.push_back(std::make_unique<mcp_post>(session_, std::move(message), listener_));
  posts_.back()->start();
}

void mcp_http_posts::settle(int64_t request_id) {
  if (request_id == 0)
    return;
  for (const auto& each : posts_)
    if (each->request_id() == request_id)
      return each->settle();
}

void mcp_http_posts::retire(mcp_post& post) {
  for (auto each = posts_.begin(); each != posts_.end(); ++each)
    if (each->get() == &post) {
      session_.home.post([done = std::shared_ptr<mcp_post>{std::move(*each)}] {});
      posts_.erase(each);
      return;
    }
}

void mcp_http_posts::drop() {
  if (!posts_.empty())
    session_.home.post([done = std::make_shared<decltype(posts_)>(std::move(posts_))] {});
  posts_.clear();
}

std::vector<int64_t> mcp_http_posts::awaited() const {
  std::vector<int64_t> out;
  for (const auto& each : posts_)
    if (each->is_awaited())
      out.push_back(each->request_id());
  return out;
}

bool mcp_http_posts::run_beside(const mcp_post& post) const {
  return std::ranges::any_of(posts_, [&post](const auto& each) {
    return each.get() != &post && each->is_awaited() && !each->is_checking();
  });
}

} // namespace troupe

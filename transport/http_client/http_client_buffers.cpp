#include "transport/http_client/http_client_buffers.hpp"

namespace troupe {

namespace {

// libcurl allocates one byte more: the sum is a size that the allocator uses without waste.
constexpr long small_buffer = 2L * 1024 - 1;
constexpr long large_buffer = 16L * 1024 - 1;
constexpr int small_in_a_row = 8; // an MCP server has one URL for small and for large answers
constexpr size_t urls_kept = 256; // URLs are few, unless they contain data of the request

} // namespace

long http_client_buffers::size_for(const std::string& url) const {
  return bulky_.contains(url) ? large_buffer : small_buffer;
}

void http_client_buffers::learn(const std::string& url, bool in_bulk) {
  const auto known = bulky_.find(url);
  if (in_bulk) {
    if (known == bulky_.end() && bulky_.size() >= urls_kept)
      bulky_.clear();
    bulky_[url] = 0;
  } else if (known != bulky_.end() && ++known->second == small_in_a_row) {
    bulky_.erase(known);
  }
}

} // namespace troupe

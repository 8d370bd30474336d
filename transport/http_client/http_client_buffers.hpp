// How large libcurl's receive buffers are.
#pragma once

#include <string>
#include <unordered_map>

namespace troupe {

/// Every open exchange has a buffer. A model that answers token by token fills none, and thousands
/// of its answers may be open; an answer that is there at once should be taken in one read. So the
/// size follows the last answers from the same URL. Loop thread only.
class http_client_buffers {
public:
  /// Bytes between two looks that make an answer bulk.
  static constexpr size_t bulk = 1536;

  /// Returns the bytes for an exchange with this URL.
  long size_for(const std::string& url) const;

  /// Says how an answer came. @param in_bulk much at a time
  void learn(const std::string& url, bool in_bulk);

private:
  std::unordered_map<std::string, int> bulky_; // and small answers since the last in bulk
};

} // namespace troupe

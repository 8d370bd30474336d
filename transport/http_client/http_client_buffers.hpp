// The sizes of libcurl's receive buffers.
#pragma once

#include <string>
#include <unordered_map>

namespace troupe {

/// Chooses the receive buffer of each open exchange by the last answers from its URL. A model that
/// answers token by token needs a small one, and thousands of such answers may be open. An answer
/// that arrives at once should be taken in one read. Loop thread only.
class http_client_buffers {
public:
  /// An answer is bulk if more bytes than this arrive between two deliveries.
  static constexpr size_t bulk = 1536;

  /// Returns the bytes for an exchange with this URL.
  long size_for(const std::string& url) const;

  /// Says how an answer came. @param in_bulk much at a time
  void learn(const std::string& url, bool in_bulk);

private:
  std::unordered_map<std::string, int> bulky_; // number of small answers since the last bulk one
};

} // namespace troupe

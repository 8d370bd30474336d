// Messages of a server that cannot be read, or cannot be tied to a request as they should be.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

struct mcp_connection_state;

/// Ends the requests that such messages belong to, and tells of the others in the connection's log:
/// of the first ten of each channel. Owned by the connection.
class mcp_unread_messages {
public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit mcp_unread_messages(mcp_connection_state& connection) : connection_{connection} {}

  /// A channel is opened.
  void start();

  /// Takes a text, and why it cannot be read.
  void take(const jsonrpc::malformed& bad, std::string_view text);

  /// Returns the request that an answer is for; 0 = none. An error without an id that we could have
  /// given is for the request in whose answer it came, or for the only one in flight.
  int64_t request_of(const jsonrpc::response& answer);

  /// Returns why something that came at that time or later cannot be read; "" = all of it could be.
  std::string_view since(time_point when) const;

private:
  void note(std::string_view reason, std::string_view text);
  void fail(int64_t id, const std::string& reason);

  mcp_connection_state& connection_;
  std::string reason_; // of the last one
  time_point at_;
  uint32_t noted_ = 0; // of this channel
};

} // namespace troupe

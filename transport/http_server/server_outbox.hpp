// The outgoing bytes of one connection.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "transport/http_server/server_socket.hpp"

namespace troupe {

/// Collects the bytes of one loop iteration, so that they leave in one write, and watches whether
/// the client takes them. Loop thread only.
class server_outbox {
public:
  using clock = std::chrono::steady_clock;

  /// Returns whether the client leaves bytes behind.
  bool is_blocked() const { return blocked_; }

  /// Returns the buffer to append to. Only append.
  std::string& buffer();

  /// Returns the number of bytes that wait here; more bytes may be in the kernel.
  size_t pending() const { return bytes_.empty() ? 0 : bytes_.size() - sent_; }

  /// Returns when the client last took something worth the name.
  clock::time_point moved() const { return moved_; }

  /// Writes once, up to a piece, unless an earlier piece is still on its way; asks `to` to call
  /// back if more is left. Returns whether the connection is still usable.
  bool write_to(server_socket& to);

  /// Returns whether the client took less than 16 KiB in `limit` while bytes waited. Call it
  /// regularly: it compares with earlier calls.
  bool is_stalled(const server_socket& to, clock::time_point now, std::chrono::milliseconds limit);

private:
  std::string bytes_; // begins with head-room for the socket, unless it is empty
  size_t sent_ = 0;   // of bytes_
  uint64_t acknowledged_ = 0;
  clock::time_point moved_{};
  bool blocked_ = false; // the last write left something behind
};

} // namespace troupe

// The socket of one client, as libwebsockets carries it.
#pragma once

#include <cstddef>
#include <cstdint>

struct lws;

namespace troupe {

/// Wraps a libwebsockets connection in its raw role. Does not own it: libwebsockets tells the shard
/// when the connection is gone. Loop thread only; not from within another connection's callback.
class server_socket {
public:
  /// Bytes in front of the bytes given to write() that must be accessible.
  static const size_t head_room;

  /// The most bytes that one write takes.
  static constexpr size_t piece = 64 * 1024;

  explicit server_socket(lws* on = nullptr) : wsi_{on} {}

  explicit operator bool() const { return wsi_ != nullptr; }

  /// Hands over up to `piece` bytes; libwebsockets keeps the bytes that the kernel does not take at
  /// once. Only while !is_congested(). Returns whether the connection is still usable.
  bool write(char* bytes, size_t size);

  /// Returns whether bytes of an earlier write still wait for the kernel.
  bool is_congested() const;

  /// Asks for a touch() of its connection when the kernel takes more, once.
  void want_writable();

  /// Stops or resumes reading.
  void set_reading(bool on);

  /// Sends the end of our bytes; reading continues.
  void shut_down();

  /// Returns how many bytes the client has acknowledged so far.
  uint64_t acknowledged() const;

  /// Returns whether the client has closed its sending side, also when that has not been read yet.
  bool is_left() const;

  /// Returns whether the client is gone: it takes no bytes any more.
  bool is_gone() const;

  int descriptor() const;

  /// Makes the closing abortive: the client sees an error and no end of file.
  void close_abortively();

  /// Closes the connection; the callback for it runs before this returns.
  void close();

private:
  lws* wsi_;
};

} // namespace troupe

// Listening sockets: one per shard on the same port, and accepting from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "transport/descriptor.hpp"

namespace troupe {

class loop;

/// The sockets of one address, the kernel spreads connections over them.
struct listening_sockets {
  failure error; ///< config_invalid or address_unavailable; then there are no sockets
  std::vector<descriptor> sockets;
  uint16_t port = 0;
};

/// Opens `count` sockets that listen on `address`, "host:port" or "[v6]:port", and fails if any
/// other socket listens there, also one that would share the port. May block to look a name up; any
/// thread.
listening_sockets open_listening_sockets(std::string_view address, size_t count);

/// Returns whether only this machine can reach `address`; true for one that cannot be listened on.
/// May block to look a name up; any thread.
bool is_loopback(std::string_view address);

/// Accepts on one loop. Loop thread only; destroying it closes the socket.
class listener {
public:
  /// Gets a connected, non-blocking socket, which it must close, and the client's address.
  using acceptor = std::function<void(int socket, std::string peer)>;

  listener(loop& home, descriptor socket, acceptor accepted);
  ~listener();
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;

  /// Accepts what has connected: the end of the socket would reset it.
  void accept_waiting();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe

// Who reads the bytes of a client at present.
#pragma once

#include <memory>

#include "transport/http_server/server_socket.hpp"

namespace troupe {

class loop;
class server_connection;

/// Switches between the readers of a client's socket. libwebsockets closes a connection at the end
/// of the client's bytes. But a client may close its sending side and wait for its answer (RFC
/// 9112, 9.6): so while an answer runs, this class reads. It tells the connection with receive()
/// and input_ended(). Loop thread only.
class client_reading {
public:
  enum class reader : unsigned char { nobody, library, here };

  client_reading(loop& home, server_connection& to);
  ~client_reading();
  client_reading(const client_reading&) = delete;
  client_reading& operator=(const client_reading&) = delete;

  /// Has `who` read `socket` from now on. Nobody reads after input_ended() until the library does.
  void set(server_socket& socket, reader who);

  /// Stops. Call it before the socket is closed.
  void stop();

  reader now() const { return now_; }

private:
  struct watch;

  loop& home_;
  server_connection& to_;
  std::unique_ptr<watch> watch_; // since the first answer that took its time
  reader now_ = reader::library;
};

} // namespace troupe

#include "transport/http_server/client_reading.hpp"

#include <array>
#include <cerrno>
#include <new>
#include <string_view>

#include <ev.h>
#include <sys/socket.h>

#include "transport/http_server/server_connection.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

struct client_reading::watch {
  watch(loop& on, int from, server_connection& user);
  void read();
  void deliver(std::string_view bytes);

  loop& home;
  const int socket;
  server_connection& to;
  ev_io readable{};
};

client_reading::watch::watch(loop& on, int from, server_connection& user)
    : home{on}, socket{from}, to{user} {
  ev_io_init(
      &readable,
      [](struct ev_loop*, ev_io* watcher, int) { static_cast<watch*>(watcher->data)->read(); },
      socket, EV_READ);
  readable.data = this;
}

void client_reading::watch::read() {
  std::array<char, 16 * 1024> buffer;
  const auto size = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size > 0)
    return deliver({buffer.data(), static_cast<size_t>(size)});
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return;
  ev_io_stop(home.native(), &readable); // it stays readable: the loop would not sleep
  to.input_ended(size < 0);
}

void client_reading::watch::deliver(std::string_view bytes) {
  try {
    to.receive(bytes);
  } catch (const std::bad_alloc&) { // no exception may cross a C frame
    to.give_up();
  }
}

client_reading::client_reading(loop& home, server_connection& to) : home_{home}, to_{to} {}

client_reading::~client_reading() {
  stop();
}

void client_reading::stop() {
  if (watch_)
    ev_io_stop(home_.native(), &watch_->readable);
  now_ = reader::nobody;
}

void client_reading::set(server_socket& socket, reader who) {
  if (who == now_)
    return;
  if (now_ == reader::library)
    socket.set_reading(false);
  else if (now_ == reader::here)
    ev_io_stop(home_.native(), &watch_->readable);
  now_ = who;
  if (who == reader::library)
    return socket.set_reading(true);
  if (who == reader::nobody)
    return;
  if (!watch_)
    watch_ = std::make_unique<watch>(home_, socket.descriptor(), to_);
  ev_io_start(home_.native(), &watch_->readable);
}

} // namespace troupe

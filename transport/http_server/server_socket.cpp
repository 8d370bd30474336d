#include "transport/http_server/server_socket.hpp"

#include <libwebsockets.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace troupe {

const size_t server_socket::head_room = LWS_PRE;

bool server_socket::write(char* bytes, size_t size) {
  return lws_write(wsi_, reinterpret_cast<unsigned char*>(bytes), size, LWS_WRITE_RAW) >= 0;
}

bool server_socket::is_congested() const {
  return lws_partial_buffered(wsi_) != 0;
}

void server_socket::want_writable() {
  lws_callback_on_writable(wsi_);
}

void server_socket::set_reading(bool on) {
  lws_rx_flow_control(wsi_, on ? 1 : 0);
}

void server_socket::shut_down() {
  ::shutdown(lws_get_socket_fd(wsi_), SHUT_WR);
}

size_t server_socket::unacknowledged() const {
  int bytes = 0;
  return ::ioctl(lws_get_socket_fd(wsi_), SIOCOUTQ, &bytes) == 0 ? static_cast<size_t>(bytes) : 0;
}

bool server_socket::is_left() const {
  pollfd state{.fd = lws_get_socket_fd(wsi_), .events = POLLRDHUP, .revents = 0};
  return ::poll(&state, 1, 0) > 0;
}

void server_socket::close_abortively() {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(lws_get_socket_fd(wsi_), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void server_socket::close() {
  // Not LWS_TO_KILL_ASYNC: outside its own callbacks 4.1.6 does not arm libev's timer for it.
  lws_set_timeout(wsi_, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

} // namespace troupe

#include "transport/http_server/server_socket.hpp"

#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace troupe {

namespace {

/// The kernel's tcp_info up to tcpi_bytes_acked (Linux 4.1); glibc's ends before.
struct tcp_progress {
  tcp_info known;
  uint64_t pacing_rate;
  uint64_t max_pacing_rate;
  uint64_t bytes_acked;
};

static_assert(sizeof(tcp_info) == 104);

} // namespace

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
  ::shutdown(descriptor(), SHUT_WR);
}

int server_socket::descriptor() const {
  return lws_get_socket_fd(wsi_);
}

uint64_t server_socket::acknowledged() const {
  tcp_progress info{};
  socklen_t size = sizeof info;
  return ::getsockopt(descriptor(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.bytes_acked
                                                                              : 0;
}

bool server_socket::is_gone() const {
  pollfd state{.fd = descriptor(), .events = 0, .revents = 0};
  return ::poll(&state, 1, 0) > 0;
}

bool server_socket::is_left() const {
  pollfd state{.fd = descriptor(), .events = POLLRDHUP, .revents = 0};
  return ::poll(&state, 1, 0) > 0;
}

void server_socket::close_abortively() {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(descriptor(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void server_socket::close() {
  // Not LWS_TO_KILL_ASYNC: outside its own callbacks 4.1.6 does not arm libev's timer for it.
  lws_set_timeout(wsi_, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

} // namespace troupe

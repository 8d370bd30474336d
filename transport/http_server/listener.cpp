#include "transport/http_server/listener.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include <arpa/inet.h>
#include <ev.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

namespace {

constexpr int accepts_per_turn = 64;
constexpr auto pause_without_descriptors = std::chrono::milliseconds{100};

} // namespace

struct listener::impl {
  impl(loop& on, descriptor from, acceptor to);
  ~impl();

  void accept_some();
  bool accept_one();

  loop& home;
  descriptor socket;
  acceptor accepted;
  ev_io readable{};
  timer retry;
};

namespace {

std::string text_of(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> host{};
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &v6.sin6_addr, host.data(), host.size());
    return fmt::format("[{}]:{}", host.data(), ntohs(v6.sin6_port));
  }
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
  inet_ntop(AF_INET, &v4.sin_addr, host.data(), host.size());
  return fmt::format("{}:{}", host.data(), ntohs(v4.sin_port));
}

} // namespace

listener::impl::impl(loop& on, descriptor from, acceptor to)
    : home{on}, socket{std::move(from)}, accepted{std::move(to)}, retry{on, [this] {
                                                                          ev_io_start(home.native(),
                                                                                      &readable);
                                                                        }} {
  ev_io_init(
      &readable,
      [](struct ev_loop*, ev_io* watcher, int) {
        static_cast<impl*>(watcher->data)->accept_some();
      },
      socket.get(), EV_READ);
  readable.data = this;
  ev_io_start(home.native(), &readable);
}

listener::impl::~impl() {
  ev_io_stop(home.native(), &readable);
}

void listener::impl::accept_some() {
  for (int i = 0; i < accepts_per_turn && accept_one(); ++i) {
  }
}

bool listener::impl::accept_one() {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  const int client = ::accept4(socket.get(), reinterpret_cast<sockaddr*>(&peer), &size,
                               SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client >= 0) {
    accepted(client, text_of(peer));
    return true;
  }
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
    // The socket stays readable: without a pause the loop would spin.
    ev_io_stop(home.native(), &readable);
    retry.start(pause_without_descriptors);
    return false;
  }
  return errno == ECONNABORTED || errno == EINTR || errno == EPROTO;
}

listener::listener(loop& home, descriptor socket, acceptor accepted)
    : impl_{std::make_unique<impl>(home, std::move(socket), std::move(accepted))} {}

listener::~listener() = default;

void listener::accept_waiting() {
  while (impl_->accept_one()) {
  }
}

} // namespace troupe

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "transport/http_server/listener.hpp"

namespace troupe {

namespace {

constexpr int backlog = 1024;

/// Bound of unsent bytes in the kernel's queue; further bytes wait in the outbox, where they are
/// counted.
constexpr int unsent_limit = 128 * 1024;

struct endpoint {
  sockaddr_storage address{};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&address); }

  uint16_t& port() {
    return address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                         : reinterpret_cast<sockaddr_in&>(address).sin_port;
  }
};

failure malformed(std::string_view address) {
  return {
      errc::config_invalid,
      fmt::format("'{}' is not an address to listen on; write it as 127.0.0.1:8080 or [::1]:8080",
                  address)};
}

failure resolve(std::string_view address, endpoint& out) {
  const auto colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return malformed(address);
  auto host = address.substr(0, colon);
  const auto digits = address.substr(colon + 1);
  const auto end = digits.data() + digits.size();
  uint16_t port = 0;
  const auto [stop, error] = std::from_chars(digits.data(), end, port);
  if (digits.empty() || error != std::errc{} || stop != end)
    return malformed(address);
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string_view::npos)
    return malformed(address);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int code = ::getaddrinfo(std::string{host}.c_str(), nullptr, &hints, &found); code != 0)
    return {errc::address_unavailable,
            fmt::format("'{}' cannot be looked up: {}", host, ::gai_strerror(code))};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner{found, &::freeaddrinfo};
  const addrinfo* best = found;
  for (const auto* entry = found; entry != nullptr; entry = entry->ai_next)
    if (entry->ai_family == AF_INET) { // most clients take IPv4 for a name
      best = entry;
      break;
    }
  std::memcpy(&out.address, best->ai_addr, best->ai_addrlen);
  out.size = best->ai_addrlen;
  out.port() = htons(port);
  return {};
}

failure explain(std::string_view address, int code) {
  switch (code) {
  case EADDRINUSE:
    return {errc::address_unavailable,
            fmt::format("{} is already in use; choose another with --listen", address)};
  case EACCES:
    return {errc::address_unavailable,
            fmt::format("{} needs more rights than this user has; choose a port above 1023 with "
                        "--listen",
                        address)};
  case EADDRNOTAVAIL:
    return {
        errc::address_unavailable,
        fmt::format("{} is not an address of this machine; choose another with --listen", address)};
  default:
    return {errc::address_unavailable,
            fmt::format("{} cannot be listened on: {}", address, std::strerror(code))};
  }
}

bool set(int socket, int option) {
  const int on = 1;
  return ::setsockopt(socket, SOL_SOCKET, option, &on, sizeof on) == 0;
}

/// Sets options that accepted connections inherit.
void tune(int socket) {
  const auto set_tcp = [socket](int option, int value) {
    ::setsockopt(socket, IPPROTO_TCP, option, &value, sizeof value);
  };
  set_tcp(TCP_NODELAY, 1);
  set_tcp(TCP_NOTSENT_LOWAT, unsent_limit);
  set(socket, SO_KEEPALIVE); // finds a client whose machine died during a silent stream
  set_tcp(TCP_KEEPIDLE, 60);
  set_tcp(TCP_KEEPINTVL, 15);
  set_tcp(TCP_KEEPCNT, 4);
}

/// Opens the first socket without sharing, so that the kernel refuses a port with another listener.
/// Allows sharing only when this socket listens: at no moment can a second process take the port.
descriptor open_one(endpoint& at, bool first, int& code) {
  descriptor socket{::socket(at.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (socket)
    tune(socket.get());
  const bool ok =
      socket && set(socket.get(), SO_REUSEADDR) && (first || set(socket.get(), SO_REUSEPORT)) &&
      ::bind(socket.get(), at.get(), at.size) == 0 && ::listen(socket.get(), backlog) == 0 &&
      (!first || set(socket.get(), SO_REUSEPORT));
  code = ok ? 0 : errno;
  if (ok && first) {
    socklen_t size = sizeof at.address;
    ::getsockname(socket.get(), at.get(), &size); // port 0 has become a real one
  }
  return ok ? std::move(socket) : descriptor{};
}

} // namespace

bool is_loopback(std::string_view address) {
  endpoint at;
  if (resolve(address, at))
    return true;
  if (at.address.ss_family == AF_INET)
    return ntohl(reinterpret_cast<const sockaddr_in&>(at.address).sin_addr.s_addr) >> 24 == 127;
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(at.address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

listening_sockets open_listening_sockets(std::string_view address, size_t count) {
  listening_sockets out;
  endpoint at;
  out.error = resolve(address, at);
  for (size_t i = 0; i < count && !out.error; ++i) {
    int code = 0;
    if (auto socket = open_one(at, i == 0, code))
      out.sockets.push_back(std::move(socket));
    else
      out.error = explain(address, code);
  }
  if (out.error)
    out.sockets.clear();
  else
    out.port = ntohs(at.port());
  return out;
}

} // namespace troupe

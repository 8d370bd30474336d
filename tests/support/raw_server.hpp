// A TCP server for tests: one thread per connection, blocking sockets, every byte as the test wants
// it.
#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace troupe::test {

/// The server's end of one connection; for its handler only.
class raw_connection {
public:
  explicit raw_connection(int socket) : socket_{socket} {}

  /// Returns the next request, head and body (by content-length), or nothing when the peer has
  /// closed.
  std::optional<std::string> request() {
    for (;;) {
      if (const auto head = buffer_.find("\r\n\r\n"); head != std::string::npos) {
        const auto field = buffer_.substr(0, head).find("Content-Length: ");
        const size_t body = field == std::string::npos ? 0 : std::stoul(buffer_.substr(field + 16));
        if (buffer_.size() >= head + 4 + body) {
          auto whole = buffer_.substr(0, head + 4 + body);
          buffer_.erase(0, head + 4 + body);
          return whole;
        }
      }
      char bytes[4096];
      const auto got = ::recv(socket_, bytes, sizeof bytes, 0);
      if (got <= 0)
        return std::nullopt;
      buffer_.append(bytes, static_cast<size_t>(got));
    }
  }

  /// Returns the bytes that come next, at least one, or nothing when the peer has closed.
  std::optional<std::string> read() {
    if (!buffer_.empty())
      return std::exchange(buffer_, {});
    std::string bytes(64 * 1024, '\0');
    const auto got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (got <= 0)
      return std::nullopt;
    bytes.resize(static_cast<size_t>(got));
    return bytes;
  }

  /// Returns whether the peer's side took all of it.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0)
        return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  /// Sends at most `bytes`, until the peer has taken nothing for `quiet` ms. Returns how much it
  /// took.
  size_t send_until_blocked(std::string_view bytes, int quiet) {
    size_t total = 0;
    pollfd waiting{socket_, POLLOUT, 0};
    while (total < bytes.size() && ::poll(&waiting, 1, quiet) == 1) {
      const auto rest = bytes.substr(total);
      const auto sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN)
        break;
      total += sent > 0 ? static_cast<size_t>(sent) : 0;
    }
    return total;
  }

  /// Ends the connection in order, now.
  void end() const { ::shutdown(socket_, SHUT_RDWR); }

  /// Closes with a reset, not an orderly end, when the handler returns.
  void reset_at_end() const {
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }

private:
  int socket_;
  std::string buffer_;
};

/// Listens on a free loopback port until it dies; then every connection is shut down and joined.
class raw_server {
public:
  using handler = std::function<void(raw_connection&)>;

  explicit raw_server(handler serve) : serve_{std::move(serve)} {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(listener_, 1024);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread{[this] { accept_all(); }};
  }
  ~raw_server() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      std::lock_guard guard{mutex_};
      for (int each : open_)
        ::shutdown(each, SHUT_RDWR);
    }
    for (auto& each : threads_)
      each.join();
    ::close(listener_);
  }
  raw_server(const raw_server&) = delete;
  raw_server& operator=(const raw_server&) = delete;

  /// From now on no connection is taken.
  void refuse() const { ::shutdown(listener_, SHUT_RDWR); }

  std::string url(std::string_view path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string{path};
  }
  uint16_t port() const { return port_; }
  size_t accepted() const { return accepted_; }

private:
  void accept_all() {
    for (int socket; (socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      ++accepted_;
      std::lock_guard guard{mutex_};
      open_.push_back(socket);
      threads_.emplace_back([this, socket] {
        raw_connection connection{socket};
        serve_(connection);
        std::lock_guard inner{mutex_};
        std::erase(open_, socket);
        ::close(socket);
      });
    }
  }

  handler serve_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<size_t> accepted_{0};
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// Returns a complete answer with a content-length.
inline std::string plain_answer(std::string_view body, std::string_view fields = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + std::string{fields} +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string{body};
}

} // namespace troupe::test

// A server on a free port, a client that speaks in bytes, and places where threads meet.
#pragma once

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transport/http_server/http_server.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::test {

/// How long a test waits before it fails; never how long it has to take.
constexpr auto patience = std::chrono::seconds{20};

/// What one thread puts in, another takes out.
template <class T>
class mailbox {
public:
  void put(T value) {
    const std::lock_guard guard{mutex_};
    values_.push_back(std::move(value));
    changed_.notify_all();
  }

  T take() {
    std::unique_lock guard{mutex_};
    if (!changed_.wait_for(guard, patience, [&] { return !values_.empty(); }))
      throw std::runtime_error{"nothing came"};
    T out = std::move(values_.front());
    values_.pop_front();
    return out;
  }

  bool empty() const {
    const std::lock_guard guard{mutex_};
    return values_.empty();
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
};

/// A blocking TCP client. Reads give up after `patience`.
class raw_client {
public:
  explicit raw_client(uint16_t port, int receive_buffer = 0)
      : fd_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    if (receive_buffer > 0)
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
      throw std::runtime_error{"cannot connect"};
    // Only now: with a limit, the signal of a child that ended would break connect() off.
    const timeval limit{.tv_sec = patience.count(), .tv_usec = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  }
  raw_client(raw_client&& other) noexcept
      : fd_{std::exchange(other.fd_, -1)}, read_{std::move(other.read_)} {}
  ~raw_client() { close(); }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR)
        continue;
      if (sent <= 0)
        throw std::runtime_error{"cannot send"};
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }

  /// Reads up to and with `end`.
  std::string read_until(std::string_view end) {
    auto found = read_.find(end);
    while (found == std::string::npos) {
      if (!read_more())
        throw std::runtime_error{"closed before '" + std::string{end} + "' after: " + read_};
      found = read_.find(end);
    }
    return cut(found + end.size());
  }

  std::string read_bytes(size_t size) {
    while (read_.size() < size)
      if (!read_more())
        throw std::runtime_error{"closed after: " + read_};
    return cut(size);
  }

  /// Reads to the end of the connection, however it ends.
  std::string read_all() {
    while (read_more()) {
    }
    return cut(read_.size());
  }

  /// Returns whether the connection ended with a reset.
  bool was_reset() const { return reset_; }

  void half_close() { ::shutdown(fd_, SHUT_WR); }

  void close_with_reset() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }

  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

private:
  bool read_more() {
    char buffer[16384];
    auto size = ::recv(fd_, buffer, sizeof buffer, 0);
    while (size < 0 && errno == EINTR) // a child of the process ended
      size = ::recv(fd_, buffer, sizeof buffer, 0);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      throw std::runtime_error{"nothing to read after: " + read_};
    reset_ = size < 0;
    if (size > 0)
      read_.append(buffer, static_cast<size_t>(size));
    return size > 0;
  }

  std::string cut(size_t size) {
    auto out = read_.substr(0, size);
    read_.erase(0, size);
    return out;
  }

  int fd_;
  std::string read_;
  bool reset_ = false;
};

/// A request as its handler got it.
struct exchange {
  server_request request;
  std::shared_ptr<http_response> response;
};

/// A server whose requests wait in a mailbox, or go to a handler.
struct http_fixture {
  explicit http_fixture(server_limits limits = {}, request_handler handler = {},
                        size_t shard_count = 2)
      : loops{shard_count}, server{loops, limits, handler ? std::move(handler) : into_mailbox()} {
    if (const auto failed = server.listen("127.0.0.1:0"))
      throw std::runtime_error{failed.text()};
  }

  raw_client connect(int receive_buffer = 0) const {
    return raw_client{server.port(), receive_buffer};
  }

  request_handler into_mailbox() {
    return [this](server_request&& request, std::shared_ptr<http_response> response) {
      requests.put({std::move(request), std::move(response)});
    };
  }

  mailbox<exchange> requests;
  shards loops;
  http_server server;
};

/// A handler that answers with what it was asked.
inline request_handler echo() {
  return [](server_request&& request, std::shared_ptr<http_response> response) {
    response->send(200, {{"content-type", "text/plain"}},
                   request.method + " " + request.path + " " + request.body);
  };
}

/// Asks, and returns the answer with its signals going to a mailbox, streaming.
inline std::shared_ptr<http_response> open_stream(http_fixture& on, raw_client& client,
                                                  mailbox<response_signal>& signals) {
  client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  auto response = on.requests.take().response;
  response->watch([&signals](response_signal what) { signals.put(what); });
  response->start(200, {});
  response->write("first");
  client.read_until("first\r\n");
  return response;
}

/// Writes until the client's side is full. Returns how many bytes that took.
inline size_t fill(http_response& response) {
  const std::string block(16 * 1024, 'x');
  size_t written = 0;
  do
    written += block.size();
  while (response.write(block) && written < 1'000'000'000);
  return written;
}

} // namespace troupe::test

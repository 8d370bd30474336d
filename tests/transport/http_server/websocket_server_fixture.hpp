// A client of our server's WebSockets that speaks in bytes, and what the server is told of it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/transport/http_server/http_server_fixture.hpp"
#include "transport/websocket/websocket_frames.hpp"

namespace troupe::test {

constexpr websocket_mask client_mask{0x12, 0x34, 0x56, 0x78};

/// A request for a WebSocket; the key is that of RFC 6455, 1.3.
inline std::string handshake(std::string_view fields = "Sec-WebSocket-Protocol: troupe.v1\r\n",
                             std::string_view path = "/v1/ws") {
  return "GET " + std::string{path} +
         " HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         std::string{fields} + "\r\n";
}

inline std::string client_frame(std::string_view payload,
                                websocket_opcode what = websocket_opcode::text) {
  std::string out;
  append_frame(out, what, payload, &client_mask);
  return out;
}

inline std::string client_close(uint16_t status) {
  std::string out;
  append_close(out, status, {}, &client_mask);
  return out;
}

/// Blocking, as raw_client.
class websocket_client_side {
public:
  explicit websocket_client_side(raw_client tcp) : tcp_{std::move(tcp)} {}

  /// Asks; read_answer() follows when the server has had the chance to answer.
  void ask(std::string_view request = {}) {
    tcp_.send(request.empty() ? handshake() : std::string{request});
  }

  std::string read_answer() { return tcp_.read_until("\r\n\r\n"); }

  void send(std::string_view payload, websocket_opcode what = websocket_opcode::text) {
    tcp_.send(client_frame(payload, what));
  }

  /// Returns the next message; throws when the connection ends before.
  websocket_message next() {
    while (waiting_.empty()) {
      reader_.feed(read_frame(), waiting_);
      if (reader_.error() != 0)
        throw std::runtime_error{"the server " + std::string{reader_.error_text()}};
    }
    auto out = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return out;
  }

  std::string next_text() {
    auto message = next();
    if (message.what != websocket_opcode::text)
      throw std::runtime_error{"no text but " + std::to_string(static_cast<int>(message.what))};
    return std::move(message.payload);
  }

  /// Returns the status of the close frame that is next, with the reason behind it.
  std::string next_close() {
    auto message = next();
    if (message.what != websocket_opcode::close)
      throw std::runtime_error{"no close but " + message.payload};
    return std::to_string(message.status) + (message.payload.empty() ? "" : " ") + message.payload;
  }

  /// Returns what follows until the server closes.
  std::string rest() { return tcp_.read_all(); }

  raw_client& tcp() { return tcp_; }

private:
  std::string read_frame() {
    auto out = tcp_.read_bytes(2);
    const auto size = static_cast<unsigned char>(out[1]) & 0x7FU;
    size_t payload = size;
    if (size >= 126) {
      const auto wide = tcp_.read_bytes(size == 126 ? 2 : 8);
      payload = 0;
      for (const auto each : wide)
        payload = payload << 8 | static_cast<unsigned char>(each);
      out += wide;
    }
    return out + tcp_.read_bytes(payload);
  }

  raw_client tcp_;
  websocket_reader reader_{websocket_side::server, size_t{64} * 1024 * 1024};
  std::vector<websocket_message> waiting_;
};

/// A server whose first request becomes a WebSocket.
struct websocket_server_fixture {
  explicit websocket_server_fixture(server_limits limits = {}, size_t shard_count = 2)
      : on{limits, {}, shard_count} {}

  /// Connects and accepts. @param receive_buffer of the client's socket, 0 = the usual
  websocket_client_side open(int receive_buffer = 0) {
    websocket_client_side client{on.connect(receive_buffer)};
    client.ask();
    auto [request, response] = on.requests.take();
    socket = response->upgrade(request, "troupe.v1");
    watch();
    client.read_answer();
    return client;
  }

  void watch() {
    socket->watch([this](websocket_inbound&& what) { inbox.put(std::move(what)); });
  }

  std::string next_text() {
    auto got = inbox.take();
    return got.what == websocket_inbound::kind::text ? got.text : "no text";
  }

  /// Returns the code that `closed` tells, or 0 when something else is next.
  uint16_t next_closed() {
    auto got = inbox.take();
    return got.what == websocket_inbound::kind::closed ? got.code : uint16_t{0};
  }

  mailbox<websocket_inbound> inbox;
  http_fixture on;
  std::unique_ptr<websocket> socket;
};

} // namespace troupe::test

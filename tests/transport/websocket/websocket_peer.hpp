// The server's end of a WebSocket for tests, on a connection of raw_server.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/raw_server.hpp"
#include "transport/websocket/websocket_frames.hpp"
#include "transport/websocket/websocket_handshake.hpp"

namespace troupe::test {

/// Blocking; for the handler of one connection.
class websocket_peer {
public:
  explicit websocket_peer(raw_connection& connection) : connection_{connection} {}

  /// Reads the handshake without answering it.
  std::string read_handshake() {
    handshake = connection_.request().value_or("");
    return handshake;
  }

  /// Returns the answer to the handshake that was read.
  std::string answer(std::string_view fields = "Sec-WebSocket-Protocol: mcp\r\n") const {
    const std::string name = "Sec-WebSocket-Key: ";
    const auto at = handshake.find(name) + name.size();
    const auto key = handshake.substr(at, handshake.find("\r\n", at) - at);
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Accept: " +
           websocket_accept(key) + "\r\n" + std::string{fields} + "\r\n";
  }

  bool accept() {
    read_handshake();
    return connection_.send(answer());
  }

  /// Returns the next message, or nothing when the client is gone or broke the protocol.
  std::optional<websocket_message> next() {
    while (waiting_.empty()) {
      const auto bytes = connection_.read();
      if (!bytes)
        return std::nullopt;
      std::vector<websocket_message> got;
      reader_.feed(*bytes, got);
      for (auto& each : got)
        waiting_.push_back(std::move(each));
      if (reader_.error() != 0)
        return std::nullopt;
    }
    auto out = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return out;
  }

  /// Returns the next text; answers nothing that comes before it.
  std::string next_text() {
    for (auto message = next(); message; message = next())
      if (message->what == websocket_opcode::text)
        return message->payload;
    return {};
  }

  /// Waits for the client's close frame and returns its status, or 0 if there was none.
  uint16_t next_close() {
    for (auto message = next(); message; message = next())
      if (message->what == websocket_opcode::close)
        return message->status;
    return 0;
  }

  bool send(std::string_view text, websocket_opcode what = websocket_opcode::text) {
    std::string bytes;
    append_frame(bytes, what, text, nullptr);
    return connection_.send(bytes);
  }

  bool send_close(uint16_t status, std::string_view reason = {}) {
    std::string bytes;
    append_close(bytes, status, reason, nullptr);
    return connection_.send(bytes);
  }

  std::string handshake;

private:
  raw_connection& connection_;
  websocket_reader reader_{websocket_side::client, size_t{64} * 1024 * 1024};
  std::vector<websocket_message> waiting_;
};

} // namespace troupe::test

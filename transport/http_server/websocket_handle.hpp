// A client's WebSocket, as its user holds it: calls from any thread reach the connection on its
// loop, in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "messages/ports/websocket_port.hpp"
#include "transport/http_server/client_link.hpp"

namespace troupe {

class server_websocket;

/// The state that the WebSocket on its connection and the handle share. Outlives both. It is the
/// only way from the handle to the connection: when the WebSocket is over, `socket` is null.
struct websocket_link : client_link {
  using client_link::client_link;

  // loop thread only
  server_websocket* socket = nullptr;
  std::function<void(websocket_inbound&&)> receiver;
  uint16_t end_code = 0; ///< not 0: it is over and no receiver was told

  /// Tells the receiver. Loop thread only; the receiver may call back, and throw.
  void tell(websocket_inbound&& what);

  /// Ends the link; `closed` follows. Loop thread only.
  void end(uint16_t code);
};

/// The handle of a client's WebSocket. Any thread.
class websocket_handle final : public websocket {
public:
  explicit websocket_handle(std::shared_ptr<websocket_link> link) : link_{std::move(link)} {}
  ~websocket_handle() override;

  void watch(std::function<void(websocket_inbound&&)> receiver) override;
  bool send(std::string_view text) override;
  void close(uint16_t code, std::string_view reason) override;

private:
  std::shared_ptr<websocket_link> link_;
};

} // namespace troupe

// The answer to one request, as its handler holds it: calls from any thread reach the connection
// on its loop, in order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "messages/ports/ports.hpp"
#include "transport/http_server/buffer_budget.hpp"
#include "transport/http_server/client_link.hpp"

namespace troupe {

class server_connection;

/// The state that a connection and the handle of its present answer share. Outlives both. It is the
/// only way from the handle to the connection: when the answer is over, `connection` is null.
struct response_link : client_link {
  response_link(loop& on, server_connection& to, size_t high, size_t low,
                std::shared_ptr<const buffer_payers> who)
      : client_link{on, high, low}, payers{std::move(who)}, connection{&to} {}

  const std::shared_ptr<const buffer_payers> payers; ///< of what waits for the client; any thread

  // loop thread only
  server_connection* connection;
  std::function<void(response_signal)> watcher;
  bool gone = false; ///< the client left before the end and no watcher was told

  /// Tells the watcher. Loop thread only; the watcher may call back.
  void signal(response_signal what);

  /// Ends the link. Loop thread only. @param client_left before the end of the answer: sends `gone`
  void end(bool client_left);

  /// Sends `drained` if it is due. Loop thread only.
  void check_drained();
};

/// The handle. Any thread.
class server_response final : public http_response {
public:
  explicit server_response(std::shared_ptr<response_link> link) : link_{std::move(link)} {}
  ~server_response() override;

  void watch(std::function<void(response_signal)> watcher) override;
  void send(uint16_t status, const headers& extra, std::string body) override;
  void start(uint16_t status, const headers& extra) override;
  void send_now() override;
  bool write(std::string_view bytes) override;
  void finish() override;
  void reset() override;
  void keep_alive(std::string_view comment) override;
  size_t room() const override { return link_->payers->room(); }
  std::unique_ptr<websocket> upgrade(const server_request& request,
                                     std::string_view protocol) override;

private:
  std::shared_ptr<response_link> link_;
  std::atomic<bool> ended_{false}; // spares the destructor a call to the loop
};

} // namespace troupe

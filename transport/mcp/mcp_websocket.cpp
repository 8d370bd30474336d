#include "transport/mcp/mcp_websocket.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "transport/loop/rest_timer.hpp"

namespace troupe {

namespace {

class websocket_link final : public mcp_link, websocket_listener {
public:
  websocket_link(loop& home, const mcp_server_config& config, mcp_reporter reports,
                 const mcp_websocket_limits& limits)
      : name_{config.name}, target_{config.url, "mcp", config.http_headers, config.proxy,
                                    connect_limit(config)},
        reports_{std::move(reports)}, queue_bytes_{limits.queue_bytes}, throttle_{limits.flood},
        rest_{home, [this] { socket_.set_reading(true); }}, socket_{home, listener(),
                                                                    limits.socket} {}

  void start() override { socket_.start(target_); }

  void send(mcp_outbound message) override {
    if (!open_)
      return fail(message, "is not connected");
    if (socket_.queued() + message.json.size() > queue_bytes_)
      return fail(message, "does not read its input");
    if (message.request_id != 0)
      throttle_.expect_answer();
    socket_.send(message.json);
  }

  void close() override {
    rest_.stop();
    socket_.close();
  }

  bool leave() override {
    close();
    return open_;
  }

private:
  websocket_listener& listener() { return *this; }

  void websocket_opened() override {
    open_ = true;
    reports_.opened();
  }

  void websocket_received(websocket_batch batch) override {
    const auto rest = throttle_.take(batch.frames, batch.bytes, mcp_throttle::clock::now());
    if (rest.count() > 0) {
      socket_.set_reading(false);
      rest_.start(rest);
    }
    for (auto& each : batch.texts)
      remove_byte_order_mark(each);
    reports_.received(std::move(batch.texts));
  }

  void websocket_ended(failure why) override {
    open_ = false;
    rest_.stop();
    if (why)
      reports_.closed(why.code, describe(why.message));
    else
      reports_.closed(errc::none, {});
  }

  void fail(const mcp_outbound& message, std::string_view what) {
    reports_.failed(message.request_id, errc::server_unavailable, describe(what), true);
  }

  std::string describe(std::string_view what) const {
    return fmt::format("MCP server '{}' {}", name_, what);
  }

  std::string name_;
  websocket_target target_;
  mcp_reporter reports_;
  size_t queue_bytes_;
  mcp_throttle throttle_;
  bool open_ = false;
  rest_timer rest_; // from a flood
  websocket_client socket_;
};

} // namespace

std::shared_ptr<mcp_link> make_mcp_websocket(loop& home, const mcp_server_config& config,
                                             mcp_reporter reports,
                                             const mcp_websocket_limits& limits) {
  return std::make_shared<websocket_link>(home, config, std::move(reports), limits);
}

} // namespace troupe

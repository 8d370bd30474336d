// A channel over a WebSocket to a server that the test writes.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "tests/transport/mcp/fake_http.hpp"
#include "tests/transport/mcp/mcp_inbox.hpp"
#include "tests/transport/websocket/websocket_peer.hpp"
#include "transport/mcp/mcp_channels.hpp"

namespace troupe::test {

inline mcp_server_config websocket_config(std::string url) {
  mcp_server_config out;
  out.name = "tester";
  out.type = "websocket";
  out.url = std::move(url);
  return out;
}

inline std::string websocket_url(const raw_server& server, std::string_view path = "/mcp") {
  return "ws://127.0.0.1:" + std::to_string(server.port()) + std::string{path};
}

inline mcp_outbound websocket_request(int64_t id, std::string json) {
  mcp_outbound out;
  out.json = std::move(json);
  out.method = "tools/call";
  out.request_id = id;
  return out;
}

/// One channel, with its loop.
struct websocket_fixture {
  void open(const mcp_server_config& config, const mcp_websocket_limits& limits = {}) {
    mcp_channel_limits all;
    all.websocket = limits;
    channels = std::make_unique<mcp_channels>(loops, http, all);
    channel = channels->open(config, 42, inbox.receiver());
  }

  void open(const raw_server& server, const mcp_websocket_limits& limits = {}) {
    open(websocket_config(websocket_url(server)), limits);
  }

  mcp_inbound closed() { return inbox.next(mcp_signal::closed); }

  shards loops{1};
  fake_http http;
  mcp_inbox inbox;
  std::unique_ptr<mcp_channels> channels;
  std::unique_ptr<mcp_channel> channel;
};

/// Something that a server's thread tells the test once; the test waits 20 s for it.
template <class T>
class told {
public:
  void tell(T what) { promise_.set_value(std::move(what)); }
  T wait() {
    const bool in_time = future_.wait_for(std::chrono::seconds{20}) == std::future_status::ready;
    REQUIRE(in_time);
    return future_.get();
  }

private:
  std::promise<T> promise_;
  std::future<T> future_ = promise_.get_future();
};

} // namespace troupe::test

// A channel over HTTP whose server is the test.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/transport/mcp/fake_http.hpp"
#include "tests/transport/mcp/mcp_inbox.hpp"
#include "transport/mcp/mcp_channels.hpp"

namespace troupe::test {

inline const std::string json_type = "application/json";
inline const std::string sse_type = "text/event-stream";

inline std::string response(int64_t id) {
  return "{\"result\":{},\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + "}";
}

inline std::string sse(std::string_view id, std::string_view data) {
  return "id: " + std::string{id} + "\ndata: " + std::string{data} + "\n\n";
}

inline mcp_outbound request(int64_t id, std::string version = "2025-11-25") {
  return {"{\"id\":" + std::to_string(id) + ",\"method\":\"tools/call\"}", "tools/call", id,
          std::move(version)};
}

inline mcp_outbound notification(std::string method, std::string json = "{}") {
  return {std::move(json), std::move(method), 0, "2025-11-25"};
}

/// One channel; its exchanges and reports are the test's.
struct mcp_http_fixture {
  explicit mcp_http_fixture(mcp_http_limits limits = quick(), std::string type = "http") {
    mcp_server_config config;
    config.name = "web";
    config.type = std::move(type);
    config.url = "http://127.0.0.1:1/mcp";
    config.http_headers = {{"Authorization", "Bearer secret"}};
    config.proxy = "http://127.0.0.1:3128";
    config.connect_timeout = std::chrono::milliseconds{1234};
    channels = std::make_unique<mcp_channels>(loops, http, mcp_channel_limits{{}, limits});
    channel = channels->open(config, 9, inbox.receiver());
    if (config.type == "http")
      inbox.next(mcp_signal::opened);
  }

  static mcp_http_limits quick() {
    mcp_http_limits out;
    out.retry = std::chrono::milliseconds{1};
    out.longest_retry = std::chrono::milliseconds{2};
    out.check = std::chrono::hours{1};
    return out;
  }

  /// Does the handshake; afterwards there is a session "s1", and the server's own stream is open.
  std::unique_ptr<fake_exchange> connect() {
    channel->send({"{\"id\":1,\"method\":\"initialize\"}", "initialize", 1, {}});
    http.next("POST")->answer(200, json_type, response(1), "s1");
    inbox.next(mcp_signal::received);
    channel->send(notification("notifications/initialized"));
    http.next("POST")->answer(202, {}, {});
    return http.next("GET");
  }

  shards loops{1};
  fake_http http;
  mcp_inbox inbox;
  std::unique_ptr<mcp_channels> channels;
  std::unique_ptr<mcp_channel> channel;
};

} // namespace troupe::test

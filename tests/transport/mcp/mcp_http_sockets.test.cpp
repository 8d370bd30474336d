// MCP over HTTP through real sockets: what only shows there.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/support/raw_server.hpp"
#include "tests/transport/mcp/mcp_http_fixture.hpp"
#include "transport/http_client/http_client.hpp"

namespace mcp_http_sockets_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view stream_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

std::string answer(std::string_view status, std::string_view body = {},
                   std::string_view fields = {}) {
  return "HTTP/1.1 " + std::string{status} + "\r\n" + std::string{fields} +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string{body};
}

std::string json_answer(std::string_view body, std::string_view fields = {}) {
  return answer("200 OK", body, "Content-Type: application/json\r\n" + std::string{fields});
}

/// Channels over the real client.
struct socket_fixture {
  std::unique_ptr<mcp_channel> open(const mcp_server_config& config, mcp_inbox& into,
                                    const mcp_http_limits& limits = {}) {
    channels = std::make_unique<mcp_channels>(loops, client, mcp_channel_limits{{}, limits});
    return channels->open(config, 1, into.receiver());
  }

  shards loops{1};
  http_client client{loops};
  mcp_inbox inbox; // outlives the channels
  std::unique_ptr<mcp_channels> channels;
};

mcp_server_config server_at(std::string url, std::string type = "http") {
  mcp_server_config out;
  out.name = "web";
  out.type = std::move(type);
  out.url = std::move(url);
  return out;
}

/// Answers as a server of one session would, and notes the request lines.
class session_server {
public:
  void serve(raw_connection& peer) {
    while (const auto request = peer.request()) {
      const auto line = request->substr(0, request->find("\r\n"));
      {
        std::lock_guard guard{mutex_};
        lines_.push_back(line);
        changed_.notify_all();
      }
      if (!peer.send(reply(line, *request)))
        return;
    }
  }

  /// Waits until each of these has come, in any order.
  void wait_for(const std::vector<std::string>& wanted) {
    std::unique_lock guard{mutex_};
    const bool in_time = changed_.wait_for(guard, 20s, [&] {
      return std::ranges::all_of(
          wanted, [&](const auto& each) { return std::ranges::count(lines_, each) > 0; });
    });
    CHECK(in_time);
  }

private:
  static std::string reply(const std::string& line, const std::string& request) {
    if (line.starts_with("GET"))
      return answer("405 Method Not Allowed");
    if (line.starts_with("DELETE"))
      return answer("200 OK");
    if (request.find("initialize\"") != request.npos)
      return json_answer(response(1), "Mcp-Session-Id: s1\r\n");
    if (request.find("\"id\":2") != request.npos)
      return json_answer(response(2));
    return answer("202 Accepted");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

void shake_hands(mcp_channel& channel, mcp_inbox& inbox) {
  inbox.next(mcp_signal::opened);
  channel.send({R"({"id":1,"method":"initialize"})", "initialize", 1, {}});
  CHECK(inbox.messages(1).front() == response(1));
  channel.send(notification("notifications/initialized"));
  channel.send(request(2));
  CHECK(inbox.messages(1).front() == response(2));
}

} // namespace

TEST_CASE("http: a channel works through a forward proxy", "[transport][mcp_http_sockets]") {
  session_server peer;
  raw_server proxy{[&](raw_connection& connection) { peer.serve(connection); }};
  socket_fixture test;
  auto config = server_at("http://mcp.invalid/mcp"); // only the proxy can tell where that is
  config.proxy = proxy.url("");
  const auto channel = test.open(config, test.inbox);
  shake_hands(*channel, test.inbox);
  peer.wait_for({"POST http://mcp.invalid/mcp HTTP/1.1", "GET http://mcp.invalid/mcp HTTP/1.1"});
  channel->close();
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
  peer.wait_for({"DELETE http://mcp.invalid/mcp HTTP/1.1"});
}

TEST_CASE("http: a proxy that is not there is told, and nothing was run",
          "[transport][mcp_http_sockets]") {
  socket_fixture test;
  auto config = server_at("http://mcp.invalid/mcp");
  {
    raw_server gone{[](raw_connection&) {}};
    config.proxy = gone.url("");
  }
  const auto channel = test.open(config, test.inbox);
  test.inbox.next(mcp_signal::opened);
  channel->send(request(2));
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_unavailable);
  CHECK(failed.not_run);
}

TEST_CASE("sse: a channel works through a forward proxy", "[transport][mcp_http_sockets]") {
  std::mutex mutex;
  std::condition_variable changed;
  raw_connection* stream = nullptr;
  raw_server proxy{[&](raw_connection& peer) {
    while (const auto got = peer.request()) {
      std::unique_lock guard{mutex};
      if (got->starts_with("GET http://mcp.invalid/sse ")) {
        peer.send(std::string{stream_head} + "event: endpoint\ndata: /messages?s=1\n\n");
        stream = &peer;
        changed.notify_all();
      } else if (got->starts_with("POST http://mcp.invalid/messages?s=1 ")) {
        peer.send(answer("202 Accepted", "Accepted"));
        stream->send("event: message\ndata: " + response(2) + "\n\n");
      }
    }
  }};
  socket_fixture test;
  auto config = server_at("http://mcp.invalid/sse", "sse");
  config.proxy = proxy.url("");
  const auto channel = test.open(config, test.inbox);
  test.inbox.next(mcp_signal::opened);
  channel->send(request(2));
  CHECK(test.inbox.messages(1).front() == response(2));
}

TEST_CASE("http: destroying a channel without close still deletes its session",
          "[transport][mcp_http_sockets]") {
  session_server peer;
  raw_server server{[&](raw_connection& connection) { peer.serve(connection); }};
  socket_fixture test;
  auto channel = test.open(server_at(server.url("/mcp")), test.inbox);
  shake_hands(*channel, test.inbox);
  channel.reset();
  peer.wait_for({"DELETE /mcp HTTP/1.1"});
  CHECK(test.inbox.empty());
}

TEST_CASE("http: an event stream that ends without the response fails the request",
          "[transport][mcp_http_sockets]") {
  raw_server server{[](raw_connection& peer) {
    peer.request();
    peer.send(stream_head);
    peer.send("data: {\"method\":\"notifications/progress\"}\n\n");
  }};
  socket_fixture test;
  const auto channel = test.open(server_at(server.url("/mcp")), test.inbox);
  test.inbox.next(mcp_signal::opened);
  channel->send(request(2));
  CHECK(test.inbox.next(mcp_signal::received).related == 2);
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_lost);
  CHECK_FALSE(failed.not_run);
}

TEST_CASE("http: a redirect is followed with method and body", "[transport][mcp_http_sockets]") {
  raw_server server{[](raw_connection& peer) {
    while (const auto got = peer.request()) {
      const auto body = got->substr(got->find("\r\n\r\n") + 4);
      if (got->starts_with("POST /mcp "))
        peer.send(answer("307 Temporary Redirect", "moved", "Location: /mcp/\r\n"));
      else if (got->starts_with("POST /mcp/ ") && body == request(2).json)
        peer.send(json_answer(response(2)));
    }
  }};
  socket_fixture test;
  const auto channel = test.open(server_at(server.url("/mcp")), test.inbox);
  test.inbox.next(mcp_signal::opened);
  channel->send(request(2));
  CHECK(test.inbox.messages(1).front() == response(2));
  CHECK(server.accepted() == 1); // over the same connection
}

TEST_CASE("http: an answer without end takes a bounded part of it, and others go on",
          "[transport][mcp_http_sockets]") {
  std::atomic<size_t> taken{0};
  raw_server server{[&](raw_connection& peer) {
    const std::string piece(1024 * 1024, ' ');
    while (const auto got = peer.request())
      if (got->find("\"id\":2") == got->npos) {
        peer.send(json_answer(response(3)));
      } else {
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
        for (int i = 0; i < 100 && peer.send(piece); ++i)
          taken += piece.size();
        return;
      }
  }};
  socket_fixture test;
  const auto channel = test.open(server_at(server.url("/mcp")), test.inbox);
  test.inbox.next(mcp_signal::opened);
  channel->send(request(2));
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_protocol);
  CHECK(failed.request_id == 2);
  channel->send(request(3));
  CHECK(test.inbox.messages(1).front() == response(3));
  CHECK(taken < 40 * 1024 * 1024); // 16 MiB, and what the kernel holds
}

TEST_CASE("http: a stream that floods is left in the server's hands, and others go on",
          "[transport][mcp_http_sockets]") {
  std::atomic<size_t> taken{0};
  raw_server server{[&](raw_connection& peer) {
    const auto got = peer.request();
    if (got && got->find("\"id\":2") == got->npos) {
      peer.send(json_answer(response(3)));
      return;
    }
    std::string flood;
    while (flood.size() < 64 * 1024 * 1024)
      flood += "data: {\"method\":\"notifications/message\"}\n\n";
    peer.send(stream_head);
    taken = peer.send_until_blocked(flood, 100);
  }};
  socket_fixture test;
  mcp_http_limits limits;
  limits.flood = {
      .messages_per_second = 10, .message_burst = 1000, .bytes_per_second = 1e9, .byte_burst = 1e9};
  const auto channel = test.open(server_at(server.url("/mcp")), test.inbox, limits);
  test.inbox.next(mcp_signal::opened);
  channel->send(request(2));
  const auto flooded = test.inbox.messages(1000).size();
  channel->send(request(3));
  size_t more = 0;
  for (bool answered = false; !answered;)
    for (const auto& each : test.inbox.next(mcp_signal::received).messages)
      if (each == response(3))
        answered = true;
      else
        ++more;
  CHECK(flooded + more < 100'000);
  const auto limit = std::chrono::steady_clock::now() + 20s;
  while (taken == 0 && std::chrono::steady_clock::now() < limit)
    std::this_thread::yield();
  CHECK(taken > 0);
  CHECK(taken < 20 * 1024 * 1024); // what the kernel holds
}

} // namespace mcp_http_sockets_test

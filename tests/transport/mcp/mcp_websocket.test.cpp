#include "transport/mcp/mcp_websocket.hpp"

#include "tests/transport/mcp/mcp_websocket_fixture.hpp"

namespace mcp_websocket_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("websocket: messages go out and come back one per text", "[transport][mcp_websocket]") {
  told<std::string> handshake;
  raw_server server{[&](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    handshake.tell(peer.handshake);
    for (auto text = peer.next_text(); !text.empty(); text = peer.next_text())
      peer.send(text);
  }};
  websocket_fixture test;
  auto config = websocket_config(websocket_url(server, "/mcp?a=1"));
  config.http_headers = {{"Authorization", "Bearer secret"}};
  test.open(config);
  CHECK(test.inbox.next(mcp_signal::opened).channel == 42);
  CHECK_THAT(handshake.wait(), Catch::StartsWith("GET /mcp?a=1 HTTP/1.1\r\n") &&
                                   Catch::Contains("\r\nSec-WebSocket-Protocol: mcp\r\n") &&
                                   Catch::Contains("\r\nAuthorization: Bearer secret\r\n"));
  const std::string large = "{\"x\":\"" + std::string(3'000'000, 'y') + "\"}";
  test.channel->send(websocket_request(1, "{\"id\":1}"));
  test.channel->send(websocket_request(2, large));
  test.channel->send(websocket_request(3, "{\"id\":3}"));
  CHECK((test.inbox.messages(3) == std::vector<std::string>{"{\"id\":1}", large, "{\"id\":3}"}));
}

TEST_CASE("websocket: what comes with the handshake is received, all of one read at once",
          "[transport][mcp_websocket]") {
  raw_server server{[](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.read_handshake();
    std::string bytes = peer.answer("");
    append_frame(bytes, websocket_opcode::text, "{\"id\":1}", nullptr);
    append_frame(bytes, websocket_opcode::text, "{\"id\":2}", nullptr);
    connection.send(bytes);
    peer.next();
  }};
  websocket_fixture test;
  test.open(server);
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.next(mcp_signal::received).messages ==
        std::vector<std::string>{"{\"id\":1}", "{\"id\":2}"});
}

TEST_CASE("websocket: a byte order mark in front of a message is left out, inside it stays",
          "[transport][mcp_websocket]") {
  raw_server server{[](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    peer.send("\xEF\xBB\xBF{\"id\":1}");
    peer.send("{\"a\":\"\xEF\xBB\xBF\"}");
    peer.next();
  }};
  websocket_fixture test;
  test.open(server);
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.messages(2) ==
        std::vector<std::string>{"{\"id\":1}", "{\"a\":\"\xEF\xBB\xBF\"}"});
}

TEST_CASE("websocket: a ping between the fragments of a message is answered",
          "[transport][mcp_websocket]") {
  told<std::string> pong;
  raw_server server{[&](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    connection.send(std::string_view{"\x01\x04{\"id", 6});
    peer.send("hello", websocket_opcode::ping);
    const auto answer = peer.next();
    pong.tell(answer && answer->what == websocket_opcode::pong ? answer->payload : "none");
    connection.send(std::string_view{"\x80\x04\":1}", 6});
    peer.next();
  }};
  websocket_fixture test;
  test.open(server);
  test.inbox.next(mcp_signal::opened);
  CHECK(pong.wait() == "hello");
  CHECK(test.inbox.messages(1).front() == "{\"id\":1}");
}

TEST_CASE("websocket: closing sends status 1000 and ends when the server has answered",
          "[transport][mcp_websocket]") {
  told<uint16_t> status;
  raw_server server{[&](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    status.tell(peer.next_close());
    peer.send_close(1000);
    peer.next();
  }};
  websocket_fixture test;
  test.open(server, {.socket = {.close_grace = 19s}});
  test.inbox.next(mcp_signal::opened);
  test.channel->send(websocket_request(1, "{}"));
  test.channel->close();
  CHECK(status.wait() == 1000);
  CHECK(test.closed().error == errc::none);
}

TEST_CASE("websocket: closing ends without the server's answer too", "[transport][mcp_websocket]") {
  raw_server server{[](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    peer.next_close();
    peer.next();
  }};
  websocket_fixture test;
  test.open(server, {.socket = {.close_grace = 20ms}});
  test.inbox.next(mcp_signal::opened);
  test.channel->close();
  CHECK(test.closed().error == errc::none);
}

TEST_CASE("websocket: a channel that is dropped says goodbye", "[transport][mcp_websocket]") {
  told<uint16_t> status;
  raw_server server{[&](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    status.tell(peer.next_close());
  }};
  websocket_fixture test;
  test.open(server);
  test.inbox.next(mcp_signal::opened);
  test.channel.reset();
  CHECK(status.wait() == 1000);
}

TEST_CASE("websocket: the server's pongs keep it open, their lack ends it",
          "[transport][mcp_websocket]") {
  std::atomic<int> pings{0};
  raw_server server{[&](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    for (auto message = peer.next(); message; message = peer.next())
      if (message->what == websocket_opcode::ping && ++pings < 5)
        peer.send(message->payload, websocket_opcode::pong);
  }};
  websocket_fixture test;
  test.open(server, {.socket = {.ping_interval = 1ms, .pong_deadline = 700ms, .close_grace = 1s}});
  test.inbox.next(mcp_signal::opened);
  const auto closed = test.closed();
  CHECK(pings == 5);
  CHECK(closed.error == errc::server_lost);
  CHECK(closed.error_text == "MCP server 'tester' did not answer a ping within 700 ms");
}

TEST_CASE("websocket: a proxy is asked to connect", "[transport][mcp_websocket]") {
  told<std::string> asked;
  raw_server proxy{[&](raw_connection& connection) {
    asked.tell(connection.request().value_or(""));
    connection.send("HTTP/1.1 200 Connection established\r\n\r\n");
    websocket_peer peer{connection}; // the way leads to a server in the proxy
    peer.accept();
    peer.send("{}");
    peer.next();
  }};
  websocket_fixture test;
  auto config = websocket_config("ws://mcp.invalid/");
  config.proxy = proxy.url();
  test.open(config);
  CHECK_THAT(asked.wait(), Catch::StartsWith("CONNECT mcp.invalid:80 HTTP/1.1\r\n"));
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.messages(1).front() == "{}");
}

} // namespace mcp_websocket_test

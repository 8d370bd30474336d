// What servers do wrong over a WebSocket, and how it ends.
#include "tests/transport/mcp/mcp_websocket_fixture.hpp"

namespace mcp_websocket_faults_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Accepts, sends `bytes`, and reads until the client is gone.
raw_server::handler says(std::string bytes, told<uint16_t>& status) {
  return [bytes = std::move(bytes), &status](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.accept();
    connection.send(bytes);
    status.tell(peer.next_close());
  };
}

raw_server::handler answers(std::string handshake) {
  return [handshake = std::move(handshake)](raw_connection& connection) {
    connection.request();
    connection.send(handshake);
    connection.read();
  };
}

} // namespace

TEST_CASE("websocket: a refused handshake tells the HTTP status", "[transport][mcp_websocket]") {
  raw_server server{answers("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")};
  websocket_fixture test;
  test.open(server);
  const auto closed = test.closed();
  CHECK(closed.error == errc::server_unavailable);
  CHECK_THAT(closed.error_text,
             Catch::StartsWith("MCP server 'tester' refused the WebSocket handshake with HTTP "
                               "status 403 Forbidden"));
}

TEST_CASE("websocket: the answer to another handshake is refused", "[transport][mcp_websocket]") {
  raw_server server{answers("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")};
  websocket_fixture test;
  test.open(server);
  CHECK(test.closed().error == errc::server_protocol);
}

TEST_CASE("websocket: a handshake without an end is refused", "[transport][mcp_websocket]") {
  raw_server server{answers("HTTP/1.1 101 X\r\nX: " + std::string(100'000, 'x'))};
  websocket_fixture test;
  test.open(server);
  CHECK(test.closed().error == errc::server_protocol);
}

TEST_CASE("websocket: another subprotocol than the offered one is refused",
          "[transport][mcp_websocket]") {
  raw_server server{[](raw_connection& connection) {
    websocket_peer peer{connection};
    peer.read_handshake();
    connection.send(peer.answer("Sec-WebSocket-Protocol: chat\r\n"));
    peer.next();
  }};
  websocket_fixture test;
  test.open(server);
  const auto closed = test.closed();
  CHECK(closed.error == errc::server_protocol);
  CHECK_THAT(closed.error_text, Catch::Contains("'chat' instead of 'mcp'"));
}

TEST_CASE("websocket: a handshake that is not answered ends in time",
          "[transport][mcp_websocket]") {
  raw_server server{[](raw_connection& connection) {
    connection.request();
    connection.read();
  }};
  websocket_fixture test;
  auto config = websocket_config(websocket_url(server));
  config.connect_timeout = 30ms;
  test.open(config);
  const auto closed = test.closed();
  CHECK(closed.error == errc::server_unavailable);
  CHECK(closed.error_text == "MCP server 'tester' did not open the WebSocket within 30 ms");
}

TEST_CASE("websocket: closing while the handshake is under way is orderly",
          "[transport][mcp_websocket]") {
  told<bool> asked;
  raw_server server{[&](raw_connection& connection) {
    connection.request();
    asked.tell(true);
    connection.read();
  }};
  websocket_fixture test;
  test.open(server);
  asked.wait();
  test.channel->close();
  CHECK(test.closed().error == errc::none);
}

TEST_CASE("websocket: a port that nobody listens on is unavailable", "[transport][mcp_websocket]") {
  auto config = websocket_config("ws://127.0.0.1:1/");
  websocket_fixture test;
  test.open(config);
  const auto closed = test.closed();
  CHECK(closed.error == errc::server_unavailable);
  CHECK_THAT(closed.error_text, Catch::StartsWith("MCP server 'tester' cannot be reached: "));
}

TEST_CASE("websocket: a wrong URL or header is the configuration's fault",
          "[transport][mcp_websocket]") {
  auto config = websocket_config("http://127.0.0.1:1/");
  if (GENERATE(false, true)) {
    config.url = "ws://127.0.0.1:1/";
    config.http_headers = {{"Upgrade", "no"}};
  }
  websocket_fixture test;
  test.open(config);
  CHECK(test.closed().error == errc::config_invalid);
}

TEST_CASE("websocket: a server that closes is lost, with its status and reason",
          "[transport][mcp_websocket]") {
  std::string bytes;
  append_frame(bytes, websocket_opcode::text, "{}", nullptr);
  append_close(bytes, 1001, "restarting", nullptr);
  told<uint16_t> status;
  raw_server server{says(bytes, status)};
  websocket_fixture test;
  test.open(server);
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.messages(1).front() == "{}");
  const auto closed = test.closed();
  CHECK(closed.error == errc::server_lost);
  CHECK(closed.error_text ==
        "MCP server 'tester' closed the WebSocket with status 1001: restarting");
  CHECK(status.wait() == 1001);
}

TEST_CASE("websocket: a connection that breaks is lost", "[transport][mcp_websocket]") {
  const bool reset = GENERATE(false, true);
  raw_server server{[reset](raw_connection& connection) {
    websocket_peer{connection}.accept();
    websocket_peer{connection}.next_text();
    connection.send(std::string_view{"\x81\x05{\"", 4});
    if (reset)
      connection.reset_at_end();
  }};
  websocket_fixture test;
  test.open(server);
  test.inbox.next(mcp_signal::opened);
  test.channel->send(websocket_request(1, "{}"));
  CHECK(test.closed().error == errc::server_lost);
}

TEST_CASE("websocket: what breaks the protocol ends with the status that says so",
          "[transport][mcp_websocket]") {
  const auto [bytes, expected] = GENERATE(table<std::string, uint16_t>({
      {std::string{"\x81\x7E\x03\xE9", 4}, websocket_status::too_large},
      {std::string{"\x81\x01\xFF", 3}, websocket_status::not_utf8},
      {std::string{"\x82\x01x", 3}, websocket_status::unsupported_data},
      {std::string{"\x81\x80\0\0\0\0", 6}, websocket_status::protocol_error},
  }));
  told<uint16_t> status;
  raw_server server{says(bytes, status)};
  websocket_fixture test;
  test.open(server, {.socket = {.message_bytes = 1000}});
  test.inbox.next(mcp_signal::opened);
  CHECK(test.closed().error == errc::server_protocol);
  CHECK(status.wait() == expected);
}

TEST_CASE("websocket: a server that does not read fails requests and can be closed",
          "[transport][mcp_websocket]") {
  told<bool> over;
  raw_server server{[&](raw_connection& connection) {
    websocket_peer{connection}.accept();
    over.wait();
  }};
  websocket_fixture test;
  test.open(server, {.socket = {.close_grace = 10ms}, .queue_bytes = size_t{16} * 1024 * 1024});
  test.inbox.next(mcp_signal::opened);
  for (int64_t id = 1; id <= 40; ++id)
    test.channel->send(websocket_request(id, "{\"x\":\"" + std::string(1'000'000, 'y') + "\"}"));
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id > 16);
  CHECK(failed.error == errc::server_unavailable);
  CHECK(failed.not_run);
  test.channel->close();
  auto last = test.inbox.next();
  while (last.signal == mcp_signal::failed)
    last = test.inbox.next();
  CHECK(last.signal == mcp_signal::closed);
  CHECK(last.error == errc::none);
  over.tell(true);
}

TEST_CASE("websocket: a flood is not read faster than its allowance",
          "[transport][mcp_websocket]") {
  told<size_t> taken;
  raw_server server{[&](raw_connection& connection) {
    websocket_peer{connection}.accept();
    std::string flood;
    while (flood.size() < size_t{64} * 1024 * 1024)
      append_frame(flood, websocket_opcode::text, "{\"method\":\"x\"}", nullptr);
    taken.tell(connection.send_until_blocked(flood, 300));
    connection.read();
  }};
  websocket_fixture test;
  test.open(server, {.socket = {.close_grace = 10ms},
                     .flood = {.messages_per_second = 0.001, .message_burst = 10}});
  test.inbox.next(mcp_signal::opened);
  CHECK(taken.wait() < size_t{32} * 1024 * 1024); // the kernel's buffers
  CHECK(test.inbox.next(mcp_signal::received).messages.size() <= 65536 / 16 + 1);
  CHECK(test.inbox.empty());
  test.channel->close();
  auto last = test.inbox.next();
  while (last.signal == mcp_signal::received)
    last = test.inbox.next();
  CHECK(last.signal == mcp_signal::closed);
}

} // namespace mcp_websocket_faults_test

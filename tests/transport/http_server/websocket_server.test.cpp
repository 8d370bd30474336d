// WebSockets of our server, byte by byte.
#include "tests/support/catch.hpp"
#include "tests/transport/http_server/websocket_server_fixture.hpp"

namespace websocket_server_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const std::string accept_line = "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";

bool holds(const std::string& text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

/// Asks, lets the server upgrade, and returns the head of the answer.
std::string answer_to(const std::string& request, std::string_view protocol = "troupe.v1") {
  http_fixture on{{}, [protocol](server_request&& asked, std::shared_ptr<http_response> response) {
                    auto socket = response->upgrade(asked, protocol);
                  }};
  auto client = on.connect();
  client.send(request);
  return client.read_until("\r\n\r\n");
}

std::string without(std::string request, std::string_view line) {
  request.erase(request.find(line), line.size());
  return request;
}

} // namespace

TEST_CASE("a handshake is answered with its key and the subprotocol that was offered",
          "[transport][websocket]") {
  const auto head = answer_to(handshake("Sec-WebSocket-Protocol: other, troupe.v1\r\n"
                                        "Sec-WebSocket-Extensions: permessage-deflate\r\n"));
  CHECK(head.starts_with("HTTP/1.1 101 Switching Protocols\r\n"));
  CHECK(holds(head, accept_line));
  CHECK(holds(head, "sec-websocket-protocol: troupe.v1\r\n"));
  CHECK(holds(head, "upgrade: websocket\r\n"));
  CHECK(holds(head, "connection: Upgrade\r\n"));
  CHECK_FALSE(holds(head, "extensions"));
  CHECK_FALSE(holds(head, "content-length"));
}

TEST_CASE("a subprotocol that was not offered is not selected", "[transport][websocket]") {
  CHECK_FALSE(holds(answer_to(handshake("")), "sec-websocket-protocol"));
  CHECK_FALSE(holds(answer_to(handshake("Sec-WebSocket-Protocol: Troupe.v1, troupe\r\n")),
                    "sec-websocket-protocol"));
}

TEST_CASE("a request that is no handshake is refused", "[transport][websocket]") {
  const auto whole = handshake("");
  const auto wanted = std::string{"sec-websocket-version: 13\r\n"};
  SECTION("an ordinary GET learns what is here") {
    const auto head = answer_to("GET /v1/ws HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(head.starts_with("HTTP/1.1 426 "));
    CHECK(holds(head, "upgrade: websocket\r\n"));
    CHECK(holds(head, wanted));
  }
  SECTION("without the upgrade among the connection's tokens") {
    CHECK(answer_to(without(whole, ", Upgrade")).starts_with("HTTP/1.1 426 "));
  }
  SECTION("of another version") {
    auto other = whole;
    other.replace(other.find("Version: 13"), 11, "Version: 8");
    const auto head = answer_to(other);
    CHECK(head.starts_with("HTTP/1.1 426 "));
    CHECK(holds(head, wanted));
  }
  SECTION("without a key") {
    const auto head = answer_to(without(whole, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    CHECK(head.starts_with("HTTP/1.1 400 "));
    CHECK(holds(head, wanted));
  }
  SECTION("with a key of another length") {
    CHECK(answer_to(without(whole, "GhlI")).starts_with("HTTP/1.1 400 "));
  }
  SECTION("with two keys") {
    CHECK(answer_to(handshake("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
              .starts_with("HTTP/1.1 400 "));
  }
  SECTION("with another method") {
    auto other = whole;
    other.replace(0, 3, "PUT");
    CHECK(answer_to(other).starts_with("HTTP/1.1 426 "));
  }
}

TEST_CASE("HTTP/1.0 has no WebSockets", "[transport][websocket]") {
  mailbox<uint16_t> codes;
  std::unique_ptr<websocket> socket;
  http_fixture on{{}, [&](server_request&& asked, std::shared_ptr<http_response> response) {
                    socket = response->upgrade(asked, "");
                    socket->watch([&](websocket_inbound&& what) { codes.put(what.code); });
                  }};
  auto request = handshake("");
  request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0");
  auto client = on.connect();
  client.send(request);
  const auto answer = client.read_all();
  CHECK(answer.starts_with("HTTP/1.1 400 "));
  CHECK(holds(answer, "A WebSocket handshake needs HTTP/1.1."));
  CHECK(codes.take() == 1006);
}

TEST_CASE("after a refused handshake the connection serves on", "[transport][websocket]") {
  http_fixture on{{}, [](server_request&& asked, std::shared_ptr<http_response> response) {
                    auto socket = response->upgrade(asked, "");
                  }};
  auto client = on.connect();
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(client.read_until("}}").starts_with("HTTP/1.1 426 "));
  client.send(handshake(""));
  CHECK(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 101 "));
}

TEST_CASE("texts go both ways", "[transport][websocket]") {
  websocket_server_fixture at;
  auto client = at.open();
  client.send("hello");
  CHECK(at.next_text() == "hello");
  CHECK(at.socket->send("{\"n\":1}"));
  CHECK(client.next_text() == "{\"n\":1}");
  SECTION("long ones, too") {
    const std::string body(300'000, 'x');
    CHECK_FALSE(at.socket->send(body)); // more than the high-water mark
    CHECK((client.next_text() == body));
    CHECK(at.inbox.take().what == websocket_inbound::kind::drained);
    client.send(body);
    CHECK((at.next_text() == body));
  }
  SECTION("in the order in which they were sent") {
    for (int i = 0; i < 100; ++i)
      at.socket->send(std::to_string(i));
    for (int i = 0; i < 100; ++i)
      CHECK(client.next_text() == std::to_string(i));
  }
}

TEST_CASE("frames that come with the handshake are not lost", "[transport][websocket]") {
  websocket_server_fixture at;
  websocket_client_side client{at.on.connect()};
  client.ask(handshake() + client_frame("first") + client_frame("second"));
  auto [request, response] = at.on.requests.take();
  at.socket = response->upgrade(request, "");
  client.read_answer();
  CHECK(at.inbox.empty()); // nobody watches
  at.watch();
  CHECK(at.next_text() == "first");
  CHECK(at.next_text() == "second");
  client.send("third");
  CHECK(at.next_text() == "third");
}

TEST_CASE("a message in pieces with a ping in between is one message", "[transport][websocket]") {
  websocket_server_fixture at;
  auto client = at.open();
  auto first = client_frame("a \xE2\x82");
  first[0] &= 0x7F;
  client.tcp().send(first);
  client.send("still there?", websocket_opcode::ping);
  client.send("\xAC.", websocket_opcode::continuation);
  CHECK(at.next_text() == "a \xE2\x82\xAC.");
  const auto pong = client.next();
  CHECK(pong.what == websocket_opcode::pong);
  CHECK(pong.payload == "still there?");
}

TEST_CASE("what the client does wrong has a code of its own", "[transport][websocket]") {
  server_limits limits;
  limits.max_body_bytes = 1000;
  websocket_server_fixture at{limits};
  auto client = at.open();
  std::string expected;
  SECTION("a binary message") {
    client.send("x", websocket_opcode::binary);
    expected = "1003";
  }
  SECTION("a frame without a mask") {
    std::string frame;
    append_frame(frame, websocket_opcode::text, "x", nullptr);
    client.tcp().send(frame);
    expected = "1002";
  }
  SECTION("a reserved bit") {
    auto frame = client_frame("x");
    frame[0] |= 0x40;
    client.tcp().send(frame);
    expected = "1002";
  }
  SECTION("a text that is not UTF-8") {
    client.send("\xFF");
    expected = "1007";
  }
  SECTION("a message that is too large, by its length alone") {
    client.tcp().send(client_frame(std::string(1001, 'x')).substr(0, 10));
    expected = "1009";
  }
  CHECK(client.next_close().starts_with(expected + " sent "));
  CHECK(std::to_string(at.next_closed()) == expected);
  CHECK(client.rest().empty()); // and then the connection
  CHECK_FALSE(client.tcp().was_reset());
  at.socket->send("to nobody");
  at.on.server.close();
  CHECK(at.inbox.empty());
}

} // namespace websocket_server_test

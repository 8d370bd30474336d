// How WebSockets of our server end, and how slow and silent clients are treated.
#include "tests/support/catch.hpp"
#include "tests/transport/http_server/websocket_server_fixture.hpp"

namespace websocket_server_end_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("a client's close is answered with its status", "[transport][websocket]") {
  websocket_server_fixture at;
  auto client = at.open();
  SECTION("1000") {
    client.tcp().send(client_close(1000));
    CHECK(client.next_close() == "1000");
    CHECK(at.next_closed() == 1000);
  }
  SECTION("4711") {
    client.tcp().send(client_close(4711));
    CHECK(client.next_close() == "4711");
    CHECK(at.next_closed() == 4711);
  }
  SECTION("none") {
    client.send("", websocket_opcode::close);
    CHECK(client.next_close() == "1005");
    CHECK(at.next_closed() == 1005);
  }
  CHECK(client.rest().empty());
  at.socket->close(1000, "again");
  at.on.server.close();
  CHECK(at.inbox.empty());
}

TEST_CASE("our close waits for the client's", "[transport][websocket]") {
  websocket_server_fixture at;
  auto client = at.open();
  at.socket->send("last words");
  at.socket->close(4400, "enough");
  at.socket->send("after the end");
  CHECK(client.next_text() == "last words");
  CHECK(client.next_close() == "4400 enough");
  client.send("too late to be heard");
  CHECK(at.inbox.empty());
  client.tcp().send(client_close(4400));
  CHECK(at.next_closed() == 4400);
  CHECK(client.rest().empty());
}

TEST_CASE("a client that does not answer our close is left", "[transport][websocket]") {
  server_limits limits;
  limits.websocket_close_timeout = 50ms;
  websocket_server_fixture at{limits};
  auto client = at.open();
  at.socket->close(1000, "");
  CHECK(client.next_close() == "1000");
  CHECK(at.next_closed() == 1006);
  CHECK(client.rest().empty());
}

TEST_CASE("a client that leaves without a close frame is reported once", "[transport][websocket]") {
  websocket_server_fixture at;
  auto client = at.open();
  SECTION("by closing") {
    client.tcp().close();
  }
  SECTION("by a reset") {
    client.tcp().close_with_reset();
  }
  CHECK(at.next_closed() == 1006);
  at.socket->close(1000, "");
  at.socket.reset();
  at.on.server.close();
  CHECK(at.inbox.empty());
}

TEST_CASE("a client that left before anybody watched is reported, too", "[transport][websocket]") {
  websocket_server_fixture at;
  websocket_client_side client{at.on.connect()};
  client.ask();
  auto [request, response] = at.on.requests.take();
  at.socket = response->upgrade(request, ""); // a client that has left before gets none
  REQUIRE(at.socket);
  client.tcp().close_with_reset();
  at.watch();
  CHECK(at.next_closed() == 1006);
}

TEST_CASE("destroying the handle closes with 1001 and reports nothing", "[transport][websocket]") {
  websocket_server_fixture at;
  auto client = at.open();
  at.socket.reset();
  CHECK(client.next_close() == "1001");
  client.tcp().send(client_close(1001));
  CHECK(client.rest().empty());
  at.on.server.close();
  CHECK(at.inbox.empty());
}

TEST_CASE("a receiver may end the WebSocket from within", "[transport][websocket]") {
  std::unique_ptr<websocket> socket;
  mailbox<std::string> heard;
  http_fixture on{{}, [&](server_request&& asked, std::shared_ptr<http_response> response) {
                    socket = response->upgrade(asked, "");
                    socket->watch([&](websocket_inbound&& what) {
                      heard.put(what.text);
                      if (what.text == "throw")
                        throw std::runtime_error{"a defect"};
                      socket.reset();
                    });
                  }};
  websocket_client_side client{on.connect()};
  client.ask();
  client.read_answer();
  SECTION("by destroying it") {
    client.tcp().send(client_frame("one") + client_frame("two"));
    CHECK(client.next_close() == "1001");
    client.tcp().send(client_close(1001));
    CHECK(heard.take() == "one");
  }
  SECTION("by an exception") {
    client.send("throw");
    CHECK(client.next_close().starts_with("1011 "));
    CHECK(heard.take() == "throw");
    CHECK(heard.take().empty()); // closed
  }
  CHECK(client.rest().empty());
  on.server.close();
  CHECK(heard.empty());
}

TEST_CASE("a server that shuts down closes WebSockets with 1001", "[transport][websocket]") {
  websocket_server_fixture at;
  auto client = at.open();
  at.on.server.stop_accepting();
  CHECK(client.next_close().starts_with("1001 "));
  client.tcp().send(client_close(1001));
  CHECK(at.next_closed() == 1001);
  CHECK(client.rest().empty());
}

TEST_CASE("a WebSocket counts as a connection", "[transport][websocket]") {
  server_limits limits;
  limits.max_connections = 1;
  websocket_server_fixture at{limits};
  auto client = at.open();
  CHECK(at.on.server.connections() == 1);
  auto second = at.on.connect();
  second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(second.read_all().starts_with("HTTP/1.1 503 "));
}

TEST_CASE("a silent client is pinged, and closed when it stays silent", "[transport][websocket]") {
  server_limits limits;
  limits.websocket_ping = 40ms;
  limits.websocket_silence = 1200ms;
  limits.header_timeout = limits.idle_timeout = 500ms; // are not those of WebSockets
  websocket_server_fixture at{limits};
  auto client = at.open();
  SECTION("one that answers stays") {
    for (int i = 0; i < 40; ++i) { // longer than any of the limits
      CHECK(client.next().what == websocket_opcode::ping);
      client.send("", websocket_opcode::pong);
    }
    CHECK(at.inbox.empty());
    client.send("here");
    CHECK(at.next_text() == "here");
  }
  SECTION("one that does not is gone") {
    CHECK(client.next().what == websocket_opcode::ping);
    CHECK(at.next_closed() == 1006);
  }
}

TEST_CASE("a slow client makes send() say so and drained follows", "[transport][websocket]") {
  server_limits limits;
  limits.high_water = 100'000;
  limits.low_water = 10'000;
  websocket_server_fixture at{limits};
  auto client = at.open(4096);
  const std::string block(16 * 1024, 'x');
  size_t sent = 1;
  while (at.socket->send(block))
    ++sent;
  for (size_t i = 0; i < sent; ++i)
    REQUIRE(client.next_text() == block);
  CHECK(at.inbox.take().what == websocket_inbound::kind::drained);
  CHECK(at.inbox.empty());
}

TEST_CASE("a client that takes nothing is closed", "[transport][websocket]") {
  server_limits limits;
  limits.stall_timeout = 200ms;
  limits.low_water = 0;
  websocket_server_fixture at{limits};
  auto client = at.open(4096);
  const std::string block(64 * 1024, 'x');
  while (at.socket->send(block)) {
  }
  for (int i = 0; i < 100; ++i) // more than the kernel takes
    at.socket->send(block);
  auto got = at.inbox.take();
  while (got.what == websocket_inbound::kind::drained) // before the kernel had enough
    got = at.inbox.take();
  CHECK(got.what == websocket_inbound::kind::closed);
  CHECK(got.code == 1006);
}

TEST_CASE("a client that asks for ever and reads nothing is not read any more",
          "[transport][websocket]") {
  server_limits limits;
  limits.high_water = 16 * 1024;
  limits.stall_timeout = 300ms;
  websocket_server_fixture at{limits, 1};
  auto client = at.open(4096);
  // Pings whose pongs nobody reads; without a bound the server would take them for ever.
  std::string pings;
  for (int i = 0; i < 500; ++i)
    pings += client_frame(std::string(120, 'p'), websocket_opcode::ping);
  bool refused = false;
  for (size_t total = 0; total < 500'000'000 && !refused; total += pings.size()) {
    try {
      client.tcp().send(pings);
    } catch (const std::runtime_error&) {
      refused = true; // closed as stalled
    }
  }
  CHECK(refused);
  CHECK(at.next_closed() == 1006);
}

TEST_CASE("silent answers get the comment that was asked for", "[transport][http_server]") {
  mailbox<response_signal> signals;
  server_limits limits;
  limits.keep_alive = 40ms;
  http_fixture on{limits, {}, 1};
  auto client = on.connect();
  auto response = open_stream(on, client, signals);
  response->keep_alive(": keep-alive\n\n");
  for (int i = 0; i < 3; ++i)
    CHECK(client.read_until("\n\n\r\n") == "e\r\n: keep-alive\n\n\r\n");
  response->finish();
  const auto rest = client.read_until("0\r\n\r\n");
  // It does not outlive its answer.
  client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  auto next = on.requests.take().response;
  next->start(200, {});
  client.read_until("\r\n\r\n");
  for (int i = 0; i < 3; ++i) { // another one shows that the time has passed
    auto other = on.connect();
    other.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    auto streaming = on.requests.take().response;
    streaming->keep_alive(": still here\n\n");
    streaming->start(200, {});
    other.read_until(": still here");
  }
  next->write("end");
  CHECK(client.read_until("end") == "3\r\nend");
}

} // namespace websocket_server_end_test

// Whose share of the memory counts what clients send and leave unread.
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/websocket_server_fixture.hpp"

namespace http_server_owners_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr size_t kib = 1024;
constexpr size_t share = 8 * 1024 * kib;        ///< of an owner; an address has twice as much
constexpr size_t begun_bytes = 1024 * kib;      ///< of a message; takes up to twice as much memory
constexpr size_t long_answer = 14 * 1024 * kib; ///< the kernel takes some of it

/// A server that knows who asks by the field "who". What is asked at /socket becomes a WebSocket;
/// the answer at /long is more than an owner may leave unread, others are short.
struct owners_fixture {
  owners_fixture() : server{loops, limits(), handler(), gate()} {
    if (const auto failed = server.listen("127.0.0.1:0"))
      throw std::runtime_error{failed.text()};
  }

  static server_limits limits() {
    server_limits out;
    out.max_buffered_bytes = 4 * share;
    out.max_body_bytes = begun_bytes + kib;
    return out;
  }

  static request_gate gate() {
    return [](const server_request& request) {
      return body_permit{.read = true, .owner = std::string{find_header(request.fields, "who")}};
    };
  }

  request_handler handler() {
    return [this](server_request&& request, std::shared_ptr<http_response> response) {
      if (request.path != "/socket")
        return response->send(200, {}, std::string(request.path == "/long" ? long_answer : 2, 'x'));
      std::shared_ptr<websocket> socket = response->upgrade(request, "");
      socket->watch([](websocket_inbound&&) {});
      sockets.put(std::move(socket));
    };
  }

  raw_client connect(int receive_buffer = 0) const {
    return raw_client{server.port(), receive_buffer};
  }

  /// A message in the making, and the close frame if there was no room for it; "" = there was.
  struct begun_message {
    websocket_client_side client;
    std::string refusal;
  };

  /// Opens a WebSocket of an owner, and sends a message but its end. Returns when all of it has
  /// arrived, which the answer to a ping behind it says, or was refused.
  begun_message begin_message(const std::string& who) {
    websocket_client_side client{connect()};
    client.ask(handshake("who: " + who + "\r\n", "/socket"));
    client.read_answer();
    auto begun = client_frame(std::string(begun_bytes, 'm'));
    begun[0] = static_cast<char>(begun[0] & 0x7F); // a fragment: the message goes on
    client.tcp().send(begun + client_frame("", websocket_opcode::ping));
    const auto said = client.next();
    auto refusal =
        said.what == websocket_opcode::close ? std::to_string(said.status) : std::string{};
    return {std::move(client), std::move(refusal)};
  }

  /// Begins messages of an owner until one is refused, which is the last.
  std::vector<begun_message> use_up(const std::string& who) {
    std::vector<begun_message> out;
    while (out.empty() || out.back().refusal.empty())
      out.push_back(begin_message(who));
    return out;
  }

  mailbox<std::shared_ptr<websocket>> sockets;
  shards loops{2};
  http_server server;
};

std::string get(const std::string& path, const std::string& who) {
  return "GET " + path + " HTTP/1.1\r\nhost: x\r\nwho: " + who + "\r\n\r\n";
}

} // namespace

TEST_CASE("messages in the making count to the owner of their WebSocket",
          "[transport][http_server][memory]") {
  owners_fixture on;
  auto of_alice = on.use_up("alice");
  CHECK(of_alice.size() > 2);
  CHECK(of_alice.size() <= share / begun_bytes + 1);
  CHECK(of_alice.back().refusal == "1013");
  SECTION("others have room, at the same address") {
    CHECK(on.begin_message("bob").refusal.empty());
    CHECK(on.server.load().buffered_refusals == 1);
  }
  SECTION("what is over counts no more") {
    of_alice.clear();
    const auto limit = std::chrono::steady_clock::now() + patience;
    while (on.server.load().buffered_bytes > 0)
      REQUIRE(std::chrono::steady_clock::now() < limit);
    CHECK(on.begin_message("alice").refusal.empty());
    CHECK(on.server.load().buffered_refusals == 1);
  }
}

TEST_CASE("an unread answer counts to the one who asked for it",
          "[transport][http_server][memory]") {
  owners_fixture on;
  auto client = on.connect(4096);
  SECTION("who was the first on the connection") {}
  SECTION("whoever asked before") {
    client.send("POST /short HTTP/1.1\r\nhost: x\r\nwho: alice\r\ncontent-length: 0\r\n\r\n");
    client.read_until("xx");
    client.send(get("/short", ""));
    client.read_until("xx");
  }
  client.send(get("/long", "bob"));
  CHECK(client.read_all().size() < long_answer);
  CHECK(on.server.load().buffered_refusals == 1);
}

TEST_CASE("an answer to nobody counts to no owner", "[transport][http_server][memory]") {
  owners_fixture on;
  auto client = on.connect(4096);
  client.send("POST /short HTTP/1.1\r\nhost: x\r\nwho: alice\r\ncontent-length: 0\r\n\r\n");
  client.read_until("xx");
  client.send(get("/long", ""));
  CHECK(client.read_bytes(long_answer).size() == long_answer);
  CHECK(on.server.load().buffered_refusals == 0);
}

} // namespace http_server_owners_test

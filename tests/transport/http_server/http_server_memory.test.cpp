// What clients can make a server keep, and whose bodies it reads.
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace http_server_memory_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const std::string get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

std::string post(size_t announced, const std::string& body, const std::string& fields = {}) {
  return "POST / HTTP/1.1\r\nhost: x\r\n" + fields +
         "content-length: " + std::to_string(announced) + "\r\n\r\n" + body;
}

/// A server that reads bodies of those who say "let: me-in", and answers whom it does not know.
struct gated_fixture {
  explicit gated_fixture(server_limits limits = {}) : server{loops, limits, handler(), gate()} {
    if (const auto failed = server.listen("127.0.0.1:0"))
      throw std::runtime_error{failed.text()};
  }

  static bool is_known(const server_request& request) {
    return find_header(request.fields, "let") == "me-in";
  }

  request_gate gate() {
    return [this](const server_request& request) {
      asked.put(request.path + " " + request.body);
      return body_permit{.read = is_known(request), .owner = "alice"};
    };
  }

  static request_handler handler() {
    return [](server_request&& request, std::shared_ptr<http_response> response) {
      response->send(is_known(request) ? 200 : 401, {},
                     "got " + std::to_string(request.body.size()));
    };
  }

  raw_client connect() const { return raw_client{server.port()}; }

  mailbox<std::string> asked;
  shards loops{2};
  http_server server;
};

/// A client that has sent so much of a larger body.
raw_client half_sender(const http_fixture& on, size_t bytes) {
  auto client = on.connect();
  client.send(post(8'000'000, std::string(bytes, 'x')));
  return client;
}

void wait_for_bytes(const http_server& server, size_t least) {
  const auto limit = std::chrono::steady_clock::now() + patience;
  while (server.load().buffered_bytes < least)
    if (std::chrono::steady_clock::now() > limit)
      throw std::runtime_error{"the bytes did not arrive"};
}

} // namespace

TEST_CASE("a client that is not let in is answered when its head is there",
          "[transport][http_server][memory]") {
  gated_fixture on;
  const auto request = GENERATE(post(8'000'000, ""), post(8'000'000, std::string(100'000, 'x')),
                                post(5, "hello"), post(5, "", "expect: 100-continue\r\n"),
                                std::string{"POST / HTTP/1.1\r\nhost: x\r\n"
                                            "transfer-encoding: chunked\r\n\r\n5\r\nhel"});
  auto client = on.connect();
  client.send(request);
  const auto all = client.read_all();
  CHECK(all.starts_with("HTTP/1.1 401 "));
  CHECK(all.find("connection: close\r\n") != std::string::npos);
  CHECK(all.ends_with("got 0"));
  CHECK(on.asked.take() == "/ ");
}

TEST_CASE("a body of a client that is let in is read, and the gate is asked once for each request",
          "[transport][http_server][memory]") {
  gated_fixture on;
  auto client = on.connect();
  for (const auto* body : {"hello", ""}) {
    client.send(post(5, body, "let: me-in\r\n"));
    if (*body == '\0')
      client.send("world");
    CHECK(client.read_until("got 5").starts_with("HTTP/1.1 200 "));
    CHECK(on.asked.take() == "/ ");
  }
  client.send(get);
  CHECK(client.read_until("got 0").starts_with("HTTP/1.1 401 "));
  CHECK(on.asked.take() == "/ ");
  CHECK(on.asked.empty());
}

TEST_CASE("bodies for which there is no room are refused, and short ones come through",
          "[transport][http_server][memory]") {
  server_limits limits;
  limits.max_buffered_bytes = 1 << 20;
  http_fixture on{limits, echo()};
  auto holder = half_sender(on, 300'000);
  wait_for_bytes(on.server, 300'000);
  auto refused = half_sender(on, 700'000);
  const auto all = refused.read_all();
  CHECK(all.starts_with("HTTP/1.1 503 "));
  CHECK(all.find("too_many_connections") != std::string::npos);
  CHECK(on.server.load().buffered_refusals == 1);
  auto small = on.connect();
  small.send(post(2, "hi"));
  CHECK(small.read_until("POST / hi").starts_with("HTTP/1.1 200 "));
  holder.close();
  const auto limit = std::chrono::steady_clock::now() + patience;
  while (on.server.load().buffered_bytes > 0)
    REQUIRE(std::chrono::steady_clock::now() < limit);
}

TEST_CASE("a body counts until its answer begins", "[transport][http_server][memory]") {
  http_fixture on;
  auto client = on.connect();
  client.send(post(200'000, std::string(200'000, 'x')));
  auto waiting = on.requests.take();
  wait_for_bytes(on.server, 200'000);
  waiting.response->send(200, {}, "done");
  client.read_until("done");
  const auto limit = std::chrono::steady_clock::now() + patience;
  while (on.server.load().buffered_bytes > 0)
    REQUIRE(std::chrono::steady_clock::now() < limit);
}

TEST_CASE("an answer that nobody reads is given up when there is no room for it",
          "[transport][http_server][memory]") {
  server_limits limits;
  limits.max_buffered_bytes = 1 << 20;
  http_fixture on{limits, [](server_request&&, std::shared_ptr<http_response> response) {
                    response->send(200, {}, std::string(20'000'000, 'x'));
                  }};
  auto client = on.connect(4096);
  client.send(get);
  CHECK(client.read_all().size() < 20'000'000);
  CHECK(on.server.load().buffered_refusals == 1);
}

TEST_CASE("a body that only drips is answered with 408", "[transport][http_server][memory]") {
  server_limits limits;
  limits.header_timeout = 400ms; // from then on the rate counts
  limits.least_body_rate = 1'000'000;
  SECTION("bytes of it") {
    http_fixture on{limits};
    auto client = on.connect();
    client.send(post(1000, "a"));
    CHECK(client.read_all().starts_with("HTTP/1.1 408 "));
  }
  SECTION("an extension of a chunk") {
    http_fixture on{limits};
    auto client = on.connect();
    client.send("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5;a");
    CHECK(client.read_all().starts_with("HTTP/1.1 408 "));
  }
  SECTION("for longer than any body may take") {
    limits.least_body_rate = 0;
    limits.body_total = 800ms;
    http_fixture on{limits};
    auto client = on.connect();
    client.send(post(1000, "a"));
    CHECK(client.read_all().starts_with("HTTP/1.1 408 "));
  }
}

TEST_CASE("at the limit of connections those that only wait give way",
          "[transport][http_server][memory]") {
  server_limits limits;
  limits.max_connections = 3;
  http_fixture on{limits, echo(), 1};
  auto silent = on.connect();
  auto half = on.connect();
  half.send("GET / HTTP/1.1\r\nho");
  auto used = on.connect();
  used.send(get);
  used.read_until("GET / ");
  CHECK(on.connect().read_all().starts_with("HTTP/1.1 503 ")); // none has waited for a second
  const auto limit = std::chrono::steady_clock::now() + patience;
  std::string answer;
  while (answer.empty()) {
    REQUIRE(std::chrono::steady_clock::now() < limit);
    auto late = on.connect();
    late.send(get);
    if (const auto got = late.read_until("\r\n\r\n"); got.starts_with("HTTP/1.1 200 "))
      answer = got;
  }
  CHECK(silent.read_all().empty()); // the longest wait
}

TEST_CASE("one address may have so many connections and no more",
          "[transport][http_server][memory]") {
  server_limits limits;
  limits.max_connections_per_address = 2;
  http_fixture on{limits, echo()};
  auto first = on.connect();
  first.send(get);
  first.read_until("GET / ");
  auto second = on.connect();
  second.send(get);
  second.read_until("GET / ");
  CHECK(on.connect().read_all().starts_with("HTTP/1.1 503 "));
  second.close();
  const auto limit = std::chrono::steady_clock::now() + patience;
  while (on.server.connections() > 1)
    REQUIRE(std::chrono::steady_clock::now() < limit);
  auto third = on.connect();
  third.send(get);
  CHECK(third.read_until("GET / ").starts_with("HTTP/1.1 200 "));
}

} // namespace http_server_memory_test

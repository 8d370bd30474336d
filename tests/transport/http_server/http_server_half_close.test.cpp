// Clients that close their sending side and wait, and clients that are gone.
#include <string>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace http_server_half_close_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

/// Waits until the server has seen what the client did before: it answers another one afterwards.
void let_pass(const http_fixture& on) {
  auto other = on.connect();
  other.send("GET / HTTP/0.9\r\n\r\n"); // which no handler sees
  other.read_all();
}

/// Opens a stream that has a comment for silent times, and returns when the server knows of it.
std::shared_ptr<http_response> open_commented(http_fixture& on, raw_client& client,
                                              mailbox<response_signal>& signals) {
  auto response = open_stream(on, client, signals);
  response->keep_alive(": still here\n\n");
  response->write("now");
  client.read_until("now\r\n");
  return response;
}

} // namespace

TEST_CASE("a client that sends no more after its request gets its answer",
          "[transport][http_server][half_close]") {
  http_fixture on{{}, {}, 1};
  auto client = on.connect();
  client.send(get);
  auto asked = on.requests.take();
  client.half_close();
  let_pass(on);
  asked.response->send(200, {}, "here");
  auto all = client.read_all();
  if (all.starts_with("HTTP/1.1 102 ")) // the answer took so long that the client was looked for
    all.erase(0, all.find("\r\n\r\n") + 4);
  CHECK(all.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(all.ends_with("here"));
  CHECK_FALSE(client.was_reset());
}

TEST_CASE("requests that came before the end of the client's bytes are all answered",
          "[transport][http_server][half_close]") {
  http_fixture on{{}, {}, 1};
  auto client = on.connect();
  client.send(get + get);
  client.half_close();
  for (const auto* text : {"first", "second"}) {
    auto asked = on.requests.take();
    let_pass(on);
    asked.response->send(200, {}, text);
  }
  const auto all = client.read_all();
  CHECK(all.find("first") < all.find("second"));
  CHECK(all.ends_with("second"));
}

TEST_CASE("a stream goes on for a client that sends no more",
          "[transport][http_server][half_close]") {
  http_fixture on{{}, {}, 1};
  mailbox<response_signal> signals;
  auto client = on.connect();
  auto response = open_commented(on, client, signals);
  client.half_close();
  CHECK(client.read_until(": still here\n\n\r\n") == "e\r\n: still here\n\n\r\n");
  response->write("second");
  client.read_until("second\r\n");
  response->finish();
  CHECK(client.read_all() == "0\r\n\r\n");
  CHECK(signals.empty());
}

TEST_CASE("a download goes on for a client that sends no more",
          "[transport][http_server][half_close]") {
  http_fixture on{{}, {}, 1};
  mailbox<response_signal> signals;
  auto client = on.connect(4096);
  auto response = open_stream(on, client, signals);
  const std::string piece(300'000, 'p');
  response->write(piece);
  client.half_close();
  let_pass(on);
  response->write(piece);
  client.read_bytes(piece.size()); // all that was on its way, or nearly
  let_pass(on);
  response->write("the end");
  response->finish();
  CHECK(client.read_all().ends_with("7\r\nthe end\r\n0\r\n\r\n"));
}

TEST_CASE("a client that is gone in the middle of a stream is told from one that sends no more",
          "[transport][http_server][half_close]") {
  http_fixture on{{}, {}, 1};
  mailbox<response_signal> signals;
  auto client = on.connect();
  const auto response = open_commented(on, client, signals);
  client.close();
  CHECK(signals.take() == response_signal::gone);
}

TEST_CASE("a client that is gone before its answer begins is noticed",
          "[transport][http_server][half_close]") {
  http_fixture on{{}, {}, 1};
  mailbox<response_signal> signals;
  auto client = on.connect();
  client.send(get);
  auto response = on.requests.take().response;
  response->watch([&signals](response_signal what) { signals.put(what); });
  client.close();
  CHECK(signals.take() == response_signal::gone);
}

TEST_CASE("a client that waits for long without sending is told that its request is under way",
          "[transport][http_server][half_close]") {
  http_fixture on{{}, {}, 1};
  auto client = on.connect();
  client.send(get);
  auto response = on.requests.take().response;
  client.half_close();
  CHECK(client.read_until("\r\n\r\n") == "HTTP/1.1 102 Processing\r\n\r\n");
  response->send(200, {}, "here");
  CHECK(client.read_all().ends_with("here"));
}

} // namespace http_server_half_close_test

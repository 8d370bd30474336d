#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"
#include "transport/loop/timer.hpp"

namespace http_server_streams_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const std::string get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

} // namespace

TEST_CASE("a client that leaves during a silent stream is reported once",
          "[transport][http_server]") {
  mailbox<response_signal> signals;
  http_fixture on;
  auto client = on.connect();
  auto response = open_stream(on, client, signals);
  SECTION("by closing") {
    client.close();
  }
  SECTION("by a reset") {
    client.close_with_reset();
  }
  SECTION("by closing its half") {
    client.half_close();
  }
  CHECK(signals.take() == response_signal::gone);
  CHECK(response->write("nobody hears"));
  response->finish();
  response.reset();
  on.server.close();
  CHECK(signals.empty());
}

TEST_CASE("the head of an answer that says nothing yet reaches its client",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send(get);
  const auto response = on.requests.take().response;
  response->start(200, {});
  CHECK(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
  response->write("first");
  CHECK(client.read_until("first\r\n") == "5\r\nfirst\r\n");
}

TEST_CASE("the beginning of an answer can leave without waiting for more",
          "[transport][http_server]") {
  http_fixture on{{}, {}, 1};
  auto client = on.connect();
  client.send(get);
  const auto response = on.requests.take().response;
  auto& home = on.loops.at(0);
  std::promise<void> arrived;
  std::promise<bool> in_time;
  std::optional<timer> next; // the iteration after this one: what comes later is too late
  home.call([&] {
    next.emplace(home, [&in_time, until = arrived.get_future().share()] {
      in_time.set_value(until.wait_for(5s) == std::future_status::ready);
    });
    next->start(1ms);
    response->start(200, {});
    response->write("first");
    response->send_now();
  });
  CHECK(client.read_until("first\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
  arrived.set_value();
  CHECK(in_time.get_future().get());
  home.call([&] { next.reset(); });
}

TEST_CASE("a client that leaves after the end is nobody's business", "[transport][http_server]") {
  mailbox<response_signal> signals;
  http_fixture on;
  auto client = on.connect();
  auto response = open_stream(on, client, signals);
  response->finish();
  client.read_until("0\r\n\r\n");
  client.close();
  on.server.close();
  CHECK(signals.empty());
}

TEST_CASE("a silent stream outlives every timeout", "[transport][http_server]") {
  mailbox<response_signal> signals;
  server_limits limits;
  limits.header_timeout = limits.body_timeout = limits.idle_timeout = limits.stall_timeout = 200ms;
  http_fixture on{limits, {}, 1};
  auto client = on.connect();
  auto response = open_stream(on, client, signals);
  // Others run into the timeout on the same shard, twice, while the stream says nothing.
  for (int i = 0; i < 2; ++i)
    CHECK(on.connect().read_all().empty());
  CHECK(signals.empty());
  response->write("second");
  CHECK(client.read_until("second\r\n") == "6\r\nsecond\r\n");
}

TEST_CASE("a slow reader holds its own stream up and nobody else's", "[transport][http_server]") {
  server_limits limits;
  limits.high_water = 100'000;
  limits.low_water = 10'000;
  constexpr size_t total = 64'000'000;
  http_fixture on{limits, {}, 1};
  auto slow = on.connect(4096);
  slow.send(get);
  auto response = on.requests.take().response;
  std::atomic<size_t> written{0};
  const auto pump = [&written, to = response.get()] {
    const std::string block(16'000, 'x');
    bool more = true;
    while (more && written < total) {
      written += block.size();
      more = to->write(block);
    }
    if (written >= total)
      to->finish();
  };
  response->watch([pump](response_signal) { pump(); });
  response->start(200, {});
  on.loops.at(0).post(pump);
  for (int i = 0; i < 10; ++i) {
    auto other = on.connect();
    other.send(get);
    on.requests.take().response->send(200, {}, "quick");
    other.read_until("quick");
  }
  CHECK(written > limits.high_water);
  CHECK(written < total / 2);
  slow.read_until("\r\n\r\n");
  size_t got = 0;
  while (const auto size = std::stoul(slow.read_until("\r\n"), nullptr, 16)) {
    slow.read_bytes(size + 2);
    got += size;
  }
  CHECK(got == total);
}

TEST_CASE("back-pressure works from the loop's own thread as well", "[transport][http_server]") {
  mailbox<size_t> paused;
  mailbox<response_signal> signals;
  http_fixture on{{}, [&](server_request&&, std::shared_ptr<http_response> response) {
                    response->watch([&, response](response_signal what) {
                      response->finish();
                      signals.put(what);
                    });
                    response->start(200, {});
                    paused.put(fill(*response));
                  }};
  auto client = on.connect();
  client.send(get);
  CHECK(paused.take() < 1'000'000);
  client.read_until("\r\n0\r\n\r\n");
  CHECK(signals.take() == response_signal::drained);
}

TEST_CASE("a client that takes nothing is closed after the stall timeout",
          "[transport][http_server]") {
  mailbox<response_signal> signals;
  server_limits limits;
  limits.stall_timeout = 60ms;
  http_fixture on{limits};
  auto client = on.connect(4096);
  auto response = open_stream(on, client, signals);
  fill(*response);
  while (signals.take() == response_signal::drained) // into the kernel's buffers
    fill(*response);
  CHECK(response->write("nobody hears"));
  CHECK(client.read_all().find("first") == std::string::npos);
}

TEST_CASE("what a client pipelines waits until its turn, without bound in number",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  const std::string body(30'000, 'b');
  constexpr int count = 60;
  std::thread sender{[&] {
    for (int i = 0; i < count; ++i)
      client.send("POST /" + std::to_string(i) + " HTTP/1.1\r\nhost: x\r\ncontent-length: " +
                  std::to_string(body.size()) + "\r\n\r\n" + body);
  }};
  for (int i = 0; i < count; ++i) {
    const auto got = on.requests.take();
    CHECK(got.request.path == "/" + std::to_string(i));
    CHECK(got.request.body == body);
    got.response->send(200, {}, "ok");
  }
  sender.join();
}

TEST_CASE("a client that asks much and reads late gets every answer", "[transport][http_server]") {
  server_limits limits;
  limits.high_water = 50'000;
  const std::string body(20'000, 'b');
  http_fixture on{limits, [&](server_request&&, std::shared_ptr<http_response> response) {
                    response->send(200, {}, body);
                  }};
  auto client = on.connect(4096);
  constexpr int count = 300;
  std::string all;
  for (int i = 0; i < count; ++i)
    all += get;
  client.send(all);
  for (int i = 0; i < count; ++i) {
    REQUIRE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
    client.read_bytes(body.size());
  }
}

TEST_CASE("a client that leaves behind a heap of requests is noticed", "[transport][http_server]") {
  mailbox<response_signal> signals;
  server_limits limits;
  limits.idle_timeout = 200ms; // what sets the pace at which the server looks
  http_fixture on{limits};
  auto client = on.connect();
  auto response = open_stream(on, client, signals);
  std::string heap;
  for (int i = 0; i < 5'000; ++i)
    heap += get;
  client.send(heap);
  client.close();
  CHECK(signals.take() == response_signal::gone);
}

TEST_CASE("a client that takes its time gets a large answer whole", "[transport][http_server]") {
  const std::string body(5'000'000, 'b');
  server_limits limits;
  limits.header_timeout = limits.idle_timeout = 200ms;
  http_fixture on{limits, [&](server_request&&, std::shared_ptr<http_response> response) {
                    response->send(200, {}, body);
                  }};
  auto client = on.connect(4096);
  client.send(get);
  CHECK(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
  CHECK(on.connect().read_all().empty()); // one that asks nothing: until it is closed for that
  CHECK(client.read_bytes(body.size()) == body);
}

TEST_CASE("a client that closes its half after its request gets a large answer whole",
          "[transport][http_server]") {
  const std::string body(5'000'000, 'b');
  http_fixture on{{}, [&](server_request&&, std::shared_ptr<http_response> response) {
                    response->send(200, {}, body);
                  }};
  auto client = on.connect(4096);
  client.send(get);
  client.half_close();
  client.read_until("\r\n\r\n");
  CHECK(client.read_bytes(body.size()) == body);
  CHECK(client.read_all().empty());
}

} // namespace http_server_streams_test

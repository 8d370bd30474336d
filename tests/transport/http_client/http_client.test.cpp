#include "transport/http_client/http_client.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include <curl/curl.h>

#include "tests/support/catch.hpp"
#include "tests/support/raw_server.hpp"
#include "transport/loop/loop.hpp"

namespace http_client_test {

using namespace std::chrono_literals;
using namespace troupe;
using troupe::test::plain_answer;
using troupe::test::raw_connection;
using troupe::test::raw_server;

namespace {

/// Gathers the parts of exchanges, on whatever thread they come.
class collector {
public:
  http_port::receiver receiver() {
    return [this](http_part&& part) {
      std::lock_guard guard{mutex_};
      parts_.push_back(std::move(part));
      changed_.notify_all();
    };
  }

  /// Waits for `count` last parts.
  void wait_for_last(size_t count = 1) {
    wait([&] {
      return static_cast<size_t>(std::count_if(parts_.begin(), parts_.end(),
                                               [](auto& p) { return p.last; })) >= count;
    });
  }

  /// Waits until that many body bytes have come.
  void wait_for_bytes(size_t count) {
    wait([&] {
      size_t sum = 0;
      for (const auto& each : parts_)
        sum += each.bytes.size();
      return sum >= count;
    });
  }

  std::vector<http_part> parts() {
    std::lock_guard guard{mutex_};
    return parts_;
  }

  std::string body() {
    std::string all;
    for (const auto& each : parts())
      all += each.bytes;
    return all;
  }

  http_part last() {
    wait_for_last();
    return parts().back();
  }

private:
  template <class Condition>
  void wait(Condition&& condition) {
    std::unique_lock guard{mutex_};
    if (!changed_.wait_for(guard, 30s, condition))
      throw std::runtime_error{"what the test waits for did not come"};
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<http_part> parts_;
};

struct fixture {
  explicit fixture(size_t count = 1) : on{count}, client{on} {}

  std::unique_ptr<http_exchange> get(const std::string& url, collector& into, uint64_t number = 1,
                                     http_deadlines deadlines = {}) {
    http_request request;
    request.url = url;
    request.deadlines = deadlines;
    return client.open(std::move(request), number, into.receiver());
  }

  shards on;
  http_client client;
};

/// Answers every request with "hello".
void say_hello(raw_connection& peer) {
  while (peer.request())
    if (!peer.send(plain_answer("hello")))
      return;
}

constexpr std::string_view chunked_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

} // namespace

TEST_CASE("head, body and end that come together are one part", "[transport][http_client]") {
  raw_server server{[](raw_connection& peer) {
    peer.request();
    peer.send("HTTP/1.1 100 Continue\r\n\r\n");
    peer.send("HTTP/1.1 429 Slow down\r\nContent-Type: application/json\r\nRETRY-AFTER:  7 \r\n"
              "Mcp-Session-Id: abc\r\nContent-Length: 5\r\n\r\nhello");
    peer.request();
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got, 42);
  got.wait_for_last();
  const auto parts = got.parts();
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].exchange == 42);
  CHECK(parts[0].status == 429);
  CHECK(parts[0].content_type == "application/json");
  CHECK(parts[0].retry_after == "7");
  CHECK(parts[0].session == "abc");
  CHECK(parts[0].bytes == "hello");
  CHECK(parts[0].error == errc::none);
}

TEST_CASE("the hints of model providers on when to come back are read",
          "[transport][http_client]") {
  struct row {
    std::string fields;
    std::string retry_after;
    int should_retry;
  };
  auto [fields, retry_after, should_retry] = GENERATE(values<row>({
      {"retry-after-ms: 1500\r\n", "1.500", -1},
      {"Retry-After-Ms: 7\r\nx-should-retry: true\r\n", "0.007", 1},
      {"retry-after: 2\r\nretry-after-ms: 1990\r\nx-should-retry: false\r\n", "1.990", 0},
      {"retry-after-ms: 1990\r\nretry-after: 2\r\n", "1.990", -1},
      {"retry-after-ms: soon\r\nx-should-retry: maybe\r\n", "", -1},
      {"retry-after-ms:\r\n", "", -1},
  }));
  raw_server server{[&](raw_connection& peer) {
    peer.request();
    peer.send("HTTP/1.1 429 Slow down\r\n" + fields + "Content-Length: 0\r\n\r\n");
    peer.request();
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got, 1);
  got.wait_for_last();
  const auto parts = got.parts();
  REQUIRE_FALSE(parts.empty());
  CHECK(parts[0].retry_after == retry_after);
  CHECK(parts[0].should_retry == should_retry);
}

TEST_CASE("a request is sent as it was asked for, and forbids only the packing of its answer",
          "[transport][http_client]") {
  std::promise<std::string> seen;
  raw_server server{[&](raw_connection& peer) {
    seen.set_value(peer.request().value_or(""));
    peer.send(plain_answer(""));
  }};
  fixture f;
  collector got;
  http_request request;
  request.method = "POST";
  request.url = server.url("/v1/chat?x=1");
  request.fields = {{"Authorization", "Bearer key"}, {"X-Empty", ""}};
  request.body = std::string(3000, 'x');
  auto exchange = f.client.open(std::move(request), 1, got.receiver());
  const auto text = seen.get_future().get();
  CHECK(text.starts_with("POST /v1/chat?x=1 HTTP/1.1\r\n"));
  CHECK(text.find("\r\nAuthorization: Bearer key\r\n") != std::string::npos);
  CHECK(text.find("\r\nX-Empty:\r\n") != std::string::npos);
  CHECK(text.find("\r\nContent-Length: 3000\r\n") != std::string::npos);
  CHECK(text.ends_with("\r\n\r\n" + std::string(3000, 'x')));
  CHECK(text.find("\r\nAccept-Encoding: identity\r\n") != std::string::npos);
  for (const char* unwanted : {"Expect", "Content-Type", "Transfer-Encoding"})
    CHECK(text.find(unwanted) == std::string::npos);
  CHECK(got.last().error == errc::none);
}

TEST_CASE("an answer that is packed all the same is refused by name", "[transport][http_client]") {
  const auto [status, fields, error, bytes] =
      GENERATE(table<uint16_t, std::string, errc, std::string>(
          {{200, "Content-Encoding: br\r\n", errc::encoding_unsupported, ""},
           {400, "content-encoding: GZip\r\n", errc::encoding_unsupported, ""},
           {200, "Content-Encoding: zstd, gzip\r\n", errc::encoding_unsupported, ""},
           {200, "Content-Encoding: Identity\r\n", errc::none, "hello"},
           {200, "Content-Encoding: utf-8\r\n", errc::none, "hello"},
           {200, "Content-Encoding:\r\n", errc::none, "hello"}}));
  const auto answer =
      "HTTP/1.1 " + std::to_string(status) + " So\r\n" + fields + "Content-Length: 5\r\n\r\nhello";
  raw_server server{[&answer = answer](raw_connection& peer) {
    peer.request();
    peer.send(answer);
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got, 1);
  const auto last = got.last();
  CHECK(last.error == error);
  CHECK(got.parts().front().status == status);
  std::string body;
  for (const auto& each : got.parts())
    body += each.bytes;
  CHECK(body == bytes);
  if (error != errc::none) {
    CHECK_THAT(last.error_text,
               Catch::Contains(" is " + fields.substr(18, fields.size() - 20) + " encoded"));
  }
}

TEST_CASE("an answer without a body may name any coding, and a caller may ask for one",
          "[transport][http_client]") {
  std::promise<std::string> seen;
  raw_server server{[&](raw_connection& peer) {
    seen.set_value(peer.request().value_or(""));
    peer.send("HTTP/1.1 202 Accepted\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n");
  }};
  fixture f;
  collector got;
  http_request request;
  request.url = server.url();
  request.fields = {{"accept-encoding", "br"}};
  auto exchange = f.client.open(std::move(request), 1, got.receiver());
  CHECK(got.last().error == errc::none);
  const auto text = seen.get_future().get();
  CHECK(text.find("accept-encoding: br\r\n") != std::string::npos);
  CHECK(text.find("identity") == std::string::npos);
}

TEST_CASE("methods do not leak from one exchange into the next", "[transport][http_client]") {
  std::mutex mutex;
  std::vector<std::string> seen;
  raw_server server{[&](raw_connection& peer) {
    while (auto request = peer.request()) {
      {
        std::lock_guard guard{mutex};
        seen.push_back(request->substr(0, request->find(' ')));
      }
      peer.send(seen.back() == "HEAD" ? "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
                                      : plain_answer("hello"));
    }
  }};
  fixture f;
  const std::vector<std::string> methods{"POST", "GET", "HEAD", "DELETE", "GET", "PUT", "GET"};
  for (const auto& method : methods) {
    collector got;
    http_request request;
    request.method = method;
    request.url = server.url();
    request.body = method == "POST" ? "body" : "";
    auto exchange = f.client.open(std::move(request), 1, got.receiver());
    REQUIRE(got.last().error == errc::none);
  }
  CHECK(seen == methods);
  CHECK(server.accepted() == 1);
}

TEST_CASE("two requests share one connection", "[transport][http_client]") {
  raw_server server{say_hello};
  fixture f;
  for (int i = 0; i < 2; ++i) {
    collector got;
    auto exchange = f.get(server.url(), got);
    CHECK(got.last().error == errc::none);
    CHECK(got.body() == "hello");
  }
  CHECK(server.accepted() == 1);
}

TEST_CASE("a kept connection that dies under its next request is replaced",
          "[transport][http_client]") {
  raw_server server{[](raw_connection& peer) {
    peer.request();
    peer.send(plain_answer("hello"));
    peer.request(); // taken, never answered
  }};
  fixture f;
  for (size_t i = 0; i < 20; ++i) { // libcurl alone gives up at the sixth
    collector got;
    auto exchange = f.get(server.url(), got);
    INFO(got.last().error_text);
    REQUIRE(got.last().error == errc::none);
    REQUIRE(got.body() == "hello");
    REQUIRE(server.accepted() == i + 1);
  }
}

TEST_CASE("what is sent once is not sent again when its kept connection dies",
          "[transport][http_client]") {
  std::atomic<int> heads{0};
  raw_server server{[&](raw_connection& peer) {
    if (const auto first = peer.request()) {
      ++heads;
      peer.send(plain_answer("hello"));
      heads += peer.request() ? 1 : 0; // taken, never answered
    }
  }};
  fixture f;
  http_request request;
  request.method = "POST";
  request.url = server.url();
  request.body = "pay";
  request.once = true;
  for (auto error : {errc::none, errc::connection_cut}) {
    collector got;
    auto exchange = f.client.open(request, 1, got.receiver());
    CHECK(got.last().error == error);
  }
  CHECK(heads == 2);
}

TEST_CASE("what a peer had that is gone since counts as sent", "[transport][http_client]") {
  const raw_server* of = nullptr;
  raw_server server{[&](raw_connection& peer) {
    peer.request();
    peer.send(plain_answer("hello"));
    peer.request();
    of->refuse(); // so libcurl's second connection fails
  }};
  of = &server;
  fixture f;
  http_request request;
  request.method = "POST";
  request.url = server.url();
  request.body = "pay";
  request.once = true;
  for (auto error : {errc::none, errc::connection_cut, errc::connect_failed}) {
    collector got;
    auto exchange = f.client.open(request, 1, got.receiver());
    CHECK(got.last().error == error);
  }
}

TEST_CASE("a body that comes byte by byte arrives whole and in order", "[transport][http_client]") {
  std::string body;
  for (int i = 0; i < 400; ++i)
    body += static_cast<char>('a' + i % 26);
  raw_server server{[&](raw_connection& peer) {
    peer.request();
    std::string all{chunked_head};
    for (char each : body)
      all += std::string{"1\r\n"} + each + "\r\n";
    all += "0\r\n\r\n";
    for (char each : all)
      peer.send({&each, 1});
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got);
  CHECK(got.last().error == errc::none);
  CHECK(got.body() == body);
  const auto parts = got.parts();
  CHECK(parts.front().status == 200);
  CHECK(parts.front().content_type == "text/event-stream");
  for (size_t i = 1; i < parts.size(); ++i)
    CHECK(parts[i].status == 0);
  for (size_t i = 0; i + 1 < parts.size(); ++i)
    CHECK_FALSE(parts[i].last);
}

TEST_CASE("an answer that breaks off is a cut connection", "[transport][http_client]") {
  const std::string answer =
      GENERATE(std::string{chunked_head} + "5\r\nhello\r\n",
               std::string{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"});
  const bool reset = GENERATE(false, true);
  std::promise<void> read;
  auto was_read = read.get_future().share();
  raw_server server{[&](raw_connection& peer) {
    peer.request();
    peer.send(answer);
    was_read.wait();
    if (reset)
      peer.reset_at_end();
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got);
  got.wait_for_bytes(5);
  read.set_value();
  const auto last = got.last();
  CHECK(last.error == errc::connection_cut);
  CHECK(last.error_text.find("127.0.0.1:" + std::to_string(server.port())) != std::string::npos);
  CHECK(got.body() == "hello");
}

TEST_CASE("a connection that closes without an answer is cut", "[transport][http_client]") {
  raw_server server{[](raw_connection& peer) { peer.request(); }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got);
  CHECK(got.last().error == errc::connection_cut);
  CHECK(got.last().status == 0);
}

TEST_CASE("a refused connection says who refused it", "[transport][http_client]") {
  uint16_t port = 0;
  { port = raw_server{say_hello}.port(); } // free again
  fixture f;
  collector got;
  auto exchange = f.get("http://127.0.0.1:" + std::to_string(port) + "/", got);
  const auto last = got.last();
  CHECK(last.error == errc::connect_failed);
  CHECK(last.error_text ==
        "cannot connect to 127.0.0.1:" + std::to_string(port) + ": Connection refused");
}

TEST_CASE("a request that cannot be sent fails like any other", "[transport][http_client]") {
  raw_server server{say_hello};
  http_request request;
  request.url = server.url();
  SECTION("no URL") {
    request.url = "";
  }
  SECTION("no host") {
    request.url = "http://";
  }
  SECTION("a scheme that is not spoken") {
    request.url = "file:///etc/passwd";
  }
  SECTION("a line break in the URL") {
    request.url += "a\r\nX: y";
  }
  SECTION("a line break in a header") {
    request.fields = {{"X", "a\r\nY: b"}};
  }
  SECTION("a method of two words") {
    request.method = "GET /x";
  }
  fixture f;
  collector got;
  auto exchange = f.client.open(std::move(request), 7, got.receiver());
  const auto last = got.last();
  CHECK(last.error == errc::connect_failed);
  CHECK_FALSE(last.error_text.empty());
  CHECK(last.exchange == 7);
  CHECK(got.parts().size() == 1);
  CHECK(server.accepted() == 0);
}

TEST_CASE("a certificate that is not trusted or no TLS at all is a failed connection",
          "[transport][http_client]") {
  raw_server server{[](raw_connection& peer) {
    peer.send("no TLS here");
    peer.request();
  }};
  fixture f;
  collector got;
  auto exchange = f.get("https://127.0.0.1:" + std::to_string(server.port()) + "/", got);
  CHECK(got.last().error == errc::connect_failed);
}

TEST_CASE("a request goes through the proxy that it names", "[transport][http_client]") {
  std::promise<std::string> seen;
  raw_server proxy{[&](raw_connection& peer) {
    seen.set_value(peer.request().value_or(""));
    peer.send(plain_answer("from afar"));
  }};
  fixture f;
  collector got;
  http_request request;
  request.url = "http://model.invalid/v1";
  request.proxy = proxy.url();
  auto exchange = f.client.open(std::move(request), 1, got.receiver());
  CHECK(seen.get_future().get().starts_with("GET http://model.invalid/v1 HTTP/1.1\r\n"));
  CHECK(got.last().error == errc::none);
  CHECK(got.body() == "from afar");
}

TEST_CASE("each deadline ends the exchange and names itself", "[transport][http_client]") {
  raw_server silent{[](raw_connection& peer) {
    peer.request();
    peer.request();
  }};
  raw_server stalls{[](raw_connection& peer) {
    peer.request();
    peer.send(std::string{chunked_head} + "5\r\nhello\r\n");
    peer.request();
  }};
  raw_server drips{[](raw_connection& peer) {
    peer.request();
    peer.send(chunked_head);
    while (peer.send("1\r\nx\r\n"))
      std::this_thread::yield();
  }};
  fixture f;
  collector got;
  std::unique_ptr<http_exchange> exchange;
  std::string says;
  const auto start = std::chrono::steady_clock::now();
  SECTION("first byte") {
    exchange = f.get(silent.url(), got, 1, {10s, 50ms, 10s, 10s});
    says = "did not begin its answer within 50 ms";
  }
  SECTION("idle") {
    exchange = f.get(stalls.url(), got, 1, {10s, 10s, 50ms, 10s});
    says = "sent nothing for 50 ms";
  }
  SECTION("total") {
    exchange = f.get(drips.url(), got, 1, {10s, 10s, 10s, 50ms});
    says = "did not finish its answer within 50 ms";
  }
  SECTION("total, with no other limit") {
    exchange = f.get(silent.url(), got, 1, {0ms, 0ms, 0ms, 50ms});
    says = "did not finish its answer within 50 ms";
  }
  const auto last = got.last();
  CHECK(last.error == errc::deadline_exceeded);
  CHECK(last.error_text.find(says) != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - start >= 50ms);
}

TEST_CASE("a connection that is not set up in time passes the connect deadline",
          "[transport][http_client]") {
  // TLS with a peer that takes everything and says nothing.
  raw_server mute{[](raw_connection& peer) { peer.request(); }};
  fixture f;
  collector got;
  auto exchange = f.get("https://127.0.0.1:" + std::to_string(mute.port()) + "/", got, 1,
                        {50ms, 10s, 10s, 10s});
  const auto last = got.last();
  CHECK(last.error == errc::connect_timeout);
  CHECK(last.error_text.find("did not accept a connection within 50 ms") != std::string::npos);
}

TEST_CASE("an exchange that keeps reading outlives its idle deadline", "[transport][http_client]") {
  raw_server server{[](raw_connection& peer) {
    peer.request();
    peer.send(chunked_head);
    const auto end = std::chrono::steady_clock::now() + 700ms;
    while (std::chrono::steady_clock::now() < end && peer.send("1\r\nx\r\n"))
      std::this_thread::yield();
    peer.send("0\r\n\r\n");
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got, 1, {10s, 10s, 400ms, 10s});
  CHECK(got.last().error == errc::none);
}

TEST_CASE("destroying an exchange closes its connection and silences it",
          "[transport][http_client]") {
  std::promise<void> closed;
  raw_server server{[&](raw_connection& peer) {
    peer.request();
    peer.send(std::string{chunked_head} + "5\r\nhello\r\n");
    CHECK_FALSE(peer.request().has_value());
    closed.set_value();
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got);
  got.wait_for_bytes(5);
  SECTION("from another thread") {
    exchange.reset();
  }
  SECTION("from its own loop") {
    f.on.at(0).call([&] { exchange.reset(); });
  }
  closed.get_future().get();
  f.on.at(0).call([] {});
  CHECK_FALSE(got.parts().back().last);
  CHECK(got.body() == "hello");
}

TEST_CASE("an exchange may be destroyed by its own receiver, which may open the next",
          "[transport][http_client]") {
  raw_server server{say_hello};
  fixture f;
  collector got;
  std::unique_ptr<http_exchange> first, second;
  std::promise<void> opened;
  f.on.at(0).call([&] {
    http_request request;
    request.url = server.url();
    auto held = std::make_shared<std::string>("alive");
    first = f.client.open(request, 1, [&, held, request](http_part&&) {
      first.reset();
      second = f.client.open(request, 2, got.receiver());
      CHECK(*held == "alive");
      opened.set_value();
    });
  });
  opened.get_future().get();
  CHECK(got.last().exchange == 2);
  CHECK(got.body() == "hello");
  CHECK(server.accepted() == 1);
}

TEST_CASE("open, pause and resume never call the receiver themselves", "[transport][http_client]") {
  raw_server server{say_hello};
  fixture f;
  std::promise<bool> inside;
  std::unique_ptr<http_exchange> exchange;
  f.on.at(0).call([&] {
    auto opening = std::make_shared<bool>(true);
    exchange = f.client.open({}, 1, [&, opening](http_part&&) { inside.set_value(*opening); });
    exchange->pause();
    exchange->resume();
    *opening = false;
  });
  CHECK_FALSE(inside.get_future().get());
}

TEST_CASE("a paused exchange reads no more, and resume brings the rest in pieces",
          "[transport][http_client]") {
  const std::string big(32 * 1024 * 1024, 'x');
  std::promise<size_t> blocked_at;
  std::promise<void> go;
  auto started = go.get_future().share();
  raw_server sender{[&, started](raw_connection& peer) {
    peer.request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(big.size() + 5) +
              "\r\n\r\nhello");
    started.wait();
    const size_t taken = peer.send_until_blocked(big, 300);
    blocked_at.set_value(taken);
    peer.send(std::string_view{big}.substr(taken));
  }};
  fixture f;
  collector got;
  auto exchange = f.get(sender.url(), got);
  got.wait_for_bytes(5);
  exchange->pause();
  f.on.at(0).call([] {}); // the pause has arrived
  go.set_value();
  const size_t taken = blocked_at.get_future().get();
  CHECK(taken < big.size()); // what the two kernels hold
  f.on.at(0).call([] {});
  CHECK(got.body() == "hello");
  SECTION("resumed from another thread") {
    exchange->resume();
  }
  SECTION("resumed on its loop") {
    f.on.at(0).call([&] { exchange->resume(); });
  }
  CHECK(got.last().error == errc::none);
  CHECK(got.body().size() == big.size() + 5);
  for (const auto& each : got.parts()) // others have their turn between them
    CHECK(each.bytes.size() < size_t{32} * 1024);
}

TEST_CASE("an exchange paused from the start delivers its head alone until it is resumed",
          "[transport][http_client]") {
  raw_server server{say_hello};
  fixture f;
  collector got;
  std::unique_ptr<http_exchange> exchange;
  f.on.at(0).call([&] {
    exchange = f.get(server.url(), got);
    exchange->pause();
  });
  collector other; // its end proves that the loop has gone round
  auto second = f.get(server.url(), other);
  other.wait_for_last();
  CHECK(got.body().empty());
  exchange->resume();
  CHECK(got.last().error == errc::none);
  CHECK(got.body() == "hello");
}

TEST_CASE("a paused exchange still ends by its total deadline but not by its idle one",
          "[transport][http_client]") {
  raw_server server{[](raw_connection& peer) {
    peer.request();
    peer.send(std::string{chunked_head} + "5\r\nhello\r\n");
    peer.request();
  }};
  fixture f;
  collector got;
  auto exchange = f.get(server.url(), got, 1, {10s, 10s, 300ms, 800ms});
  exchange->pause();
  CHECK(got.last().error == errc::deadline_exceeded);
  CHECK(got.last().error_text.find("did not finish") != std::string::npos);
}

TEST_CASE("two hundred exchanges run side by side", "[transport][http_client]") {
  constexpr size_t count = 200;
  std::atomic<size_t> arrived{0};
  std::promise<void> all_here;
  auto all = all_here.get_future().share();
  raw_server server{[&, all](raw_connection& peer) {
    while (auto request = peer.request()) {
      if (++arrived == count)
        all_here.set_value();
      all.wait(); // none is answered before all are open
      if (!peer.send(plain_answer(request->substr(4, request->find(" HTTP") - 4))))
        return;
    }
  }};
  fixture f{2};
  collector got;
  std::vector<std::unique_ptr<http_exchange>> open;
  for (size_t i = 0; i < count; ++i)
    open.push_back(f.get(server.url("/" + std::to_string(i)), got, i));
  got.wait_for_last(count);
  std::map<uint64_t, std::string> bodies;
  for (const auto& each : got.parts())
    bodies[each.exchange] += each.bytes;
  REQUIRE(bodies.size() == count);
  for (const auto& [number, body] : bodies)
    CHECK(body == "/" + std::to_string(number));
}

TEST_CASE("exchanges may be opened and destroyed from many threads", "[transport][http_client]") {
  raw_server server{say_hello};
  fixture f{2};
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        collector got;
        auto exchange = f.get(server.url(), got);
        if (i % 3 == t % 3) {
          // The receiver must be quiet before the collector dies.
          exchange.reset();
          for (size_t s = 0; s < f.on.size(); ++s)
            f.on.at(s).call([] {});
          ++good;
          continue;
        }
        got.wait_for_last();
        if (got.body() == "hello")
          ++good;
      }
    });
  for (auto& each : threads)
    each.join();
  CHECK(good == 200);
}

TEST_CASE("a client may be destroyed with open exchanges, in either order",
          "[transport][http_client]") {
  std::atomic<size_t> closed{0};
  std::promise<void> all_closed;
  raw_server server{[&](raw_connection& peer) {
    peer.request();
    peer.send(std::string{chunked_head} + "5\r\nhello\r\n");
    peer.request();
    if (++closed == 20)
      all_closed.set_value();
  }};
  shards on{2};
  std::optional<http_client> client{on};
  collector got;
  std::vector<std::unique_ptr<http_exchange>> open;
  for (uint64_t i = 0; i < 20; ++i) {
    http_request request;
    request.url = server.url();
    open.push_back(client->open(std::move(request), i, got.receiver()));
  }
  got.wait_for_bytes(100);
  SECTION("the loops run") {
    client.reset();
    all_closed.get_future().get();
  }
  SECTION("the loops have stopped") {
    on.stop();
    client.reset();
    all_closed.get_future().get();
  }
  open.clear();
  for (const auto& each : got.parts())
    CHECK_FALSE(each.last);
}

TEST_CASE("libcurl resolves names without blocking the loop", "[transport][http_client]") {
  const auto* version = curl_version_info(CURLVERSION_NOW);
  CHECK((version->features & CURL_VERSION_ASYNCHDNS) != 0);
  CHECK(version->version_num >= 0x075700); // CURLOPT_QUICK_EXIT
}

} // namespace http_client_test

// Bodies that go elsewhere than into memory.
#include <atomic>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace http_server_sinks_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// What a sink has taken, and what it wishes after so many bytes.
struct sink_notes {
  mailbox<std::string> pieces;
  mailbox<std::function<void()>> go_on;
  mailbox<bool> gone;
  std::atomic<size_t> taken{0};
  size_t wait_at = SIZE_MAX;
  size_t stop_at = SIZE_MAX;
  size_t throw_at = SIZE_MAX;
};

class noting_sink final : public body_sink {
public:
  explicit noting_sink(sink_notes& notes) : notes_{notes} {}
  ~noting_sink() override { notes_.gone.put(true); }

  void watch(std::function<void()> go_on) override { notes_.go_on.put(std::move(go_on)); }

  wish take(std::string_view bytes) override {
    const auto before = notes_.taken.fetch_add(bytes.size());
    const auto now = before + bytes.size();
    if (now >= notes_.throw_at)
      throw std::bad_alloc{};
    notes_.pieces.put(std::string{bytes});
    if (now >= notes_.stop_at)
      return wish::stop;
    return before < notes_.wait_at && now >= notes_.wait_at ? wish::wait : wish::more;
  }

private:
  sink_notes& notes_;
};

/// A server whose bodies below /take go to a sink.
struct sink_fixture {
  explicit sink_fixture(server_limits limits = {}, size_t most = 0, size_t loop_count = 2)
      : loops{loop_count}, server{loops, limits, handler(),
                                  [this, most](const server_request& request) {
                                    body_permit out{.read = true, .answers_too_large = true};
                                    if (request.path == "/take") {
                                      out.sink = std::make_shared<noting_sink>(notes);
                                      out.max_body_bytes = most;
                                    }
                                    return out;
                                  }} {
    if (const auto failed = server.listen("127.0.0.1:0"))
      throw std::runtime_error{failed.text()};
  }

  static request_handler handler() {
    return [](server_request&& request, std::shared_ptr<http_response> response) {
      response->send(request.too_large ? 413 : 200, {},
                     (request.taken ? "taken " : "kept ") + std::to_string(request.body.size()) +
                         '.');
    };
  }

  raw_client connect() const { return raw_client{server.port()}; }

  sink_notes notes;
  shards loops;
  http_server server;
};

std::string post(const std::string& path, size_t length, const std::string& body) {
  return "POST " + path + " HTTP/1.1\r\nhost: x\r\ncontent-length: " + std::to_string(length) +
         "\r\n\r\n" + body;
}

} // namespace

TEST_CASE("a body goes to its sink, and the next request is read as ever",
          "[transport][http_server]") {
  sink_fixture on;
  auto client = on.connect();
  client.send(post("/take", 10, "01234"));
  CHECK(on.notes.pieces.take() == "01234");
  client.send("56789" + post("/", 3, "abc"));
  CHECK(client.read_until("taken 0.").starts_with("HTTP/1.1 200 "));
  CHECK(on.notes.pieces.take() == "56789");
  CHECK(client.read_until("kept 3.").starts_with("HTTP/1.1 200 "));
  CHECK(on.notes.gone.take());
}

TEST_CASE("a chunked body goes to its sink without its chunks", "[transport][http_server]") {
  sink_fixture on;
  auto client = on.connect();
  client.send("POST /take HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n"
              "2\r\nde\r\n0\r\n\r\n");
  client.read_until("taken 0.");
  CHECK(on.notes.taken == 5);
}

TEST_CASE("a sink that waits stops the client, and only a little is in memory",
          "[transport][http_server]") {
  sink_fixture on{{}, 200'000'000};
  on.notes.wait_at = 1;
  auto client = on.connect();
  const std::string much(60'000'000, 'x'); // more than the system holds for both sides
  std::thread sender{[&] { client.send(post("/take", much.size(), much)); }};
  auto go_on = on.notes.go_on.take();
  const auto first = on.notes.pieces.take();
  CHECK(on.notes.taken == first.size());
  CHECK(on.server.load().buffered_bytes < 1'000'000);
  go_on();
  sender.join();
  client.read_until("taken 0.");
  CHECK(on.notes.taken == much.size());
}

TEST_CASE("a sink that has enough has the request answered at once", "[transport][http_server]") {
  sink_fixture on;
  on.notes.stop_at = 3;
  auto client = on.connect();
  client.send(post("/take", 1'000'000, "abcdef"));
  const auto all = client.read_all();
  CHECK(all.ends_with("taken 0."));
  CHECK(all.find("connection: close\r\n") != std::string::npos);
}

TEST_CASE("a request of which a piece was lost is refused, also of the last one",
          "[transport][http_server]") {
  const bool is_last = GENERATE(false, true);
  sink_fixture on;
  on.notes.throw_at = 3;
  auto client = on.connect();
  client.send(post("/take", is_last ? 6 : 1000, "abcdef"));
  const auto all = client.read_all();
  CHECK(all.starts_with("HTTP/1.1 503 "));
  CHECK(all.find("taken") == std::string::npos);
  CHECK(on.notes.gone.take());
}

TEST_CASE("a request over which the gate throws is refused, and never read without its body",
          "[transport][http_server]") {
  shards loops{1};
  bool short_of_memory = true;
  http_server server{loops, {}, sink_fixture::handler(), [&](const server_request&) {
                       if (std::exchange(short_of_memory, false))
                         throw std::bad_alloc{};
                       return body_permit{};
                     }};
  REQUIRE_FALSE(server.listen("127.0.0.1:0"));
  raw_client client{server.port()};
  client.send(post("/", 3, "abc"));
  const auto all = client.read_all();
  CHECK(all.starts_with("HTTP/1.1 503 "));
  CHECK(all.find("kept") == std::string::npos);
  raw_client next{server.port()};
  next.send(post("/", 3, "abc"));
  CHECK(next.read_until("kept 3.").starts_with("HTTP/1.1 200 "));
}

TEST_CASE("a client that leaves in mid-body takes its sink along", "[transport][http_server]") {
  sink_fixture on;
  {
    auto client = on.connect();
    client.send(post("/take", 10, "01234"));
    CHECK(on.notes.pieces.take() == "01234");
  }
  CHECK(on.notes.gone.take());
}

TEST_CASE("a call to a connection that is gone does nothing", "[transport][http_server]") {
  sink_fixture on;
  on.notes.wait_at = 1;
  std::function<void()> go_on;
  {
    auto client = on.connect();
    client.send(post("/take", 10, "01234"));
    go_on = on.notes.go_on.take();
    on.notes.pieces.take();
    client.close_with_reset();
  }
  go_on();
  auto other = on.connect();
  other.send(post("/", 1, "a"));
  CHECK(other.read_until("kept 1.").starts_with("HTTP/1.1 200 "));
}

TEST_CASE("a call for an earlier body does not have the next one read on",
          "[transport][http_server]") {
  sink_fixture on{{}, 0, 1};
  on.notes.wait_at = 6;
  auto client = on.connect();
  client.send(post("/take", 5, "01234"));
  client.read_until("taken 0.");
  const auto earlier = on.notes.go_on.take();
  const std::string much(300'000, 'x'); // in one write: all of it is there to be read
  client.send(post("/take", much.size(), much));
  const auto go_on = on.notes.go_on.take();
  CHECK(on.notes.pieces.take() == "01234");
  const auto first = on.notes.pieces.take();
  earlier();
  auto other = on.connect(); // of the same loop, which has then done all that it had to
  for (int i = 0; i < 3; ++i) {
    other.send(post("/", 1, "a"));
    other.read_until("kept 1.");
  }
  CHECK(on.notes.taken == 5 + first.size());
  go_on();
  client.read_until("taken 0.");
  CHECK(on.notes.taken == 5 + much.size());
}

TEST_CASE("a body has the limit of its route, and its handler answers beyond",
          "[transport][http_server]") {
  server_limits limits;
  limits.max_body_bytes = 100;
  sink_fixture on{limits, 1000};
  auto client = on.connect();
  client.send(post("/take", 1000, std::string(1000, 'x')));
  CHECK(client.read_until("taken 0.").starts_with("HTTP/1.1 200 "));
  const std::string path = GENERATE("/take", "/");
  client.send(post(path, 1001, ""));
  const auto all = client.read_all();
  CHECK(all.starts_with("HTTP/1.1 413 "));
  CHECK(all.ends_with("0."));
}

} // namespace http_server_sinks_test

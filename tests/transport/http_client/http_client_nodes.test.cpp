// What requests to other nodes of a cluster want of the client: the whole head, and a peer that is
// missed soon.
#include "transport/http_client/http_client.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/raw_server.hpp"
#include "transport/loop/loop.hpp"

namespace http_client_nodes_test {

using namespace std::chrono_literals;
using namespace troupe;
using troupe::test::raw_connection;
using troupe::test::raw_server;

namespace {

/// One exchange that is waited for; its first part, and how it ended.
struct waited_exchange {
  explicit waited_exchange(http_request request) {
    exchange = client.open(std::move(request), 1, [this](http_part&& part) {
      if (part.status != 0)
        head = std::move(part.head);
      if (part.last)
        done.set_value(part.error);
    });
  }

  /// @throws if it does not end within 30 s
  errc ends() {
    auto result = done.get_future();
    if (result.wait_for(30s) != std::future_status::ready)
      throw std::runtime_error{"the exchange does not end"};
    return result.get();
  }

  std::promise<errc> done;
  headers head;
  shards on{1};
  http_client client{on};
  std::unique_ptr<http_exchange> exchange;
};

} // namespace

TEST_CASE("whoever wants the head of an answer gets all its fields, in their order",
          "[transport][http_client]") {
  raw_server server{[](raw_connection& peer) {
    peer.request();
    peer.send("HTTP/1.1 102 Processing\r\nX-Early: 1\r\n\r\n");
    peer.send("HTTP/1.1 200 OK\r\nX-One:  a b \r\nContent-Type: a/b\r\nx-one: c\r\nX-Empty:\r\n"
              "Content-Length: 0\r\n\r\n");
    peer.request();
  }};
  http_request request;
  request.url = server.url();
  request.wants_head = GENERATE(true, false);
  const bool wanted = request.wants_head;
  waited_exchange it{std::move(request)};
  CHECK(it.ends() == errc::none);
  std::string all;
  for (const auto& each : it.head)
    all += each.name + '=' + each.value + ';';
  CHECK(all == (wanted ? "x-one=a b;content-type=a/b;x-one=c;x-empty=;content-length=0;" : ""));
}

TEST_CASE("a peer whose side takes nothing is given up", "[transport][http_client]") {
  std::promise<void> over;
  auto ended = over.get_future().share();
  raw_server server{[ended](raw_connection&) { ended.wait(); }}; // reads nothing
  http_request request;
  request.method = "POST";
  request.url = server.url();
  request.body = std::string(size_t{64} << 20, 'x'); // more than both kernels hold
  request.deadlines = {1s, 0s, 0s, 20s, 300ms};
  waited_exchange it{std::move(request)};
  const auto error = it.ends();
  over.set_value();
  CHECK(error == errc::connection_cut); // not the deadline of the whole exchange
}

} // namespace http_client_nodes_test

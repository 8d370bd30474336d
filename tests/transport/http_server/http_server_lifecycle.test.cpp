#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace http_server_lifecycle_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

} // namespace

TEST_CASE("a watcher that comes after the client has left is told", "[transport][http_server]") {
  http_fixture on;
  mailbox<response_signal> signals;
  auto client = on.connect();
  client.send(get);
  auto response = on.requests.take().response;
  on.server.close();
  response->watch([&](response_signal what) { signals.put(what); });
  CHECK(signals.take() == response_signal::gone);
}

TEST_CASE("an answer dropped in the middle does not look complete", "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send(get);
  auto response = on.requests.take().response;
  response->start(200, {});
  response->write("half");
  SECTION("by its owner") {
    response.reset();
  }
  SECTION("by reset") {
    response->reset();
  }
  const auto all = client.read_all();
  CHECK(all.ends_with("4\r\nhalf\r\n"));
}

TEST_CASE("an HTTP/1.0 answer dropped in the middle ends with a reset",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send("GET / HTTP/1.0\r\n\r\n");
  auto response = on.requests.take().response;
  response->start(200, {});
  response->write("half");
  client.read_until("half");
  response.reset();
  client.read_all();
  CHECK(client.was_reset());
}

TEST_CASE("an answer that is never begun closes the connection", "[transport][http_server]") {
  http_fixture on{{}, [](server_request&&, std::shared_ptr<http_response>) {}};
  auto client = on.connect();
  client.send(get);
  CHECK(client.read_all().empty());
}

TEST_CASE("a handler that throws has its request refused, which may be tried again",
          "[transport][http_server]") {
  mailbox<std::shared_ptr<http_response>> kept;
  http_fixture on{{}, [&](server_request&& request, std::shared_ptr<http_response> response) {
                    if (request.path == "/throw") {
                      kept.put(response);
                      throw std::runtime_error{"no"};
                    }
                    response->send(200, {}, "fine");
                  }};
  auto other = on.connect();
  auto client = on.connect();
  client.send("GET /throw HTTP/1.1\r\nhost: x\r\n\r\n");
  const auto answer = client.read_all();
  CHECK(answer.starts_with("HTTP/1.1 503 "));
  CHECK(answer.find("\"code\":\"internal\"") != std::string::npos);
  kept.take()->send(200, {}, "too late"); // meets nobody
  other.send(get);
  other.read_until("fine");
}

TEST_CASE("stop_accepting lets a running answer end and closes what is idle",
          "[transport][http_server]") {
  mailbox<response_signal> signals;
  http_fixture on;
  auto idle = on.connect();
  idle.send(get);
  on.requests.take().response->send(200, {}, "done");
  idle.read_until("done");
  auto client = on.connect();
  auto response = open_stream(on, client, signals);
  on.server.stop_accepting();
  CHECK(idle.read_all().empty());
  CHECK_THROWS(on.connect());
  response->write("last words");
  response->finish();
  CHECK(client.read_all() == "a\r\nlast words\r\n0\r\n\r\n");
  CHECK(signals.empty());
}

TEST_CASE("a server that announces its end closes each connection after its next answer",
          "[transport][http_server]") {
  http_fixture on;
  auto kept = on.connect();
  kept.send(get);
  on.requests.take().response->send(200, {}, "one");
  CHECK(kept.read_until("one").find("connection: close") == std::string::npos);
  on.server.announce_end();
  auto fresh = on.connect();
  for (auto* each : {&kept, &fresh}) {
    each->send(get);
    on.requests.take().response->send(200, {}, "two");
    CHECK(each->read_all().find("connection: close") != std::string::npos);
  }
}

TEST_CASE("a server that stops listening serves who has connected", "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  on.server.stop_listening();
  CHECK_THROWS(on.connect());
  client.send(get);
  on.requests.take().response->send(200, {}, "done");
  client.read_until("done");
  client.send(get);
  on.requests.take().response->send(200, {}, "again");
  client.read_until("again");
}

TEST_CASE("a server that closes ends a hundred open streams, each with one signal",
          "[transport][http_server]") {
  std::vector<std::shared_ptr<http_response>> responses;
  mailbox<response_signal> signals;
  http_fixture on;
  std::vector<raw_client> clients;
  for (int i = 0; i < 100; ++i) {
    clients.push_back(on.connect());
    responses.push_back(open_stream(on, clients.back(), signals));
  }
  CHECK(on.server.connections() == 100);
  on.server.close();
  CHECK(on.server.connections() == 0);
  for (int i = 0; i < 100; ++i)
    CHECK(signals.take() == response_signal::gone);
  CHECK(signals.empty());
  for (auto& client : clients)
    CHECK(client.read_all().empty());
}

TEST_CASE("answers may be written by many threads while clients come and go",
          "[transport][http_server]") {
  http_fixture on;
  constexpr int rounds = 40;
  std::vector<std::thread> writers;
  for (int t = 0; t < 3; ++t)
    writers.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        auto response = on.requests.take().response;
        response->watch([](response_signal) {});
        response->start(200, {});
        for (int n = 0; n < 20; ++n)
          response->write("some bytes");
        if (i % 4 != 0)
          response->finish();
      }
    });
  size_t complete = 0;
  for (int i = 0; i < 3 * rounds; ++i) {
    auto client = on.connect();
    client.send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    if (i % 3 == 0)
      client.close();
    else if (client.read_all().ends_with("\r\n0\r\n\r\n"))
      ++complete;
  }
  for (auto& writer : writers)
    writer.join();
  CHECK(complete > 0);
  CHECK(complete <= 80);
}

} // namespace http_server_lifecycle_test

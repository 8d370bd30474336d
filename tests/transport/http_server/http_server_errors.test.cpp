#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace http_server_errors_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const std::string get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

void check_refused(raw_client& client, const std::string& status, const std::string& code) {
  const auto all = client.read_all();
  CHECK(all.starts_with("HTTP/1.1 " + status + " "));
  CHECK(all.find("content-type: application/json\r\n") != std::string::npos);
  CHECK(all.find("connection: close\r\n") != std::string::npos);
  CHECK(all.find(R"({"error":{"code":")" + code + R"(","message":")") != std::string::npos);
  CHECK(all.ends_with("\"}}"));
  CHECK_FALSE(client.was_reset());
}

} // namespace

TEST_CASE("malformed requests are answered with 400", "[transport][http_server]") {
  const std::string request = GENERATE(
      "nonsense\r\n\r\n", "GET / HTTP/1.1\nhost: x\n\n", "GET  / HTTP/1.1\r\nhost: x\r\n\r\n",
      "\x16\x03\x01\x02", "GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n",
      "GET /%00 HTTP/1.1\r\nhost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n", "GET / HTTP/1.1\r\nhost : x\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: x\r\n folded\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n", "GET x HTTP/1.1\r\nhost: x\r\n\r\n",
      "GET / HTTP/1.a\r\nhost: x\r\n\r\n", "GET / HTTP/0x1\r\nhost: x\r\n\r\n",
      "GET x?y=http://h/z HTTP/1.1\r\nhost: x\r\n\r\n", "GET ftp://h/z HTTP/1.1\r\nhost: x\r\n\r\n",
      "GET http:///z HTTP/1.1\r\nhost: x\r\n\r\n",
      "GET http://[::1]x/z HTTP/1.1\r\nhost: x\r\n\r\n", "GET / HTTP/1.1\r\nhost:\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: [x]\r\n\r\n", "GET / HTTP/1.1\r\nhost: x:y\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: ....\r\n\r\n", "GET / HTTP/1.0\r\nhost: a@b\r\n\r\n",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1, 1\r\n\r\na",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\na",
      "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n");
  CAPTURE(request);
  http_fixture on;
  auto client = on.connect();
  client.send(request);
  check_refused(client, "400", "request_invalid");
  CHECK(on.requests.empty());
}

TEST_CASE("what is well-formed but not understood has its own answer", "[transport][http_server]") {
  const auto [request, status] = GENERATE(table<std::string, std::string>(
      {{"GET / HTTP/2.0\r\nhost: x\r\n\r\n", "505"},
       {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505"},
       {"GET / HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\n\r\n", "417"},
       {"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n", "501"}}));
  http_fixture on;
  auto client = on.connect();
  client.send(request);
  check_refused(client, status, "request_invalid");
}

TEST_CASE("a body that is announced as too large is refused before it is sent",
          "[transport][http_server]") {
  server_limits limits;
  limits.max_body_bytes = 100;
  http_fixture on{limits};
  auto client = on.connect();
  client.send("POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 101\r\n\r\n");
  check_refused(client, "413", "request_too_large");
}

TEST_CASE("a chunked body is refused as soon as it is too large", "[transport][http_server]") {
  server_limits limits;
  limits.max_body_bytes = 100;
  http_fixture on{limits};
  auto client = on.connect();
  client.send("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n40\r\n" +
              std::string(64, 'a') + "\r\n40\r\n" + std::string(64, 'b') + "\r\n0\r\n\r\n");
  check_refused(client, "413", "request_too_large");
}

TEST_CASE("a client that keeps sending its too large body still reads why it was refused",
          "[transport][http_server]") {
  server_limits limits;
  limits.max_body_bytes = 1000;
  http_fixture on{limits};
  auto client = on.connect();
  client.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n" +
              std::string(2'000'000, 'a'));
  check_refused(client, "413", "request_too_large");
}

TEST_CASE("headers beyond the limit are answered with 431, complete or not",
          "[transport][http_server]") {
  server_limits limits;
  limits.max_header_bytes = 1000;
  http_fixture on{limits};
  const std::string end = GENERATE("", "\r\n\r\n");
  auto client = on.connect();
  client.send("GET / HTTP/1.1\r\nhost: x\r\nx-long: " + std::string(1200, 'a') + end);
  check_refused(client, "431", "request_too_large");
}

TEST_CASE("headers within the limit pass, whatever their number", "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  std::string request = "GET / HTTP/1.1\r\nhost: x\r\n";
  for (int i = 0; i < 400; ++i)
    request += "x-field-" + std::to_string(i) + ": some value\r\n";
  client.send(request + "\r\n");
  const auto got = on.requests.take().request;
  CHECK(got.fields.size() == 401);
  CHECK(find_header(got.fields, "x-field-399") == "some value");
}

TEST_CASE("one connection too many is told so with 503 and the others go on",
          "[transport][http_server]") {
  server_limits limits;
  limits.max_connections = 2;
  http_fixture on{limits, echo()};
  std::vector<raw_client> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(on.connect());
    clients.back().send(get);
    clients.back().read_until("GET / ");
  }
  auto rejected = on.connect();
  rejected.send(get);
  check_refused(rejected, "503", "too_many_connections");
  for (auto& client : clients) {
    client.send(get);
    CHECK(client.read_until("GET / ").starts_with("HTTP/1.1 200"));
  }
}

TEST_CASE("a request head that does not become complete is answered with 408",
          "[transport][http_server]") {
  server_limits limits;
  limits.header_timeout = 600ms;
  http_fixture on{limits};
  auto client = on.connect();
  client.send("GET / HTTP/1.1\r\nhost:");
  check_refused(client, "408", "deadline_exceeded");
}

TEST_CASE("a body that stops coming is answered with 408", "[transport][http_server]") {
  server_limits limits;
  limits.body_timeout = 60ms;
  http_fixture on{limits};
  auto client = on.connect();
  client.send("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab");
  check_refused(client, "408", "deadline_exceeded");
}

TEST_CASE("a connection without a request is closed without a word", "[transport][http_server]") {
  server_limits limits;
  limits.header_timeout = limits.idle_timeout = 600ms;
  http_fixture on{limits, echo()};
  auto silent = on.connect();
  CHECK(silent.read_all().empty());
  CHECK_FALSE(silent.was_reset());
  auto idle = on.connect();
  idle.send(get);
  CHECK(idle.read_until("GET / ").starts_with("HTTP/1.1 200"));
  CHECK(idle.read_all().empty());
}

TEST_CASE("a port in use is refused, also to a second server that would share it",
          "[transport][http_server]") {
  http_fixture first;
  shards loops{1};
  http_server second{loops, {}, echo()};
  const auto port = std::to_string(first.server.port());
  const auto failed = second.listen("127.0.0.1:" + port);
  CHECK(failed.code == errc::address_unavailable);
  CHECK(failed.message == "127.0.0.1:" + port + " is already in use; choose another with --listen");
  CHECK(second.listen("0.0.0.0:" + port).code == errc::address_unavailable);
  first.server.close();
  CHECK_FALSE(second.listen("127.0.0.1:" + port));
}

TEST_CASE("a port with closed connections of a server before can be used at once",
          "[transport][http_server]") {
  http_fixture first{{}, echo()};
  const auto port = first.server.port();
  auto client = first.connect();
  client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  client.read_until("GET / ");
  first.server.close(); // the server's side closes first and stays behind in TIME_WAIT
  CHECK(client.read_all().empty());
  shards loops{2};
  http_server second{loops, {}, echo()};
  CHECK_FALSE(second.listen("127.0.0.1:" + std::to_string(port)));
}

TEST_CASE("what is no address is refused with the reason", "[transport][http_server]") {
  shards loops{1};
  http_server server{loops, {}, echo()};
  for (const char* text : {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:99999",
                           "127.0.0.1:8x", "::1:8080"}) {
    CAPTURE(text);
    CHECK(server.listen(text).code == errc::config_invalid);
  }
  CHECK(server.listen("192.0.2.1:0").code == errc::address_unavailable);
  CHECK(server.port() == 0);
  CHECK_FALSE(server.listen("localhost:0"));
  CHECK(server.port() != 0);
}

} // namespace http_server_errors_test

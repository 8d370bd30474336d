#include "transport/http_server/http_server.hpp"

#include <array>
#include <cstdio>
#include <memory>

#include "tests/support/catch.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace http_server_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string get = "GET /a HTTP/1.1\r\nhost: x\r\n\r\n";

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe{::popen(command.c_str(), "r"), ::pclose};
  std::string out;
  std::array<char, 4096> buffer{};
  while (const auto size = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    out.append(buffer.data(), size);
  return out;
}

} // namespace

TEST_CASE("a connection carries one request after the other", "[transport][http_server]") {
  http_fixture on{{}, echo()};
  auto client = on.connect();
  for (int i = 0; i < 3; ++i) {
    client.send(get);
    const auto head = client.read_until("\r\n\r\n");
    CHECK(head.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(head.find("content-length: 7\r\n") != std::string::npos);
    CHECK(head.find("connection:") == std::string::npos);
    CHECK(client.read_bytes(7) == "GET /a ");
  }
  CHECK(on.server.connections() == 1);
}

TEST_CASE("a handler gets the whole request, with decoded path, raw query and lower-case names",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send(
      "PROPFIND /caf%C3%A9/b%2Fc?q=%26x&y=1 HTTP/1.1\r\nHost: h\r\nX-Custom-Thing:  v w \r\n"
      "Mcp-Session-Id: 7\r\nContent-Length: 4\r\n\r\nbody");
  const auto got = on.requests.take().request;
  CHECK(got.method == "PROPFIND");
  CHECK(got.path == "/caf\xC3\xA9/b/c");
  CHECK(got.query == "q=%26x&y=1");
  CHECK(got.body == "body");
  CHECK(find_header(got.fields, "x-custom-thing") == "v w");
  CHECK(find_header(got.fields, "mcp-session-id") == "7");
  CHECK(got.peer.starts_with("127.0.0.1:"));
}

TEST_CASE("a streamed answer is sent in chunks that end with an empty one",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send(get);
  const auto got = on.requests.take();
  got.response->start(200, {{"content-type", "text/event-stream"}});
  got.response->write("0123456789abcdef");
  const auto head = client.read_until("\r\n\r\n");
  CHECK(head.find("transfer-encoding: chunked\r\n") != std::string::npos);
  CHECK(client.read_until("f\r\n") == "10\r\n0123456789abcdef\r\n");
  got.response->write("");
  got.response->write("z");
  got.response->finish();
  CHECK(client.read_until("0\r\n\r\n") == "1\r\nz\r\n0\r\n\r\n");
  client.send(get);
  CHECK(on.requests.take().request.path == "/a");
}

TEST_CASE("an answer that another thread writes arrives whole and in order",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send(get);
  auto response = on.requests.take().response;
  std::string expected;
  response->start(200, {});
  for (int i = 0; i < 500; ++i) {
    const auto line = "line " + std::to_string(i) + "\n";
    expected += line;
    response->write(line);
  }
  response->finish();
  response.reset();
  client.read_until("\r\n\r\n");
  std::string body;
  for (;;) {
    const auto size = std::stoul(client.read_until("\r\n"), nullptr, 16);
    body += client.read_bytes(size);
    client.read_bytes(2);
    if (size == 0)
      break;
  }
  CHECK(body == expected);
}

TEST_CASE("HEAD gets the head of the answer and no body", "[transport][http_server]") {
  http_fixture on{{}, [](server_request&& request, std::shared_ptr<http_response> response) {
                    if (request.path == "/stream") {
                      response->start(200, {});
                      response->write("abc");
                      response->finish();
                    } else {
                      response->send(200, {}, "abc");
                    }
                  }};
  auto client = on.connect();
  client.send("HEAD / HTTP/1.1\r\nhost: x\r\n\r\nHEAD /stream HTTP/1.1\r\nhost: x\r\n\r\n");
  CHECK(client.read_until("\r\n\r\n").find("content-length: 3\r\n") != std::string::npos);
  CHECK(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
  client.send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  CHECK(client.read_all().ends_with("connection: close\r\n\r\nabc"));
}

TEST_CASE("an HTTP/1.0 client gets a stream without chunks that ends with the connection",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send("GET / HTTP/1.0\r\n\r\n");
  auto response = on.requests.take().response;
  response->start(200, {});
  response->write("ab");
  response->write("cd");
  response->finish();
  const auto all = client.read_all();
  CHECK(all.find("chunked") == std::string::npos);
  CHECK(all.find("connection: close\r\n") != std::string::npos);
  CHECK(all.ends_with("\r\n\r\nabcd"));
  CHECK_FALSE(client.was_reset());
}

TEST_CASE("an HTTP/1.0 client that asks for it keeps its connection", "[transport][http_server]") {
  http_fixture on{{}, echo()};
  auto client = on.connect();
  for (int i = 0; i < 2; ++i) {
    client.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
    CHECK(client.read_until("\r\n\r\n").find("connection: keep-alive\r\n") != std::string::npos);
    client.read_bytes(6);
  }
}

TEST_CASE("pipelined requests are served one at a time and answered in order",
          "[transport][http_server]") {
  http_fixture on;
  auto client = on.connect();
  client.send(
      "POST /1 HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\none"
      "POST /2 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
      "GET /3 HTTP/1.1\r\nhost: x\r\n\r\n");
  for (const std::string path : {"/1", "/2", "/3"}) {
    const auto got = on.requests.take();
    CHECK(got.request.path == path);
    CHECK(on.requests.empty());
    got.response->send(200, {}, path + got.request.body);
  }
  CHECK(client.read_until("/1one").find("200") != std::string::npos);
  CHECK(client.read_until("/2two").find("200") != std::string::npos);
  CHECK(client.read_until("/3").find("200") != std::string::npos);
}

TEST_CASE("a request that comes byte by byte is the same request", "[transport][http_server]") {
  http_fixture on{{}, echo()};
  auto client = on.connect();
  const std::string request = "POST /slow HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
                              "5;ext=1\r\nhello\r\n1\r\n!\r\n0\r\ntrailer: t\r\n\r\n";
  for (const char byte : request)
    client.send({&byte, 1});
  CHECK(client.read_until("hello!").ends_with("POST /slow hello!"));
}

TEST_CASE("a client that expects 100-continue is told to go on", "[transport][http_server]") {
  http_fixture on{{}, echo()};
  auto client = on.connect();
  client.send("POST /c HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n");
  CHECK(client.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ok");
  CHECK(client.read_until("POST /c ok").starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST_CASE("curl uploads and downloads several megabytes", "[transport][http_server]") {
  http_fixture on{{}, [](server_request&& request, std::shared_ptr<http_response> response) {
                    response->start(200, {});
                    response->write(request.body);
                    response->write(request.body);
                    response->finish();
                  }};
  const auto url = "http://127.0.0.1:" + std::to_string(on.server.port()) + "/";
  const auto sizes =
      output_of("head -c 3000000 /dev/zero | curl -s -m 20 -o /dev/null --data-binary "
                "@- -w '%{http_code} %{size_download}' " +
                url);
  CHECK(sizes == "200 6000000");
}

TEST_CASE("header values cannot end their line", "[transport][http_server]") {
  http_fixture on{{}, [](server_request&&, std::shared_ptr<http_response> response) {
                    response->send(200, {{"x-name", "a\r\nx-evil: b"}}, "");
                  }};
  auto client = on.connect();
  client.send(get);
  CHECK(client.read_until("\r\n\r\n").find("x-name: a  x-evil: b\r\n") != std::string::npos);
}

TEST_CASE("an answer without content has neither length nor body", "[transport][http_server]") {
  http_fixture on{{}, [](server_request&&, std::shared_ptr<http_response> response) {
                    response->send(204, {}, "");
                  }};
  auto client = on.connect();
  client.send(get + get);
  for (int i = 0; i < 2; ++i) {
    const auto head = client.read_until("\r\n\r\n");
    CHECK(head.starts_with("HTTP/1.1 204 No Content\r\n"));
    CHECK(head.find("content-length") == std::string::npos);
    CHECK(head.find("chunked") == std::string::npos);
  }
}

TEST_CASE("every shard gets connections", "[transport][http_server]") {
  http_fixture on{{}, [](server_request&&, std::shared_ptr<http_response> response) {
                    response->send(200, {}, "shard " + std::to_string(loop::current()->index()));
                  }};
  size_t on_first = 0;
  for (int i = 0; i < 64; ++i) { // the kernel chooses by a hash of the client's port
    auto client = on.connect();
    client.send(get);
    client.read_until("shard ");
    on_first += client.read_bytes(1) == "0" ? 1 : 0;
  }
  CHECK(on_first > 0);
  CHECK(on_first < 64);
}

} // namespace http_server_test

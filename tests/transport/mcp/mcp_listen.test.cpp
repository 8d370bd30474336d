#include "transport/mcp/mcp_listen.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"

namespace mcp_listen_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("http: the server's own stream, refused after it was open, ends the channel",
          "[transport][mcp_listen]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  listen->answer(200, sse_type, {});
  test.http.next("GET")->answer(404, {}, {});
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_session_lost);
  test.http.wait_for_alive(0);
}

TEST_CASE("http: a message beyond the limit on the server's own stream ends the channel",
          "[transport][mcp_listen]") {
  auto limits = mcp_http_fixture::quick();
  limits.answer_bytes = 100;
  mcp_http_fixture test{limits};
  const auto listen = test.connect();
  listen->head(200, sse_type);
  listen->bytes("data: " + std::string(101, ' '));
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_protocol);
  test.http.wait_for_alive(0);
}

TEST_CASE("http: a server that offers no stream of its own is not asked again",
          "[transport][mcp_listen]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  SECTION("with 405") {
    listen->answer(405, {}, {});
  }
  SECTION("with 404") {
    listen->answer(404, {}, {});
  }
  SECTION("with a page") {
    listen->answer(200, "text/html", "<html>");
  }
  test.channel->send(request(2));
  test.http.next("POST")->answer(200, json_type, response(2));
  test.inbox.next(mcp_signal::received);
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

TEST_CASE("http: the server's own stream is reopened after its last event",
          "[transport][mcp_listen]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  CHECK(listen->request.deadlines.idle == 0ms);
  CHECK(listen->request.deadlines.first_byte == 0ms);
  listen->head(200, sse_type);
  listen->bytes(sse("g1", "{\"method\":\"notifications/tools/list_changed\"}"));
  CHECK(test.inbox.messages(1).front() == "{\"method\":\"notifications/tools/list_changed\"}");
  listen->end(errc::connection_cut);
  const auto second = test.http.next("GET");
  CHECK(second->field("Last-Event-ID") == "g1");
  second->end(errc::connect_failed);
  const auto third = test.http.next("GET");
  third->answer(GENERATE(as<uint16_t>{}, 503, 409, 429), {}, {});
  const auto fourth = test.http.next("GET");
  fourth->answer(405, {}, {});
  test.http.wait_for_alive(0);
  test.loops.at(0).call([] {});
  CHECK(test.http.idle());
}

TEST_CASE("http: a response that comes on the server's own stream settles the request",
          "[transport][mcp_listen]") {
  auto limits = mcp_http_fixture::quick();
  limits.linger = 1ms;
  mcp_http_fixture test{limits};
  const auto listen = test.connect();
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  listen->head(200, sse_type);
  listen->bytes(sse("g1", response(2)));
  CHECK(test.inbox.messages(1).front() == response(2));
  test.http.wait_for_alive(1);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: the server's own stream is reopened after the time the server asks for",
          "[transport][mcp_listen]") {
  auto limits = mcp_http_fixture::quick();
  SECTION("which may be longer than ours") {
    mcp_http_fixture test{limits};
    const auto listen = test.connect();
    const auto before = std::chrono::steady_clock::now();
    listen->answer(200, sse_type, "retry: 110\n\n");
    test.http.next("GET")->answer(405, {}, {});
    CHECK(std::chrono::steady_clock::now() - before >= 110ms);
  }
  SECTION("which may be shorter") {
    limits.retry = limits.longest_retry = 1h;
    mcp_http_fixture test{limits};
    test.connect()->answer(200, sse_type, "retry: 100\n\n");
    test.http.next("GET")->answer(200, sse_type, "retry: 100\n\n");
    test.http.next("GET")->answer(200, sse_type, "retry: 100\n\n");
    CHECK(test.http.next("GET")->field("Accept") == sse_type);
  }
}

TEST_CASE("http: the server's own stream has no request of ours to relate to",
          "[transport][mcp_listen]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  listen->head(200, sse_type);
  listen->bytes(sse("g1", "{}"));
  CHECK(test.inbox.next(mcp_signal::received).related == 0);
}

TEST_CASE("http: a server that is gone closes the channel, but not under an answer",
          "[transport][mcp_listen]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  listen->answer(200, sse_type, {});
  for (int i = 0; i < 4; ++i)
    test.http.next("GET")->end(errc::connect_failed, "connection refused");
  const auto fifth = test.http.next("GET");
  CHECK(test.inbox.empty());
  post->answer(200, json_type, response(2));
  CHECK(test.inbox.messages(1).front() == response(2));
  fifth->end(errc::connect_failed, "connection refused");
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_lost);
  CHECK(closed.error_text == "MCP server 'web': connection refused");
  test.http.wait_for_alive(0);
}

TEST_CASE("http: a server that is away for a moment keeps the channel", "[transport][mcp_listen]") {
  mcp_http_fixture test;
  test.connect()->answer(200, sse_type, {});
  for (int i = 0; i < 4; ++i) {
    test.http.next("GET")->end(errc::connect_failed, "connection refused");
    test.http.next("GET")->end(errc::connect_failed, "connection refused");
    test.http.next("GET")->answer(200, sse_type, {});
  }
  CHECK(test.http.next("GET")->field("Accept") == sse_type);
  CHECK(test.inbox.empty());
}

} // namespace mcp_listen_test

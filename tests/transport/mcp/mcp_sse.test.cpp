#include "transport/mcp/mcp_sse.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"

namespace mcp_sse_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string endpoint(std::string_view url) {
  return "event: endpoint\ndata: " + std::string{url} + "\n\n";
}

/// A channel of type "sse" whose stream the test has.
struct sse_fixture : mcp_http_fixture {
  sse_fixture() : mcp_http_fixture{quick(), "sse"}, stream{http.next("GET")} {}

  void ready(std::string_view url = "/messages?session=1") {
    stream->head(200, sse_type);
    stream->bytes(endpoint(url));
    inbox.next(mcp_signal::opened);
  }

  std::unique_ptr<fake_exchange> stream;
};

} // namespace

TEST_CASE("sse: messages go to the endpoint and answers come on the stream",
          "[transport][mcp_sse]") {
  sse_fixture test;
  CHECK(test.stream->request.url == "http://127.0.0.1:1/mcp");
  CHECK(test.stream->field("Accept") == "text/event-stream");
  CHECK(test.stream->field("Authorization") == "Bearer secret");
  CHECK(test.stream->request.proxy == "http://127.0.0.1:3128");
  test.ready();
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  CHECK(post->request.url == "http://127.0.0.1:1/messages?session=1");
  CHECK(post->request.body == request(2).json);
  CHECK(post->field("Authorization") == "Bearer secret");
  CHECK(post->request.proxy == "http://127.0.0.1:3128");
  SECTION("after the POST was accepted") {
    post->answer(202, "text/plain", "Accepted");
    test.stream->bytes("event: message\ndata: " + response(2) + "\n\n");
  }
  SECTION("before") {
    test.stream->bytes("event: message\ndata: " + response(2) + "\n\n");
    post->answer(200, {}, {});
  }
  CHECK(test.inbox.messages(1).front() == response(2));
  test.http.wait_for_alive(1);
  CHECK(test.inbox.empty());
}

TEST_CASE("sse: what is sent before the endpoint is known waits for it", "[transport][mcp_sse]") {
  sse_fixture test;
  test.channel->send({"{\"id\":1}", "initialize", 1, {}});
  test.loops.at(0).call([] {});
  CHECK(test.http.idle());
  test.ready();
  CHECK(test.http.next("POST")->request.body == "{\"id\":1}");
}

TEST_CASE("sse: an endpoint may be relative or absolute", "[transport][mcp_sse]") {
  sse_fixture test;
  const auto [named, used] = GENERATE(table<std::string, std::string>({
      {"messages/1", "http://127.0.0.1:1/messages/1"},
      {"/m?s=1", "http://127.0.0.1:1/m?s=1"},
      {"?s=1", "http://127.0.0.1:1/mcp?s=1"},
      {"http://127.0.0.1:1/m", "http://127.0.0.1:1/m"},
      {"//127.0.0.1:1/m", "http://127.0.0.1:1/m"},
  }));
  test.ready(named);
  test.channel->send(request(2));
  CHECK(test.http.next("POST")->request.url == used);
}

TEST_CASE("sse: an endpoint of another origin gets nothing", "[transport][mcp_sse]") {
  sse_fixture test;
  const auto* named = GENERATE("http://127.0.0.1:2/m", "https://127.0.0.1:1/m", "http://evil/m",
                               "//evil/m", "file:///etc/passwd", "http://[");
  test.channel->send(request(2));
  test.stream->head(200, sse_type);
  test.stream->bytes(endpoint(named));
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_protocol);
  CHECK(closed.error_text == "MCP server 'web': its endpoint '" + std::string{named} +
                                 "' is not of its own origin http://127.0.0.1:1");
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

TEST_CASE("sse: the end of the stream is the end of the channel", "[transport][mcp_sse]") {
  sse_fixture test;
  test.ready();
  SECTION("cleanly") {
    test.stream->end();
  }
  SECTION("cut") {
    test.stream->end(errc::connection_cut, "reset by peer");
  }
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_lost);
  CHECK_THAT(closed.error_text, Catch::StartsWith("MCP server 'web': "));
  test.http.wait_for_alive(0);
}

TEST_CASE("sse: a server without an endpoint is unavailable", "[transport][mcp_sse]") {
  sse_fixture test;
  std::string why;
  SECTION("it refuses") {
    test.stream->answer(405, {}, "no");
    why = "MCP server 'web' answered GET with HTTP 405: no";
  }
  SECTION("it is none") {
    test.stream->answer(200, "text/html", "<html>");
    why = "MCP server 'web': it answered GET with no event stream";
  }
  SECTION("its stream ends first") {
    test.stream->answer(200, sse_type, ": hello\n\n");
    why = "MCP server 'web': its event stream ended before it named an endpoint";
  }
  SECTION("it cannot be reached") {
    test.stream->end(errc::connect_failed, "connection refused");
    why = "MCP server 'web': connection refused";
  }
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_unavailable);
  CHECK(closed.error_text == why);
  test.http.wait_for_alive(0);
}

TEST_CASE("sse: a stream that never names its endpoint is given up", "[transport][mcp_sse]") {
  sse_fixture test;
  test.stream->head(200, sse_type);
  test.stream->bytes("event: hello\ndata: world\n\n");
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_unavailable);
  CHECK(closed.error_text == "MCP server 'web': its event stream named no endpoint within 1234 ms");
}

TEST_CASE("sse: a request that the endpoint refuses fails", "[transport][mcp_sse]") {
  sse_fixture test;
  test.ready();
  test.channel->send({"{\"id\":2}", "tools/call", 2, {}});
  const auto post = test.http.next("POST");
  SECTION("with its words") {
    post->answer(500, "text/plain", "out of luck");
    const auto failed = test.inbox.next(mcp_signal::failed);
    CHECK(failed.error == errc::server_unavailable);
    CHECK(failed.error_text == "MCP server 'web' answered tools/call with HTTP 500: out of luck");
  }
  SECTION("when it cannot be reached") {
    post->end(errc::connect_failed, "refused");
    CHECK(test.inbox.next(mcp_signal::failed).not_run);
  }
  test.http.wait_for_alive(1);
  CHECK(test.inbox.empty());
}

TEST_CASE("sse: an endpoint that is gone has lost the session", "[transport][mcp_sse]") {
  sse_fixture test;
  test.ready();
  test.channel->send(request(2));
  test.http.next("POST")->answer(404, "text/plain", "Session not found");
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_session_lost);
  CHECK(failed.not_run);
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
  test.http.wait_for_alive(0);
}

TEST_CASE("sse: close needs no request", "[transport][mcp_sse]") {
  sse_fixture test;
  test.ready();
  test.channel->close();
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

TEST_CASE("sse: nothing overtakes notifications/initialized, and no other stream is opened",
          "[transport][mcp_sse]") {
  sse_fixture test;
  test.ready();
  test.channel->send(notification("notifications/initialized"));
  test.channel->send(request(2));
  const auto initialized = test.http.next("POST");
  test.loops.at(0).call([] {});
  CHECK(test.http.idle());
  initialized->answer(202, {}, {});
  CHECK(test.http.next("POST")->request.body == request(2).json);
  CHECK(test.http.idle());
}

TEST_CASE("http: a server that only speaks HTTP+SSE is found out and loses no request",
          "[transport][mcp_sse]") {
  mcp_http_fixture test;
  const uint16_t status = GENERATE(400, 404, 405);
  test.channel->send({"{\"id\":1}", "initialize", 1, {}});
  test.http.next("POST")->answer(status, "text/plain", "Cannot POST /mcp");
  const auto stream = test.http.next("GET");
  CHECK(stream->request.url == "http://127.0.0.1:1/mcp");
  stream->head(200, sse_type);
  stream->bytes(endpoint("/messages"));
  const auto again = test.http.next("POST");
  CHECK(again->request.url == "http://127.0.0.1:1/messages");
  CHECK(again->request.body == "{\"id\":1}");
  again->answer(202, {}, {});
  stream->bytes("event: message\ndata: " + response(1) + "\n\n");
  CHECK(test.inbox.messages(1).front() == response(1));
  CHECK(test.inbox.empty()); // opened was reported before
}

TEST_CASE("http: a server that speaks neither is unavailable, and both answers are told",
          "[transport][mcp_sse]") {
  mcp_http_fixture test;
  test.channel->send({"{\"id\":1}", "initialize", 1, {}});
  test.http.next("POST")->answer(404, "text/plain", "Cannot POST /mcp");
  test.http.next("GET")->answer(404, "text/plain", "Cannot GET /mcp");
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_unavailable);
  CHECK(closed.error_text ==
        "MCP server 'web' answered initialize with HTTP 404: Cannot POST /mcp; nor is it one of "
        "HTTP+SSE: MCP server 'web' answered GET with HTTP 404: Cannot GET /mcp");
  test.http.wait_for_alive(0);
}

TEST_CASE("http: an error of JSON-RPC is no sign of HTTP+SSE", "[transport][mcp_sse]") {
  mcp_http_fixture test;
  test.channel->send({"{\"id\":1}", "initialize", 1, {}});
  SECTION("as the answer to initialize") {
    test.http.next("POST")->answer(400, json_type, R"({"id":1,"error":{"code":-32602}})");
    test.inbox.next(mcp_signal::received);
  }
  SECTION("nor is a refusal with another status") {
    test.http.next("POST")->answer(403, {}, "no");
    CHECK(test.inbox.next(mcp_signal::failed).error == errc::server_unavailable);
  }
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

} // namespace mcp_sse_test

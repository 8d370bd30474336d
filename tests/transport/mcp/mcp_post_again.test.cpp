// What a post of MCP sends again: the rest of an answer that was cut, and a reply.
#include "transport/mcp/mcp_post.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"

namespace mcp_post_again_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("http: a stream with event ids is resumed after its last event",
          "[transport][mcp_post]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  post->head(200, sse_type, {});
  post->bytes("retry: 0\n" + sse("a1", "") + "id: a2\ndata: {\"id\":2,");
  SECTION("when it ended") {
    post->end();
  }
  SECTION("when it was cut") {
    post->end(errc::connection_cut);
  }
  const auto second = test.http.next("GET");
  CHECK(second->field("Last-Event-ID") == "a1");
  second->answer(200, sse_type, sse("a3", "{\"method\":\"notifications/progress\"}"));
  test.inbox.next(mcp_signal::received);
  const auto third = test.http.next("GET");
  CHECK(third->field("Last-Event-ID") == "a3");
  third->answer(200, sse_type, sse("a4", response(2)));
  CHECK(test.inbox.messages(1).front() == response(2));
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
  CHECK(test.inbox.empty());
}

TEST_CASE("http: a resumption that is refused for a while is tried again",
          "[transport][mcp_post]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  test.http.next("POST")->answer(200, sse_type, "retry: 0\n" + sse("a1", ""));
  test.http.next("GET")->answer(GENERATE(as<uint16_t>{}, 503, 409, 429), "text/plain", "busy");
  const auto again = test.http.next("GET");
  CHECK(again->field("Last-Event-ID") == "a1");
  again->answer(200, sse_type, sse("a2", response(2)));
  CHECK(test.inbox.messages(1).front() == response(2));
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: a reply to the server is sent again where it was refused for a while",
          "[transport][mcp_post]") {
  mcp_http_fixture test;
  const std::string reply = R"({"jsonrpc":"2.0","id":"form","result":{"action":"accept"}})";
  test.channel->send({reply, "", 0, {}});
  test.http.next("POST")->answer(503, "text/plain", "busy");
  const auto again = test.http.next("POST");
  CHECK(again->request.body == reply);
  SECTION("and is done then") {
    again->answer(202, {}, {});
  }
  SECTION("but not where it is refused for good") {
    again->answer(400, {}, {});
  }
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

TEST_CASE("http: resuming ends after five tries without progress", "[transport][mcp_post]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  test.http.next("POST")->answer(200, sse_type, sse("a1", ""));
  for (int i = 0; i < 5; ++i) {
    const auto again = test.http.next("GET");
    if (i % 2 == 0)
      again->answer(200, sse_type, ": nothing new\n\n");
    else
      again->end(errc::connect_failed, "refused");
  }
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_lost);
  CHECK(failed.request_id == 2);
  CHECK(test.http.idle());
}

TEST_CASE("http: a server that cannot resume fails the request", "[transport][mcp_post]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  test.channel->send(request(2));
  test.http.next("POST")->answer(200, sse_type, sse("a1", ""));
  test.http.next("GET")->answer(404, {}, "no such event");
  const auto ping = test.http.next("POST"); // is it the event or the session?
  CHECK_THAT(ping->request.body, Catch::Contains("\"ping\""));
  ping->answer(200, json_type, response(1));
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id == 2);
  CHECK(failed.error == errc::server_lost);
  CHECK_FALSE(failed.not_run);
}

TEST_CASE("http: a resumed stream waits as long as the server asks", "[transport][mcp_post]") {
  auto limits = mcp_http_fixture::quick();
  SECTION("longer than we would") {
    mcp_http_fixture test{limits};
    test.channel->send(request(2));
    const auto before = std::chrono::steady_clock::now();
    test.http.next("POST")->answer(200, sse_type, "id: a1\nretry: 60\ndata:\n\n");
    test.http.next("GET")->answer(200, sse_type, sse("a2", response(2)));
    CHECK(std::chrono::steady_clock::now() - before >= 60ms);
  }
  SECTION("shorter than we would") {
    limits.retry = 1h;
    mcp_http_fixture test{limits};
    test.channel->send(request(2));
    test.http.next("POST")->answer(200, sse_type, "id: a1\nretry: 1\ndata:\n\n");
    test.http.next("GET")->answer(200, sse_type, sse("a2", response(2)));
    CHECK(test.inbox.messages(1).front() == response(2));
  }
}

TEST_CASE("http: resuming the answer to initialize keeps the session", "[transport][mcp_post]") {
  mcp_http_fixture test;
  test.channel->send({"{}", "initialize", 1, {}});
  const auto post = test.http.next("POST");
  post->head(200, sse_type, "s1");
  post->bytes(sse("a1", ""));
  post->end();
  const auto resumed = test.http.next("GET");
  CHECK(resumed->field("Mcp-Session-Id") == "s1");
  resumed->answer(200, sse_type, sse("a2", response(1)));
  test.inbox.next(mcp_signal::received);
  test.channel->send(request(2));
  CHECK(test.http.next("POST")->field("Mcp-Session-Id") == "s1");
}

} // namespace mcp_post_again_test

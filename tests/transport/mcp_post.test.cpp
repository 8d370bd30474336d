#include "transport/mcp_post.hpp"

#include "tests/transport/mcp_http_fixture.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("http: an event stream gives its messages wherever it is cut", "[transport][mcp_post]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  const auto stream =
      sse("1", "") + sse("2", "{\"method\":\"notifications/progress\"}") + sse("3", response(2));
  for (size_t cut = 0; cut <= stream.size(); ++cut) {
    test.channel->send(request(2));
    const auto post = test.http.next("POST");
    post->head(200, sse_type);
    post->bytes(stream.substr(0, cut));
    post->bytes(stream.substr(cut));
    post->end();
    REQUIRE(test.inbox.messages(2) ==
            std::vector<std::string>{"{\"method\":\"notifications/progress\"}", response(2)});
  }
  test.http.wait_for_alive(1); // only the server's own stream is left
  CHECK(test.inbox.empty());
  CHECK(test.http.idle());
}

TEST_CASE("http: a stream that ends without the response fails the request at once",
          "[transport][mcp_post]") {
  mcp_http_fixture test;
  test.channel->send(request(5));
  const auto post = test.http.next("POST");
  SECTION("an event stream without ids") {
    post->answer(200, sse_type, "data: {\"method\":\"notifications/message\"}\n\n");
    test.inbox.next(mcp_signal::received);
  }
  SECTION("an event stream that was cut") {
    post->head(200, sse_type);
    post->end(errc::connection_cut, "reset by peer");
  }
  SECTION("an empty body") {
    post->answer(200, json_type, "");
  }
  SECTION("a JSON body that was cut") {
    post->head(200, json_type);
    post->bytes("{\"id\":5,");
    post->end(errc::connection_cut, "reset by peer");
  }
  SECTION("a web page") {
    post->answer(200, "text/html", "<html>");
  }
  SECTION("an accepted notification") {
    post->answer(202, {}, {});
  }
  SECTION("the response to something else") {
    post->answer(200, json_type, response(6));
    test.inbox.next(mcp_signal::received);
  }
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id == 5);
  CHECK(failed.error == errc::server_lost);
  test.http.wait_for_alive(0);
}

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

TEST_CASE("http: a server that can not resume fails the request", "[transport][mcp_post]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  test.channel->send(request(2));
  test.http.next("POST")->answer(200, sse_type, sse("a1", ""));
  test.http.next("GET")->answer(404, {}, "no such event");
  CHECK(test.inbox.next(mcp_signal::failed).request_id == 2);
}

TEST_CASE("http: a stream that stays open after the response is closed", "[transport][mcp_post]") {
  auto limits = mcp_http_fixture::quick();
  limits.linger = 1ms;
  mcp_http_fixture test{limits};
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  post->head(200, sse_type);
  SECTION("when the response came") {
    post->bytes(sse("1", response(2)));
    test.inbox.next(mcp_signal::received);
  }
  SECTION("when the request was cancelled") {
    test.channel->send(notification(
        "notifications/cancelled",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"));
    test.http.next("POST")->answer(202, {}, {});
  }
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
  CHECK(test.http.idle());
}

#include "transport/mcp/mcp_post.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"

namespace mcp_post_test {

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
  CHECK_FALSE(failed.not_run);
  test.http.wait_for_alive(0);
}

TEST_CASE("http: an answer that cannot be used says at once why", "[transport][mcp_post]") {
  const auto [type, body, why] = GENERATE(table<std::string, std::string, std::string>({
      {json_type, R"({"id":6,"result":{}})", "its id is 6, not 5: {\"id\":6"},
      {json_type, R"({"id":"x","result":{}})", "its id is none that was given"},
      {json_type, R"({"id":null,"result":{}})", "its id is none that was given"},
      {json_type, R"({"a":})", "not JSON: a value is expected at byte 5: {\"a\":}"},
      {json_type, R"({"jsonrpc":"2.0"})", "a message must have method, result or error"},
      {json_type, std::string{"\x1F\x8B\x08", 3}, "(it is gzip encoded, and does not say so)"},
      {json_type, std::string{"{\0\"\0", 4}, "(it is UTF-16"},
      {sse_type, "data: {\"id\":6,\"result\":{}}\n\n", "its id is 6, not 5"},
      {sse_type, "data: {\"a\"\n\n", "not JSON: "},
  }));
  mcp_http_fixture test;
  test.channel->send(request(5));
  test.http.next("POST")->answer(200, type, body);
  auto failed = test.inbox.next();
  while (failed.signal == mcp_signal::received)
    failed = test.inbox.next();
  CHECK(failed.request_id == 5);
  CHECK(failed.error == errc::server_lost);
  CHECK_FALSE(failed.not_run);
  CHECK_THAT(failed.error_text, Catch::Contains(why));
  test.http.wait_for_alive(0);
}

TEST_CASE("http: a response that cannot be read ends its request, and its reader says why",
          "[transport][mcp_post]") {
  mcp_http_fixture test;
  test.channel->send(request(5));
  const auto post = test.http.next("POST");
  const std::vector<std::string> texts{R"({"id":5,"result":)" + std::string(600, '['),
                                       "{\"id\":5,\"result\":\"\xFF\xC0\"}",
                                       "{\"id\":5,\"result\":\"a\x01\"}"};
  const auto text = texts.at(GENERATE(as<size_t>{}, 0, 1, 2));
  const bool streamed = GENERATE(true, false);
  if (streamed)
    post->answer(200, sse_type, "data: " + text + "\n\n");
  else
    post->answer(200, json_type, text);
  const auto received = test.inbox.next(mcp_signal::received);
  CHECK(received.messages.front() == text);
  CHECK(received.related == 5);
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: an error without an id ends the request in whose answer it came",
          "[transport][mcp_post]") {
  auto limits = mcp_http_fixture::quick();
  limits.linger = 1ms;
  mcp_http_fixture test{limits};
  test.channel->send(request(5));
  const auto post = test.http.next("POST");
  const auto error =
      GENERATE(as<std::string>{}, R"({"error":{"code":-1,"message":"no"}})",
               R"({"id":null,"error":{"code":-32001,"message":"Session not found"}})",
               R"({"id":"server-error","error":{"code":-1,"message":"no"}})");
  SECTION("as the body") {
    post->answer(200, json_type, error);
  }
  SECTION("in a stream that stays open") {
    post->head(200, sse_type);
    post->bytes("data: " + error + "\n\n");
  }
  SECTION("as the body of a refusal") {
    post->answer(422, json_type, error);
  }
  const auto received = test.inbox.next(mcp_signal::received);
  CHECK(received.messages.front() == error);
  CHECK(received.related == 5);
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: an answer in a coding that is not read is named", "[transport][mcp_post]") {
  mcp_http_fixture test;
  const std::string named = "the answer of localhost is br encoded";
  test.channel->send(GENERATE(request(5), mcp_outbound{"{}", "tools/list", 5, {}}));
  const auto post = test.http.next("POST");
  const bool calls = post->request.once;
  SECTION("of an answer") {
    post->head(200, json_type);
    post->end(errc::encoding_unsupported, named);
    const auto failed = test.inbox.next(mcp_signal::failed);
    CHECK(failed.error == (calls ? errc::server_lost : errc::server_protocol));
    CHECK_THAT(failed.error_text, Catch::Contains(named));
    CHECK_FALSE(failed.not_run);
  }
  SECTION("of a refusal, beside its status") {
    post->head(500, json_type);
    post->end(errc::encoding_unsupported, named);
    const auto failed = test.inbox.next(mcp_signal::failed);
    CHECK(failed.error == errc::server_unavailable);
    CHECK_THAT(failed.error_text, Catch::Contains("HTTP 500") && Catch::Contains(named));
  }
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

TEST_CASE("http: messages say whose answer they came with", "[transport][mcp_post]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  test.channel->send(request(3));
  const auto second = test.http.next("POST");
  const auto third = test.http.next("POST");
  third->head(200, sse_type);
  third->bytes(sse("b1", "{\"id\":9,\"method\":\"sampling/createMessage\"}"));
  CHECK(test.inbox.next(mcp_signal::received).related == 3);
  second->answer(200, json_type, response(2));
  CHECK(test.inbox.next(mcp_signal::received).related == 2);
  third->end();
  const auto resumed = test.http.next("GET");
  resumed->answer(200, sse_type, sse("b2", response(3)));
  CHECK(test.inbox.next(mcp_signal::received).related == 3);
}

TEST_CASE("http: a message is accepted by the head of its answer", "[transport][mcp_post]") {
  auto limits = mcp_http_fixture::quick();
  limits.linger = 1ms;
  mcp_http_fixture test{limits};
  test.channel->send(notification("notifications/initialized"));
  const auto post = test.http.next("POST");
  post->head(200, sse_type); // and then nothing more
  const auto listen = test.http.next("GET");
  test.http.wait_for_alive(1);
}

} // namespace mcp_post_test

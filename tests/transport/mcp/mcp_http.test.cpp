#include "transport/mcp/mcp_http.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"

namespace mcp_http_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("http: a message is a POST with the headers of the protocol and of the configuration",
          "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send({"{\"id\":1}", "initialize", 1, {}});
  const auto post = test.http.next("POST");
  CHECK(post->request.url == "http://127.0.0.1:1/mcp");
  CHECK(post->request.body == "{\"id\":1}");
  CHECK(post->request.proxy == "http://127.0.0.1:3128");
  CHECK(post->request.deadlines.connect == 1234ms);
  CHECK_FALSE(post->request.once);
  CHECK(post->request.deadlines.first_byte == 605s); // the actor's own limit of 60 s comes first
  CHECK(post->request.deadlines.idle == 605s);
  CHECK(post->request.deadlines.total == 0ms);
  CHECK(post->field("Accept") == "application/json, text/event-stream");
  CHECK(post->field("Content-Type") == "application/json");
  CHECK(post->field("Authorization") == "Bearer secret");
  CHECK(post->field("Mcp-Session-Id").empty());
  CHECK(post->field("MCP-Protocol-Version").empty());
}

TEST_CASE("http: session id and revision go with every later request", "[transport][mcp_http]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  CHECK(listen->field("Accept") == "text/event-stream");
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  for (const auto* each : {listen.get(), post.get()}) {
    CHECK(each->field("Mcp-Session-Id") == "s1");
    CHECK(each->field("MCP-Protocol-Version") == "2025-11-25");
  }
  post->answer(200, json_type, response(2), "other");
  CHECK(test.inbox.messages(1).front() == response(2));
  test.channel->close();
  const auto farewell = test.http.next("DELETE");
  CHECK(farewell->field("Mcp-Session-Id") == "s1");
  CHECK(farewell->field("MCP-Protocol-Version") == "2025-11-25");
  test.http.wait_for_alive(1); // every stream was closed first
  farewell->answer(405, {}, {});
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
  test.http.wait_for_alive(0);
}

TEST_CASE("http: an answer that refuses fails the request with the server's words",
          "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  test.http.next("POST")->answer(500, "text/plain", "out of\nluck");
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id == 2);
  CHECK(failed.error == errc::server_unavailable);
  CHECK(failed.error_text == "MCP server 'web' answered tools/call with HTTP 500: out of luck");
  test.channel->send(request(3));
  test.http.next("POST")->answer(200, json_type, response(3));
  CHECK(test.inbox.messages(1).front() == response(3));
}

TEST_CASE("http: a JSON-RPC error is the response, whatever the status", "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  const std::string error = R"({"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}})";
  test.http.next("POST")->answer(400, json_type, error);
  CHECK(test.inbox.messages(1).front() == error);
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: 404 without a session is only a refusal", "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  test.http.next("POST")->answer(404, {}, "no session here");
  CHECK(test.inbox.next(mcp_signal::failed).error == errc::server_unavailable);
}

TEST_CASE("http: a server that cannot be reached for initialize ends the channel",
          "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send({"{}", "initialize", 1, {}});
  test.http.next("POST")->end(errc::connect_failed, "connection refused");
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_unavailable);
  CHECK(closed.error_text == "MCP server 'web': connection refused");
}

TEST_CASE("http: requests are answered in any order, each by its own POST",
          "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  test.channel->send(request(3));
  const auto second = test.http.next("POST");
  const auto third = test.http.next("POST");
  third->answer(200, json_type, response(3));
  CHECK(test.inbox.messages(1).front() == response(3));
  second->answer(200, json_type, response(2));
  CHECK(test.inbox.messages(1).front() == response(2));
}

TEST_CASE("http: nothing overtakes notifications/initialized", "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send(notification("notifications/initialized"));
  test.channel->send(request(2));
  const auto initialized = test.http.next("POST");
  test.loops.at(0).call([] {});
  CHECK(test.http.idle());
  initialized->answer(202, {}, {});
  CHECK(test.http.next("GET")->field("Accept") == "text/event-stream");
  CHECK(test.http.next("POST")->request.body == request(2).json);
}

TEST_CASE("http: an answer beyond the limit fails the request", "[transport][mcp_http]") {
  auto limits = mcp_http_fixture::quick();
  limits.answer_bytes = 100;
  mcp_http_fixture test{limits};
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  post->head(200, json_type);
  post->bytes(std::string(101, ' '));
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_protocol);
  test.http.wait_for_alive(0);
}

TEST_CASE("http: close does not wait for a server that never answers", "[transport][mcp_http]") {
  auto limits = mcp_http_fixture::quick();
  limits.farewell = 1ms;
  mcp_http_fixture test{limits};
  const auto listen = test.connect();
  test.channel->close();
  const auto farewell = test.http.next("DELETE");
  CHECK(farewell->request.deadlines.total == 1ms);
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
  test.http.wait_for_alive(0);
}

TEST_CASE("http: close without a session needs no request", "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->close();
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
  CHECK(test.http.idle());
}

TEST_CASE("http: destroying a channel cancels its exchanges and deletes its session",
          "[transport][mcp_http]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  test.channel.reset();
  const auto farewell = test.http.next("DELETE");
  CHECK(farewell->field("Mcp-Session-Id") == "s1");
  test.http.wait_for_alive(1);
  post->answer(200, json_type, response(2));
  farewell->answer(200, {}, {});
  test.http.wait_for_alive(0);
  test.loops.at(0).call([] {});
  CHECK(test.inbox.empty());
}

TEST_CASE("http: a channel that is destroyed after close still waits for the goodbye",
          "[transport][mcp_http]") {
  auto limits = mcp_http_fixture::quick();
  limits.farewell = 1h;
  mcp_http_fixture test{limits};
  const auto listen = test.connect();
  test.channel->close();
  test.channel.reset();
  const auto farewell = test.http.next("DELETE");
  test.loops.at(0).call([] {});
  test.http.wait_for_alive(1);
  CHECK(test.http.idle()); // one DELETE, not two
  SECTION("until it is answered") {
    farewell->answer(405, {}, {});
  }
  SECTION("or all channels are destroyed") {
    test.channels.reset();
  }
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: what still arrives for a channel that was let go is passed over",
          "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  test.loops.at(0).call([&] {
    test.channel.reset(); // what it posts runs first, and what that posts last
    test.loops.at(0).post([&] { post->answer(200, json_type, response(2)); });
  });
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: destroying a channel that has no session needs no goodbye",
          "[transport][mcp_http]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  test.channel.reset();
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

} // namespace mcp_http_test

#include "transport/mcp/mcp_http_session.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"

namespace mcp_http_session_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// As server-everything says it.
const std::string no_session =
    R"({"jsonrpc":"2.0","error":{"code":-32000,)"
    R"("message":"Bad Request: No valid session ID provided"},"id":null})";

mcp_http_limits patient() {
  auto out = mcp_http_fixture::quick();
  out.expiry = 1h;
  return out;
}

} // namespace

TEST_CASE("http: a server that forgot the session has not run the request, and the channel ends",
          "[transport][mcp_http_session]") {
  mcp_http_fixture test{patient()};
  const auto listen = test.connect();
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  SECTION("with 404") {
    post->answer(404, {}, {});
  }
  SECTION("with 404, an answer and words") {
    post->answer(404, json_type,
                 R"({"id":2,"error":{"code":-32001,"message":"Session not found"}})");
  }
  SECTION("as the TypeScript SDK says it") {
    post->answer(400, json_type, no_session);
  }
  SECTION("as the Python SDK says it") {
    post->answer(404, json_type,
                 R"({"id":"server-error","error":{"code":-32600,"message":"Session not found"}})");
  }
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id == 2);
  CHECK(failed.error == errc::server_session_lost);
  CHECK(failed.not_run);
  CHECK_THAT(failed.error_text, Catch::StartsWith("MCP server 'web': session expired (HTTP "));
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_session_lost);
  CHECK(closed.error_text == failed.error_text);
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
  CHECK(test.inbox.empty());
}

TEST_CASE("http: answers that say nothing of the session do not end it",
          "[transport][mcp_http_session]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  SECTION("a failure in words") {
    post->answer(500, "text/plain", "session store is down");
    CHECK(test.inbox.next(mcp_signal::failed).error == errc::server_unavailable);
  }
  SECTION("a JSON-RPC error with 404") {
    const std::string error = R"({"id":2,"error":{"code":-32601,"message":"Method not found"}})";
    post->answer(404, json_type, error);
    CHECK(test.inbox.messages(1).front() == error);
  }
  SECTION("a JSON-RPC error in words with 400") {
    const std::string error = R"({"id":2,"error":{"code":-32602,"message":"no such session"}})";
    post->answer(400, json_type, error);
    CHECK(test.inbox.messages(1).front() == error);
  }
  SECTION("a JSON-RPC error in words without an id") {
    const std::string error = R"({"id":null,"error":{"code":-32602,"message":"no such session"}})";
    post->answer(500, json_type, error);
    const auto received = test.inbox.next(mcp_signal::received);
    CHECK(received.messages.front() == error);
    CHECK(received.related == 2); // which says whose error it is
  }
  test.channel->send(request(3));
  test.http.next("POST")->answer(200, json_type, response(3));
  CHECK(test.inbox.messages(1).front() == response(3));
}

TEST_CASE("http: when the session is lost, answers under way still count",
          "[transport][mcp_http_session]") {
  mcp_http_fixture test{patient()};
  const auto listen = test.connect();
  for (int64_t id = 2; id <= 5; ++id)
    test.channel->send(request(id));
  const auto second = test.http.next("POST");
  const auto third = test.http.next("POST");
  const auto fourth = test.http.next("POST");
  const auto fifth = test.http.next("POST");
  second->answer(404, {}, {});
  CHECK(test.inbox.next(mcp_signal::failed).request_id == 2);
  test.http.wait_for_alive(3); // the server's own stream was closed
  test.channel->send(request(6));
  const auto late = test.inbox.next(mcp_signal::failed);
  CHECK(late.request_id == 6);
  CHECK(late.error == errc::server_session_lost);
  CHECK(late.not_run);
  third->answer(200, json_type, response(3));
  CHECK(test.inbox.messages(1).front() == response(3));
  fourth->answer(404, {}, {});
  const auto own = test.inbox.next(mcp_signal::failed);
  CHECK(own.request_id == 4);
  CHECK(own.error == errc::server_session_lost);
  CHECK(own.not_run);
  SECTION("until the last has come") {
    fifth->head(200, sse_type); // whose stream stays open
    fifth->bytes(sse("e1", response(5)));
    CHECK(test.inbox.messages(1).front() == response(5));
  }
  SECTION("until the last was cut") {
    fifth->head(200, sse_type);
    fifth->end(errc::connection_cut, "reset by peer");
    const auto cut = test.inbox.next(mcp_signal::failed);
    CHECK(cut.error == errc::server_lost);
    CHECK_FALSE(cut.not_run);
  }
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

TEST_CASE("http: when the session is lost, answers have only so long to come",
          "[transport][mcp_http_session]") {
  auto limits = mcp_http_fixture::quick();
  limits.expiry = 1ms;
  mcp_http_fixture test{limits};
  const auto listen = test.connect();
  test.channel->send(request(2));
  test.channel->send(request(3));
  const auto second = test.http.next("POST");
  const auto third = test.http.next("POST");
  second->answer(404, {}, {});
  CHECK(test.inbox.next(mcp_signal::failed).not_run);
  const auto given_up = test.inbox.next(mcp_signal::failed);
  CHECK(given_up.request_id == 3);
  CHECK(given_up.error == errc::server_session_lost);
  CHECK_FALSE(given_up.not_run); // it may have been
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
  test.http.wait_for_alive(0);
}

TEST_CASE("http: the server's own stream says that the session is lost",
          "[transport][mcp_http_session]") {
  mcp_http_fixture test{patient()};
  const auto listen = test.connect();
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  listen->answer(200, sse_type, {});
  test.http.next("GET")->answer(400, json_type, no_session);
  test.http.wait_for_alive(1);
  test.channel->send(request(3));
  CHECK(test.inbox.next(mcp_signal::failed).not_run);
  post->answer(200, json_type, response(2));
  CHECK(test.inbox.messages(1).front() == response(2));
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
}

TEST_CASE("http: what waited for a lost session was not run", "[transport][mcp_http_session]") {
  mcp_http_fixture test{patient()};
  test.channel->send({"{}", "initialize", 1, {}});
  test.http.next("POST")->answer(200, json_type, response(1), "s1");
  test.inbox.next(mcp_signal::received);
  test.channel->send(notification("notifications/initialized"));
  test.channel->send(request(2));
  test.http.next("POST")->answer(404, {}, {});
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id == 2);
  CHECK(failed.error == errc::server_session_lost);
  CHECK(failed.not_run);
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
  CHECK(test.http.idle());
}

TEST_CASE("http: a lost session needs no goodbye", "[transport][mcp_http_session]") {
  mcp_http_fixture test{patient()};
  const auto listen = test.connect();
  test.channel->send(request(2));
  test.channel->send(request(3));
  test.http.next("POST")->answer(404, {}, {});
  const auto post = test.http.next("POST");
  test.inbox.next(mcp_signal::failed);
  test.channel->close();
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

TEST_CASE("http: a session lost while an answer is resumed leaves its outcome open",
          "[transport][mcp_http_session]") {
  mcp_http_fixture test{patient()};
  const auto listen = test.connect();
  test.channel->send(request(2));
  test.http.next("POST")->answer(200, sse_type, sse("a1", ""));
  test.http.next("GET")->answer(404, "text/plain", "no such session");
  test.http.next("POST")->answer(404, {}, {}); // the ping that asks if that is so
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_session_lost);
  CHECK_FALSE(failed.not_run);
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
}

TEST_CASE("http: a request that never left was not run", "[transport][mcp_http_session]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  const auto post = test.http.next("POST");
  SECTION("no connection") {
    post->end(errc::connect_failed, "refused");
    const auto failed = test.inbox.next(mcp_signal::failed);
    CHECK(failed.error == errc::server_unavailable);
    CHECK(failed.not_run);
  }
  SECTION("no connection in time") {
    post->end(errc::connect_timeout, "too slow");
    const auto failed = test.inbox.next(mcp_signal::failed);
    CHECK(failed.error == errc::server_unavailable);
    CHECK(failed.not_run);
  }
  SECTION("but one that was cut may have been") {
    post->end(errc::connection_cut, "reset by peer");
    const auto failed = test.inbox.next(mcp_signal::failed);
    CHECK(failed.error == errc::server_lost);
    CHECK_FALSE(failed.not_run);
  }
}

TEST_CASE("http: a server that wants authorization says where it belongs, and no secret is shown",
          "[transport][mcp_http_session]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  const uint16_t status = GENERATE(401, 403);
  test.channel->send(request(2));
  test.http.next("POST")->answer(status, "text/plain", "bad token: Bearer secret; secret");
  if (status == 401) // it may have lost the session, and is asked
    test.http.next("POST")->answer(200, json_type, response(1));
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_unavailable);
  CHECK(failed.error_text ==
        "MCP server 'web' answered tools/call with HTTP " + std::to_string(status) +
            ": it wants another authorization, to be set in `headers` of this server, as in "
            "{\"Authorization\": \"Bearer ...\"}. bad token: ***; ***");
  test.channel->send(request(3));
  test.http.next("POST")->answer(200, json_type, response(3));
  test.inbox.next(mcp_signal::received);
}

} // namespace mcp_http_session_test

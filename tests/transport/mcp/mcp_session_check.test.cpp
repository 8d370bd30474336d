#include "transport/mcp/mcp_post.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"
#include "transport/mcp/mcp_refusal.hpp"

namespace mcp_session_check_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// An answer that may mean a lost session.
struct doubtful {
  uint16_t status;
  std::string body;
};

std::string error_of(const std::string& id, int64_t code, const std::string& words) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":")" + words + R"("}})";
}

const std::string ping_id = "9000000000000000";

/// A request within a session, which was answered so that the server has to be asked.
struct in_doubt {
  explicit in_doubt(doubtful with, mcp_http_limits limits = mcp_http_fixture::quick())
      : test{limits}, listen{test.connect()} {
    test.channel->send(request(2));
    test.http.next("POST")->answer(with.status, json_type, with.body);
    ping = test.http.next("POST");
  }

  /// Another call within the session works.
  void check_goes_on() {
    test.channel->send(request(3));
    test.http.next("POST")->answer(200, json_type, response(3));
    CHECK(test.inbox.messages(1).front() == response(3));
  }

  mcp_http_fixture test;
  std::unique_ptr<fake_exchange> listen;
  std::unique_ptr<fake_exchange> ping;
};

} // namespace

TEST_CASE("http: a server that refuses a ping like the request before has lost the session",
          "[transport][mcp_session_check]") {
  const auto [status, body] = GENERATE(table<uint16_t, std::string>({
      {200, error_of("2", -32001, "Session not found")},
      {200, error_of("2", -32005, "whatever")},
      {200, error_of("2", -32600, "whatever")},
      {200, error_of("null", -32000, "whatever")},
      {400, "No valid session ID provided"},
      {400, error_of("2", -32000, "whatever")},
  }));
  in_doubt is{{status, body}};
  CHECK(is.ping->field("Mcp-Session-Id") == "s1");
  CHECK(is.ping->request.body == R"({"jsonrpc":"2.0","id":)" + ping_id + R"(,"method":"ping"})");
  const auto at = body.find(R"("id":2)");
  auto again = body;
  if (at != std::string::npos)
    again.replace(at, 6, R"("id":)" + ping_id);
  is.ping->answer(status, json_type, again);
  const auto failed = is.test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id == 2);
  CHECK(failed.error == errc::server_session_lost);
  CHECK(failed.not_run);
  CHECK(is.test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
  is.test.http.wait_for_alive(0);
}

TEST_CASE("http: a server that wants another authorization gets nothing twice, but a new session",
          "[transport][mcp_session_check]") {
  const auto [status, words] = GENERATE(table<uint16_t, std::string>(
      {{401, "Unauthorized: Session not found"}, {503, "session was evicted"}}));
  in_doubt is{{status, words}};
  is.ping->answer(status, json_type, words);
  const auto failed = is.test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_unavailable);
  CHECK_FALSE(failed.not_run);
  CHECK_THAT(failed.error_text, Catch::EndsWith(words));
  CHECK(is.test.inbox.next(mcp_signal::closed).error == errc::server_session_lost);
  is.test.http.wait_for_alive(0);
}

TEST_CASE("http: a tool's own error stays one while the session lives, whatever its words",
          "[transport][mcp_session_check]") {
  const auto error = error_of("2", GENERATE(-32001, -32005, -32000, -32600), "Session not found");
  in_doubt is{{200, error}};
  SECTION("the ping is answered") {
    is.ping->answer(200, json_type, R"({"id":)" + ping_id + R"(,"result":{}})");
  }
  SECTION("the server knows no ping") {
    is.ping->answer(200, sse_type, sse("1", error_of(ping_id, -32601, "Method not found")));
  }
  SECTION("it says so with a status") {
    is.ping->answer(404, json_type, error_of(ping_id, -32601, "Method not found"));
  }
  SECTION("it takes the ping for a notification") {
    is.ping->answer(202, {}, {});
  }
  SECTION("the ping is cut") {
    is.ping->end(errc::connection_cut, "reset by peer");
  }
  CHECK(is.test.inbox.messages(1).front() == error);
  is.check_goes_on();
}

TEST_CASE("http: a ping that nobody answers leaves an error what it is",
          "[transport][mcp_session_check]") {
  auto limits = mcp_http_fixture::quick();
  limits.check = 1ms;
  const auto error = error_of("2", -32001, "Session not found");
  in_doubt is{{200, error}, limits};
  CHECK(is.test.inbox.messages(1).front() == error);
  is.check_goes_on();
}

TEST_CASE("http: a refusal stays one while the session lives, whatever its words",
          "[transport][mcp_session_check]") {
  const auto status = GENERATE(as<uint16_t>{}, 400, 401, 503);
  in_doubt is{{status, "the session of the shop has ended"}};
  is.ping->answer(200, json_type, R"({"id":)" + ping_id + R"(,"result":{}})");
  const auto failed = is.test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_unavailable);
  CHECK_FALSE(failed.not_run);
  CHECK_THAT(failed.error_text, Catch::EndsWith("the session of the shop has ended"));
  is.check_goes_on();
}

TEST_CASE("http: a server that refuses everything for a while keeps the session of running calls",
          "[transport][mcp_session_check]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  test.channel->send(request(2));
  test.channel->send(request(3));
  const auto running = test.http.next("POST");
  test.http.next("POST")->answer(503, "text/plain", "busy");
  test.http.next("POST")->answer(503, "text/plain", "busy");
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id == 3);
  CHECK(failed.error == errc::server_unavailable);
  running->answer(200, json_type, response(2));
  CHECK(test.inbox.messages(1).front() == response(2));
}

TEST_CASE("http: a call that is cancelled while its server is asked is over",
          "[transport][mcp_session_check]") {
  in_doubt is{{400, "no"}};
  is.test.channel->send(notification(
      "notifications/cancelled",
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"));
  is.test.http.next("POST")->answer(202, {}, {});
  is.test.http.wait_for_alive(1);
  CHECK(is.test.inbox.empty());
}

TEST_CASE("what a refusal shows of the session is in its status, code and id, not in its words",
          "[transport][mcp_refusal]") {
  const auto shows = [](uint16_t status, const std::string& body) {
    return shows_lost_session(read_refusal(status, body, 2));
  };
  CHECK(shows(404, ""));
  CHECK(shows(404, "<html>"));
  CHECK(shows(404, error_of("2", -32001, "x")));
  CHECK_FALSE(shows(404, error_of("2", -32601, "no such session")));
  CHECK(shows(400, error_of("null", -32000, "x")));
  CHECK_FALSE(shows(400, error_of("2", -32000, "session")));
  CHECK_FALSE(shows(400, error_of("null", -32602, "session_id")));
  CHECK_FALSE(shows(400, "session"));
  CHECK_FALSE(shows(401, "session"));
  CHECK_FALSE(read_refusal(401, R"({"error":"invalid_token"})", 2).is_error); // of OAuth
  CHECK_FALSE(read_refusal(503, R"({"error":{"code":503,"message":"busy"}})", 2).is_error);
  CHECK(read_refusal(503, error_of("null", -32603, "busy"), 2).is_error);
  const auto may = [](uint16_t status, const std::string& body) {
    return may_show_lost_session(read_refusal(status, body, 2));
  };
  CHECK(may(200, error_of("2", -32099, "x")));
  CHECK_FALSE(may(200, error_of("2", -32042, "session"))); // MCP's own
  for (const int64_t code : {-32601, -32602, -32603, -32700, -1, 404})
    CHECK_FALSE(may(200, error_of("2", code, "session")));
  CHECK_FALSE(may(403, "session"));
  CHECK_FALSE(may(500, "session"));
}

} // namespace mcp_session_check_test

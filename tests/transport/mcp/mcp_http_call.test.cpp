#include "transport/mcp/mcp_http_session.hpp"

#include "tests/transport/mcp/mcp_http_fixture.hpp"
#include "transport/mcp/mcp_http_url.hpp"

namespace mcp_http_call_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("http: a redirect within the origin takes method, body and headers along",
          "[transport][mcp_http_call]") {
  mcp_http_fixture test;
  const auto listen = test.connect();
  test.channel->send(request(2));
  test.http.next("POST")->redirect(307, "/mcp/");
  test.http.next("POST")->redirect(308, "http://127.0.0.1:1/elsewhere");
  test.http.next("POST")->redirect(307, "there");
  const auto third = test.http.next("POST");
  CHECK(third->request.url == "http://127.0.0.1:1/there");
  CHECK(third->request.body == request(2).json);
  CHECK(third->field("Mcp-Session-Id") == "s1");
  CHECK(third->field("Authorization") == "Bearer secret");
  third->answer(200, json_type, response(2));
  CHECK(test.inbox.messages(1).front() == response(2));
  test.channel->close();
  test.http.next("DELETE")->redirect(307, "/mcp/");
  CHECK(test.http.next("DELETE")->request.url == "http://127.0.0.1:1/mcp/");
}

TEST_CASE("http: a redirect is followed while the rest of its answer still comes",
          "[transport][mcp_http_call]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  const auto first = test.http.next("POST");
  first->redirect(307, "/other");
  const auto second = test.http.next("POST");
  first->bytes("moved");
  first->end(errc::connection_cut, "late");
  second->answer(200, json_type, response(2));
  CHECK(test.inbox.messages(1).front() == response(2));
  test.http.wait_for_alive(0);
  CHECK(test.inbox.empty());
}

TEST_CASE("http: other redirects are refused with the address they lead to",
          "[transport][mcp_http_call]") {
  mcp_http_fixture test;
  test.channel->send(request(2));
  std::string status = "307";
  std::string target;
  SECTION("to another origin") {
    target = "https://other.example/mcp";
    test.http.next("POST")->redirect(307, target);
  }
  SECTION("that change the method") {
    status = "303";
    target = "http://127.0.0.1:1/mcp/";
    test.http.next("POST")->redirect(303, "/mcp/");
  }
  SECTION("that never end") {
    target = "http://127.0.0.1:1/mcp/";
    for (int i = 0; i < 4; ++i)
      test.http.next("POST")->redirect(307, "/mcp/");
  }
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.error == errc::server_unavailable);
  CHECK(failed.error_text == "MCP server 'web' answered tools/call with HTTP " + status +
                                 ": this redirect to '" + target +
                                 "' is not followed; if it is right, make it the `url` of this "
                                 "server. ");
  test.http.wait_for_alive(0);
  CHECK(test.http.idle());
}

TEST_CASE("http: a stream that floods is not read for a while", "[transport][mcp_http_call]") {
  auto limits = mcp_http_fixture::quick();
  limits.flood = {
      .messages_per_second = 1000, .message_burst = 3, .bytes_per_second = 1e9, .byte_burst = 1e9};
  mcp_http_fixture test{limits};
  const auto listen = test.connect();
  std::string many;
  for (int i = 0; i < 10; ++i)
    many += "data: {}\n\n";
  SECTION("an answer") {
    test.channel->send(request(2));
    const auto post = test.http.next("POST");
    post->head(200, sse_type);
    post->bytes(many);
    CHECK(test.inbox.messages(10).size() == 10);
    test.http.wait_for_pauses(1, 1);
  }
  SECTION("the server's own") {
    listen->head(200, sse_type);
    listen->bytes(many);
    CHECK(test.inbox.messages(10).size() == 10);
    test.http.wait_for_pauses(1, 1);
  }
}

TEST_CASE("addresses are resolved against a base and keep or leave its origin",
          "[transport][mcp_http_url]") {
  const std::string base = "https://Host.example/a/mcp?x=1";
  const auto [reference, url, same] = GENERATE(table<std::string, std::string, bool>({
      {"b", "https://Host.example/a/b", true},
      {"/b?c", "https://Host.example/b?c", true},
      {"https://host.EXAMPLE:443/b", "https://host.EXAMPLE:443/b", true},
      {"https://host.example:444/b", "https://host.example:444/b", false},
      {"http://host.example/b", "http://host.example/b", false},
      {"https://host.example.evil/b", "https://host.example.evil/b", false},
      {"https://host.example@evil/b", "https://host.example@evil/b", false},
  }));
  const auto named = resolve_url(base, reference);
  CHECK(named.url == url);
  CHECK(named.same_origin == same);
}

TEST_CASE("what is no address is neither resolved nor of the same origin",
          "[transport][mcp_http_url]") {
  CHECK(resolve_url("https://host/", "http://[").url.empty());
  CHECK_FALSE(resolve_url("https://host/", "http://[").same_origin);
  CHECK_FALSE(resolve_url("", "/b").same_origin);
  CHECK(origin_of("HTTP://User:Secret@Host/path?query") == "http://host:80");
  CHECK(origin_of("nonsense url").empty());
}

} // namespace mcp_http_call_test

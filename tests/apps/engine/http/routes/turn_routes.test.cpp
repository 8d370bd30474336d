// The routes of turns over HTTP: what they refuse, and what every answer carries.
#include "apps/engine/http/requests/request_trace.hpp"
#include "tests/apps/engine/http/http_exchange.hpp"
#include "tests/apps/engine/http/routes/running_engine.hpp"
#include "tests/support/catch.hpp"

namespace turn_routes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string hello = R"({"id":"c","message":"hello"})";

std::string header_of(const http_answer& answer, const std::string& name) {
  auto at = answer.head.find("\r\n" + name + ": ");
  if (at == std::string::npos)
    return "";
  auto from = at + name.size() + 4;
  return answer.head.substr(from, answer.head.find("\r\n", from) - from);
}

} // namespace

TEST_CASE("every answer about a turn carries the id of its request", "[apps][turn_routes]") {
  running_engine running{{}};
  auto port = running.port();
  const std::string given = "X-Request-Id: mine-7\r\n";
  struct row {
    std::string path;
    std::string body;
    int status;
  };
  for (const auto& each :
       std::vector<row>{{"/api/chat", hello, 200},
                        {"/api/chat", "{}", 400},
                        {"/v1/sessions/a/turns", R"({"message":"hello"})", 200},
                        {"/v1/sessions/a/turns", R"({"message":"hello","model":"none"})", 404},
                        {"/v1/sessions/a/turns", "{}", 400},
                        {"/v1/sessions/a/tool-results", R"({"results":[]})", 400},
                        {"/v1/sessions/a/approvals",
                         R"({"approvals":[{"approvalId":"p","approved":true}]})", 202},
                        {"/v1/sessions/a/approvals", "{}", 400},
                        {"/v1/sessions/a/abort", "", 202},
                        {"/v1/sessions/a/abort?turn=only-this%", "", 400},
                        {"/api/chat/a/stop", "", 202}}) {
    INFO(each.path << ' ' << each.body);
    auto answer = fetch(port, "POST", each.path, each.body, given);
    CHECK(answer.status == each.status);
    CHECK(header_of(answer, "x-request-id") == "mine-7");
    auto made = header_of(fetch(port, "POST", each.path, each.body), "x-request-id");
    CHECK(made.starts_with("req_"));
  }
}

TEST_CASE("clients of Ollama share /api/chat with those of the AI SDK", "[apps][turn_routes]") {
  running_engine running{{}};
  const auto post = [&](const std::string& body) {
    return fetch(running.port(), "POST", "/api/chat", body);
  };
  const auto streamed = post(R"({"messages":[{"role":"user","content":"hello"}]})");
  CHECK(streamed.status == 200);
  CHECK(header_of(streamed, "content-type") == "application/x-ndjson");
  CHECK(streamed.body.find(R"("done":true,"done_reason":"stop")") != std::string::npos);
  const auto whole = post(R"({"stream":false,"messages":[{"role":"user","content":"hello"}]})");
  CHECK(header_of(whole, "content-type") == "application/json");
  CHECK(header_of(whole, "x-request-id").starts_with("req_"));
  const auto unknown = post(R"({"model":"none","messages":[{"role":"user","content":"hello"}]})");
  CHECK(unknown.status == 404);
  CHECK(unknown.body.starts_with(R"({"error":")"));
  // With parts a body is the AI SDK's, also where it is wrong, and with an id whatever is in it.
  for (const auto* body :
       {R"({"messages":[{"role":"user","content":"hello","parts":[]}]})", R"({"messages":[]})",
        R"({"id":7,"messages":[{"role":"user","content":"hello"}]})"}) {
    INFO(body);
    const auto refused = post(body);
    CHECK(refused.status == 400);
    CHECK(header_of(refused, "content-type") == "text/plain; charset=utf-8");
  }
  const auto older = post(R"({"id":"c","messages":[{"role":"user","content":"hello"}]})");
  CHECK(header_of(older, "content-type") == "text/event-stream");
  CHECK(header_of(post(hello), "content-type") == "text/event-stream");
}

TEST_CASE("a request chooses the profile of its stream", "[apps][turn_routes]") {
  running_engine running{{}};
  auto reason = [&](const std::string& fields, const std::string& body) {
    auto answer = fetch(running.port(), "POST", "/api/chat", body, fields);
    CHECK(answer.status == 200);
    CHECK(answer.says(R"("type":"finish")"));
    return answer.says(R"("type":"finish","finishReason":"stop")");
  };
  CHECK(reason("", hello));
  CHECK_FALSE(reason("X-Troupe-UI-Profile: v5-min\r\n", hello));
  CHECK_FALSE(reason("", R"({"id":"c","message":"hello","uiProfile":"v5-min"})"));
  CHECK(reason("X-Troupe-UI-Profile: v5-min\r\n",
               R"({"id":"c","message":"hello","uiProfile":"v7"})"));
  auto bad = fetch(running.port(), "POST", "/api/chat", hello, "X-Troupe-UI-Profile: v9\r\n");
  CHECK(bad.status == 400);
  CHECK(bad.body == "x-troupe-ui-profile must be v5-min, v6 or v7");
}

TEST_CASE("a refused body is named", "[apps][turn_routes]") {
  running_engine running{{}};
  auto port = running.port();
  CHECK(fetch(port, "POST", "/v1/sessions/a/tool-results", R"({"results":[{}]})")
            .says("results[0].toolCallId must be"));
  CHECK(fetch(port, "POST", "/v1/sessions/a/approvals", R"({"approvals":[{}]})")
            .says("approvals[0].approvalId must be"));
  CHECK(fetch(port, "POST", "/api/chat", R"({"id":"c","trigger":"regenerate-message"})").body ==
        "to regenerate an answer, the body must have messageId or messages");
}

TEST_CASE("an id of a request that logs could not show is replaced", "[apps][turn_routes]") {
  auto id_of = [](std::string value) { return request_id_of({.request_id = value}); };
  CHECK(id_of("a-1") == "a-1");
  CHECK(id_of(std::string(128, 'x')) == std::string(128, 'x'));
  for (const auto& bad : {std::string{}, std::string(129, 'x'), std::string{"a b"},
                          std::string{"a\tb"}, std::string{"\xC3\xA9"}})
    CHECK(id_of(bad).starts_with("req_"));
  CHECK(request_id_of({}) != request_id_of({}));
}

TEST_CASE("only a valid traceparent is taken over", "[apps][turn_routes]") {
  const std::string good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  CHECK(traceparent_of({.traceparent = good}) == good);
  CHECK(traceparent_of({.traceparent = "00-1-2-3"}).empty());
  CHECK(traceparent_of({}).empty());
}

TEST_CASE("a compressed body is refused as what it is, in the form of its path",
          "[apps][turn_routes]") {
  running_engine running{{}};
  auto ask = [&](const char* path, const char* encoding) {
    return fetch(running.port(), "POST", path, hello,
                 std::string{"Content-Encoding: "} + encoding + "\r\n");
  };
  auto text = std::string{"Content-Encoding 'gzip' is not supported: send the body as it is."};
  auto page = ask("/api/chat", "gzip");
  CHECK(page.status == 415);
  CHECK(page.body == text);
  auto openai = ask("/v1/chat/completions", "gzip");
  CHECK(openai.status == 415);
  CHECK(openai.says(R"("type":"invalid_request_error")"));
  CHECK(openai.says(R"("code":"encoding_unsupported")"));
  CHECK(ask("/v1/sessions/a/turns", "br").says(R"({"error":{"code":"encoding_unsupported")"));
  CHECK(ask("/api/chat", "identity").status == 200);
}

TEST_CASE("a method that a path does not take is refused in the form of that path",
          "[apps][turn_routes]") {
  running_engine running{{}};
  auto openai = fetch(running.port(), "GET", "/v1/chat/completions");
  CHECK(openai.status == 405);
  CHECK(header_of(openai, "allow") == "POST");
  CHECK(openai.says(R"("type":"invalid_request_error")"));
  auto page = fetch(running.port(), "GET", "/api/chat");
  CHECK(page.status == 405);
  CHECK(page.body == "/api/chat takes POST.");
}

} // namespace turn_routes_test

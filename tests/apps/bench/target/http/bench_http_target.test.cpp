#include "apps/bench/target/http/http_target.hpp"

#include "tests/apps/bench/target/bench_target_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/raw_server.hpp"

namespace bench_http_target_test {

using namespace troupe;
using namespace troupe::test;
using bench::target_kind;

namespace {

constexpr std::string_view head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";

std::string chunked(std::string_view body) {
  return fmt::format("Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n", body.size(), body);
}

std::string ui_text(std::string_view delta) {
  return fmt::format("data: {{\"type\":\"text-delta\",\"id\":\"1\",\"delta\":\"{}\"}}\n\n", delta);
}

std::string chunk_text(std::string_view delta) {
  return fmt::format("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
                     delta);
}

constexpr std::string_view done = "data: [DONE]\n\n";
constexpr std::string_view last_chunk = "0\r\n\r\n";

std::string body_of(const std::string& request) {
  return request.substr(request.find("\r\n\r\n") + 4);
}

std::string line_of(const std::string& request) {
  return request.substr(0, request.find("\r\n"));
}

/// Answers every request with the same bytes and keeps what was asked.
struct recorded {
  explicit recorded(std::string with)
      : answer{std::move(with)}, server{[this](raw_connection& in) {
          while (auto request = in.request()) {
            asked.put(*request);
            if (!in.send(answer))
              return;
          }
        }} {}

  std::string answer;
  mailbox<std::string> asked;
  raw_server server;
};

std::string whole(std::string_view body) {
  return std::string{head} + chunked(body) + std::string{last_chunk};
}

} // namespace

TEST_CASE("a turn for the AI SDK is asked for as useChat does", "[apps][bench]") {
  recorded with{whole(ui_text("Hel") + ui_text("lo") + std::string{done})};
  target_fixture side{plan_of(target_kind::ai_sdk, with.server.url("/my/chat"))};
  CHECK(as_text(side.run(ask_of("s-1", 0, "say \"hi\""))) == "event text*2 end");
  const auto request = with.asked.take();
  CHECK(line_of(request) == "POST /my/chat HTTP/1.1");
  CHECK(body_of(request) ==
        R"({"id":"s-1","trigger":"submit-message","messages":[{"id":"m1","role":"user",)"
        R"("parts":[{"type":"text","text":"say \"hi\""}]}]})");
}

TEST_CASE("later turns bring the chat so far, on the same connection", "[apps][bench]") {
  recorded with{whole("data: {\"type\":\"start\",\"messageId\":\"a1\"}\n\n" + ui_text("x\\ny") +
                      std::string{done})};
  auto plan = plan_of(target_kind::ai_sdk, with.server.url());
  plan.work.turns = 3;
  target_fixture side{plan};
  for (uint32_t number = 0; number < 3; ++number)
    side.run(ask_of("s", number, fmt::format("q{}", number)));
  with.asked.take();
  CHECK(body_of(with.asked.take())
            .ends_with(
                R"("messages":[{"id":"m1","role":"user","parts":[{"type":"text","text":"q0"}]},)"
                R"({"id":"a1","role":"assistant","parts":[{"type":"text","text":"x\ny"}]},)"
                R"({"id":"m3","role":"user","parts":[{"type":"text","text":"q1"}]}]})"));
  CHECK(body_of(with.asked.take()).find(R"("text":"q2"}]}]})") != std::string::npos);
  CHECK(with.server.accepted() == 1);
}

TEST_CASE("a session that is over, or failed, leaves no chat behind", "[apps][bench]") {
  recorded with{whole(chunk_text("a"))}; // no terminator
  auto plan = plan_of(target_kind::openai, with.server.url());
  plan.work.turns = 2;
  target_fixture side{plan};
  CHECK(as_text(side.run(ask_of("s", 0, "q0"))) == "event text*1 failed(model_stream_cut)");
  side.run(ask_of("s", 1, "q1"));
  with.asked.take();
  CHECK(body_of(with.asked.take()).find("q0") == std::string::npos);
}

TEST_CASE("chat completions are asked for with a made-up history, a key and usage",
          "[apps][bench]") {
  recorded with{whole(chunk_text("a") + std::string{done})};
  auto plan = plan_of(target_kind::openai, with.server.url("/v1/"), "m");
  plan.target.fields = {{"Authorization", "Bearer k"}};
  target_fixture side{plan};
  CHECK(as_text(side.run(ask_of("s", 0, "q", 2))) == "event text*1 end");
  const auto request = with.asked.take();
  CHECK(line_of(request) == "POST /v1/chat/completions HTTP/1.1");
  CHECK(request.find("Authorization: Bearer k\r\n") != std::string::npos);
  const auto body = body_of(request);
  CHECK(body.starts_with(R"({"stream":true,"stream_options":{"include_usage":true},"model":"m",)"
                         R"("messages":[{"role":"user","content":"Question 1)"));
  CHECK(body.ends_with(R"({"role":"user","content":"q"}]})"));
}

TEST_CASE("a native turn brings its message alone, or a history in place of the server's",
          "[apps][bench]") {
  recorded with{whole("event: TEXT\ndata: {}\n\nevent: SESSION_END\ndata: {}\n\n")};
  auto plan = plan_of(target_kind::native, with.server.url());
  plan.target.keeps = true;
  target_fixture side{plan};
  CHECK(as_text(side.run(ask_of("a b", 0, "q"))) == "event text*1 end");
  const auto request = with.asked.take();
  CHECK(line_of(request) == "POST /v1/sessions/a%20b/turns HTTP/1.1");
  CHECK(body_of(request) == R"({"message":"q"})");
  side.run(ask_of("b", 0, "q", 1));
  CHECK(body_of(with.asked.take())
            .starts_with(R"({"replaceHistory":true,"messages":[{"role":"assistant",)"));
}

TEST_CASE("statuses that are none of success fail the turn by name", "[apps][bench]") {
  const std::pair<const char*, const char*> cases[]{{"500 X", "failed(internal)"},
                                                    {"429 X", "failed(rate_limited)"},
                                                    {"302 X", "failed(request_invalid)"},
                                                    {"503 X", "failed(model_overloaded)"}};
  for (const auto& [status, observations] : cases) {
    recorded with{fmt::format("HTTP/1.1 {}\r\nContent-Length: 4\r\n\r\noops", status)};
    target_fixture side{plan_of(target_kind::openai, with.server.url())};
    const auto told = side.run(ask_of("s"));
    CHECK(as_text(told) == observations);
    CHECK(told.back().text == fmt::format("HTTP {:.3}: oops", status));
  }
}

TEST_CASE("a refusal of Troupe fails the turn with its own code", "[apps][bench]") {
  constexpr std::string_view body = R"({"error":{"code":"too_many_turns","message":"wait"}})";
  recorded with{fmt::format("HTTP/1.1 429 X\r\nContent-Length: {}\r\n\r\n{}", body.size(), body)};
  target_fixture side{plan_of(target_kind::native, with.server.url())};
  CHECK(as_text(side.run(ask_of("s"))) == "failed(too_many_turns)");
}

TEST_CASE("a connection that is refused or breaks off fails the turn", "[apps][bench]") {
  auto nobody = std::make_unique<raw_server>([](raw_connection&) {});
  const auto url = nobody->url();
  nobody.reset();
  target_fixture refused{plan_of(target_kind::ai_sdk, url)};
  CHECK(as_text(refused.run(ask_of("s"))) == "failed(connect_failed)");
  const auto why = refused.factory().check();
  CHECK(why.code == errc::config_invalid);
  CHECK(why.message.starts_with(url));

  raw_server cutting{[](raw_connection& in) {
    in.request();
    in.send(std::string{head} + chunked(ui_text("a")));
  }};
  target_fixture cut{plan_of(target_kind::ai_sdk, cutting.url())};
  CHECK(as_text(cut.run(ask_of("s"))) == "event text*1 failed(connection_cut)");
}

TEST_CASE("the terminator ends a turn while its body is still open, and the connection is kept",
          "[apps][bench]") {
  mailbox<int> go;
  mailbox<std::string> asked;
  raw_server slow{[&](raw_connection& in) {
    while (auto request = in.request()) {
      asked.put(*request);
      in.send(std::string{head} + chunked(ui_text("a") + std::string{done}));
      go.take();
      in.send(last_chunk);
    }
  }};
  target_fixture side{plan_of(target_kind::ai_sdk, slow.url())};
  CHECK(as_text(side.run(ask_of("s"))) == "event text*1 end"); // lets the turn go, too
  go.put(1);
  asked.take();
  // The end of the first body and the second request race; one connection or two are right.
  CHECK(as_text(side.run(ask_of("t"))) == "event text*1 end");
  go.put(1);
  CHECK(slow.accepted() <= 2);
}

TEST_CASE("a turn of a foreign endpoint is cancelled by closing its connection", "[apps][bench]") {
  mailbox<bool> left;
  raw_server endless{[&](raw_connection& in) {
    in.request();
    in.send(std::string{head} + chunked(chunk_text("a")));
    left.put(!in.request());
  }};
  target_fixture side{plan_of(target_kind::openai, endless.url())};
  side.start(ask_of("s"));
  CHECK(side.next().what == observed::event);
  CHECK(side.next().what == observed::text);
  CHECK_FALSE(side.cancel());
  CHECK(left.take());
  CHECK(side.is_silent());
}

TEST_CASE("a stop that is refused fails the turn", "[apps][bench]") {
  raw_server stubborn{[](raw_connection& in) {
    while (auto request = in.request()) {
      if (line_of(*request) == "POST /api/chat/s%201/stop HTTP/1.1")
        in.send("HTTP/1.1 403 X\r\nContent-Length: 2\r\n\r\nno");
      else
        in.send(std::string{head} + chunked(ui_text("a")));
    }
  }};
  target_fixture side{plan_of(target_kind::troupe, stubborn.url())};
  side.start(ask_of("s 1"));
  side.next();
  side.next();
  CHECK(side.cancel());
  const auto told = side.rest();
  CHECK(as_text(told) == "failed(forbidden)");
  CHECK(told.back().text == "the turn could not be stopped: HTTP 403: no");
}

TEST_CASE("a turn that ends while it is stopped is over when the stop was answered",
          "[apps][bench]") {
  mailbox<bool> stopping, ended;
  raw_server late{[&](raw_connection& in) {
    auto request = in.request();
    if (line_of(*request).find("/stop ") == std::string::npos) {
      in.send(std::string{head} + chunked(ui_text("a")));
      stopping.take();
      const auto rest = ui_text("b") + std::string{done};
      in.send(fmt::format("{:x}\r\n{}\r\n{}", rest.size(), rest, last_chunk));
    } else {
      stopping.put(true);
      ended.take();
      in.send("HTTP/1.1 204 X\r\n\r\n");
    }
    in.request();
  }};
  target_fixture side{plan_of(target_kind::troupe, late.url())};
  side.start(ask_of("s"));
  side.next();
  side.next();
  CHECK(side.cancel());
  CHECK(side.next().what == observed::text);
  CHECK(side.is_silent());
  ended.put(true);
  CHECK(as_text(side.rest()) == "end");
}

TEST_CASE("a turn that is cut off closes its connection and says no more", "[apps][bench]") {
  mailbox<bool> left;
  raw_server endless{[&](raw_connection& in) {
    in.request();
    in.send(std::string{head} + chunked(ui_text("a")));
    left.put(!in.request());
  }};
  target_fixture side{plan_of(target_kind::ai_sdk, endless.url())};
  side.start(ask_of("s"));
  side.next();
  side.next();
  side.cut_off();
  CHECK(left.take());
  CHECK(side.is_silent());
}

TEST_CASE("a paused turn reads on where it stopped", "[apps][bench]") {
  mailbox<int> go;
  raw_server server{[&](raw_connection& in) {
    in.request();
    in.send(std::string{head} + chunked(ui_text("a")));
    go.take();
    const auto rest = ui_text("b") + std::string{done};
    in.send(fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", rest.size(), rest));
  }};
  target_fixture side{plan_of(target_kind::ai_sdk, server.url())};
  side.start(ask_of("s"));
  side.next();
  side.next();
  side.pause();
  go.put(1);
  side.resume();
  CHECK(as_text(side.rest()) == "text*1 end");
}

} // namespace bench_http_target_test

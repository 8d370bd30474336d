#include "transport/mcp/mcp_stdio.hpp"

#include "tests/transport/mcp/fake_http.hpp"
#include "tests/transport/mcp/mcp_inbox.hpp"
#include "transport/mcp/mcp_channels.hpp"

namespace mcp_stdio_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

mcp_server_config shell(const std::string& script) {
  mcp_server_config out;
  out.name = "tester";
  out.type = "stdio";
  out.command = "sh";
  out.args = {"-c", script};
  return out;
}

mcp_outbound request(int64_t id, std::string json) {
  return {std::move(json), "tools/call", id, {}};
}

/// Skips what was received before, and returns the end of the channel.
mcp_inbound last_report(mcp_inbox& inbox) {
  auto out = inbox.next();
  while (out.signal == mcp_signal::received)
    out = inbox.next();
  return out;
}

/// One channel to a child, with its loop.
struct stdio_fixture {
  void open(const mcp_server_config& config, const mcp_stdio_limits& limits = {}) {
    channels = std::make_unique<mcp_channels>(loops, http, mcp_channel_limits{limits, {}});
    channel = channels->open(config, 42, inbox.receiver());
  }

  shards loops{1};
  fake_http http;
  mcp_inbox inbox;
  std::unique_ptr<mcp_channels> channels;
  std::unique_ptr<mcp_channel> channel;
};

} // namespace

TEST_CASE("stdio: messages go out and come back one per line", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("exec cat"));
  CHECK(test.inbox.next(mcp_signal::opened).channel == 42);
  const std::string large = "{\"x\":\"" + std::string(300'000, 'y') + "\"}";
  test.channel->send(request(1, "{\"id\":1}"));
  test.channel->send(request(2, large));
  test.channel->send(request(3, "{\"id\":3}"));
  CHECK((test.inbox.messages(3) == std::vector<std::string>{"{\"id\":1}", large, "{\"id\":3}"}));
  test.channel->close();
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
}

TEST_CASE("stdio: what came in one read is reported at once", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("printf 'starting up\\n{\"a\":1}\\r\\n\\n[2]\\n'; exec cat"));
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.next(mcp_signal::received).messages ==
        std::vector<std::string>{"{\"a\":1}", "[2]"});
}

TEST_CASE("stdio: a server that dies is lost, with its exit status and its last words",
          "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("echo '{}'; echo log; echo oh no >&2; exit 7"));
  test.inbox.next(mcp_signal::opened);
  test.inbox.next(mcp_signal::received);
  const auto closed = last_report(test.inbox);
  CHECK(closed.error == errc::server_lost);
  CHECK(closed.error_text == "MCP server 'tester' ended with exit status 7; 1 lines of its stdout "
                             "were not JSON; its stderr ends with:\noh no\n");
}

TEST_CASE("stdio: a server that is killed is lost", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("echo '{}'; kill -9 $$"));
  test.inbox.next(mcp_signal::opened);
  test.inbox.next(mcp_signal::received);
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_lost);
  CHECK_THAT(closed.error_text, Catch::Contains("was ended by signal 9 (SIGKILL)"));
}

TEST_CASE("stdio: a server that ends before its first message could not be started",
          "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("echo 'usage: ...'; exit 2"));
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.next(mcp_signal::received).noise == "usage: ...");
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_start_failed);
}

TEST_CASE("stdio: a command that does not exist is the only thing reported",
          "[transport][mcp_stdio]") {
  stdio_fixture test;
  auto config = shell("");
  config.command = "no-such-command";
  test.open(config);
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_start_failed);
  CHECK(closed.error_text ==
        "MCP server 'tester': cannot start 'no-such-command': No such file or directory");
}

TEST_CASE("stdio: a line beyond the limit ends the channel", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("printf '{'; exec cat /dev/zero"), {.line_bytes = 100'000});
  test.inbox.next(mcp_signal::opened);
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_protocol);
  CHECK_THAT(closed.error_text, Catch::Contains("sent a line of more than 100000 bytes"));
}

TEST_CASE("stdio: a server that does not read fails requests and stays open",
          "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("read first; echo \"$first\"; exec sleep 1000"),
            {.graces = {10ms, 10s, 10s, 10s}, .line_bytes = 1000, .queue_bytes = 300'000});
  test.inbox.next(mcp_signal::opened);
  test.channel->send(request(1, "{\"id\":1}"));
  test.inbox.next(mcp_signal::received);
  for (int64_t id = 2; id <= 6; ++id)
    test.channel->send(request(id, "{\"x\":\"" + std::string(100'000, 'y') + "\"}"));
  const auto failed = test.inbox.next(mcp_signal::failed);
  CHECK(failed.request_id > 3);
  CHECK(failed.error == errc::server_unavailable);
  CHECK(failed.not_run);
  test.channel->close();
  auto last = test.inbox.next();
  while (last.signal == mcp_signal::failed)
    last = test.inbox.next();
  CHECK(last.signal == mcp_signal::closed);
  CHECK(last.error == errc::none);
}

TEST_CASE("stdio: a line of 100 MB ends the channel", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("printf '{\"x\":\"'; head -c 100000000 /dev/zero; printf '\"}\n'; exec cat"));
  test.inbox.next(mcp_signal::opened);
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_protocol);
  CHECK_THAT(closed.error_text, Catch::Contains("sent a line of more than 16777216 bytes"));
}

TEST_CASE("stdio: a server that floods is read no faster than allowed", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("exec yes '{\"method\":\"notifications/message\"}'"),
            {.graces = {10ms, 10s, 10s, 10s},
             .flood = {.messages_per_second = 0.001, .message_burst = 10}});
  test.inbox.next(mcp_signal::opened);
  const auto first = test.inbox.next(mcp_signal::received);
  CHECK(first.messages.size() <= 65536 / 35 + 1); // one read
  // The pipe is full now, and the loop has nothing to do but this.
  for (int i = 0; i < 1000; ++i)
    test.loops.at(0).call([] {});
  CHECK(test.inbox.empty());
  test.channel->close();
  CHECK(last_report(test.inbox).error == errc::none);
}

TEST_CASE("stdio: a flood that rests goes on when its time is over", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("i=0; while [ $i -lt 5000 ]; do echo '{}'; i=$((i+1)); done; exec cat"),
            {.flood = {.messages_per_second = 50'000, .message_burst = 100}});
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.messages(5000).size() == 5000);
}

TEST_CASE("stdio: the end of a server that rests is seen at once", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("echo '{}'; echo '{}'; read line; exit 3"),
            {.graces = {19s, 19s, 19s, 19s},
             .flood = {.messages_per_second = 0.001, .message_burst = 1}});
  test.inbox.next(mcp_signal::opened);
  test.inbox.messages(2);
  test.channel->send(request(1, "{}"));
  CHECK_THAT(last_report(test.inbox).error_text, Catch::Contains("ended with exit status 3"));
}

TEST_CASE("stdio: lines that are no JSON and no UTF-8 disturb nothing", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("printf '\\377\\376 log\\n\\000\\n{\"a\":\"\\377\"}\\n{\"id\":1}\\n'; exec cat"));
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.messages(2) ==
        std::vector<std::string>{"{\"a\":\"\xFF\"}", "{\"id\":1}"}); // who reads them judges
}

TEST_CASE("stdio: byte order marks in front of lines are left out, inside they stay",
          "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("printf '\\357\\273\\277{\"id\":1}\\r\\n\\357\\273\\277\\n"
                  "\\357\\273\\277{\"a\":\"\\357\\273\\277\"}\\n'; exec cat"));
  test.inbox.next(mcp_signal::opened);
  CHECK(test.inbox.messages(2) ==
        std::vector<std::string>{"{\"id\":1}", "{\"a\":\"\xEF\xBB\xBF\"}"});
}

TEST_CASE("stdio: a server that writes no lines of UTF-8 is told what it has to write",
          "[transport][mcp_stdio]") {
  stdio_fixture test;
  const auto [script, why] = GENERATE(table<std::string, std::string>(
      {{"printf '\\377\\376{\\000\"\\000\\n\\000'", "writes UTF-16 to its stdout"},
       {"printf '{\\000\"\\000\\n\\000'", "writes UTF-16 to its stdout"},
       {"printf '\\000{\\000\"\\000\\n'", "writes UTF-16 to its stdout"},
       {"printf 'Content-Length: 2\\r\\n\\r\\n{}'", "puts headers (Content-Length)"}}));
  test.open(shell(script + "; exec sleep 1000"));
  test.inbox.next(mcp_signal::opened);
  const auto closed = test.inbox.next(mcp_signal::closed);
  CHECK(closed.error == errc::server_protocol);
  CHECK_THAT(closed.error_text, Catch::Contains(why));
}

TEST_CASE("stdio: only the first lines that are no JSON are told of", "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("i=0; while read line; do i=$((i+1)); echo line $i; echo '{}'; done"));
  test.inbox.next(mcp_signal::opened);
  size_t told = 0;
  for (int i = 0; i < 20; ++i) {
    test.channel->send(request(1, "{}"));
    for (bool answered = false; !answered;) {
      const auto got = test.inbox.next(mcp_signal::received);
      told += got.noise.empty() ? 0 : 1;
      answered = !got.messages.empty();
    }
  }
  CHECK(told == 10);
}

TEST_CASE("stdio: a killed server is reported by its end, not by a timer",
          "[transport][mcp_stdio]") {
  stdio_fixture test;
  test.open(shell("echo '{}'; sleep 1000 & read line; kill -9 $$"),
            {.graces = {60s, 60s, 60s, 60s}});
  test.inbox.next(mcp_signal::opened);
  test.inbox.messages(1);
  for (int64_t id = 1; id <= 100; ++id)
    test.channel->send(request(id, "{}"));
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::server_lost);
}

} // namespace mcp_stdio_test

#include "transport/mcp/mcp_channels.hpp"

#include <thread>

#include "tests/transport/child/child_probe.hpp"
#include "tests/transport/mcp/fake_http.hpp"
#include "tests/transport/mcp/mcp_inbox.hpp"

namespace mcp_channels_test {

using namespace troupe;
using namespace troupe::test;

namespace {

mcp_server_config server(std::string type, std::string command = {}) {
  mcp_server_config out;
  out.name = "one";
  out.type = std::move(type);
  out.command = std::move(command);
  return out;
}

/// Starts a shell that tells its process id, and returns that.
pid_t open_shell(mcp_channels& channels, mcp_inbox& inbox, std::unique_ptr<mcp_channel>& channel) {
  auto config = server("stdio", "sh");
  config.args = {"-c", "echo \"[$$]\"; exec cat"};
  channel = channels.open(config, 1, inbox.receiver());
  inbox.next(mcp_signal::opened);
  return std::stoi(inbox.messages(1).front().substr(1));
}

} // namespace

TEST_CASE("a channel of an unknown type is closed with the known ones named",
          "[transport][mcp_channels]") {
  shards loops{1};
  fake_http http;
  mcp_inbox inbox;
  mcp_channels channels{loops, http};
  const auto channel = channels.open(server("telepathy"), 3, inbox.receiver());
  const auto closed = inbox.next(mcp_signal::closed);
  CHECK(closed.channel == 3);
  CHECK(closed.error == errc::config_invalid);
  CHECK_THAT(
      closed.error_text,
      Catch::StartsWith("MCP server 'one': unknown type 'telepathy'; known are: stdio, http, "
                        "sse"));
}

TEST_CASE("destroying a channel on any thread ends its server and silences it",
          "[transport][mcp_channels]") {
  shards loops{2};
  fake_http http;
  mcp_inbox inbox;
  mcp_channels channels{loops, http};
  std::unique_ptr<mcp_channel> channel;
  const auto pid = open_shell(channels, inbox, channel);
  std::thread{[&] { channel.reset(); }}.join();
  CHECK(comes_true([&] { return !exists(pid); }));
  CHECK(inbox.empty());
}

TEST_CASE("a channel lives on the loop that opened it", "[transport][mcp_channels]") {
  shards loops{3};
  fake_http http;
  mcp_inbox inbox;
  mcp_channels channels{loops, http};
  std::unique_ptr<mcp_channel> channel;
  std::atomic<bool> at_home{false};
  loops.at(1).call([&] {
    channel = channels.open(server("http"), 1, [&, deliver = inbox.receiver()](mcp_inbound&& what) {
      at_home = loop::current() == &loops.at(1);
      deliver(std::move(what));
    });
  });
  inbox.next(mcp_signal::opened);
  CHECK(at_home);
}

TEST_CASE("destroying all channels ends their servers while the handles live on",
          "[transport][mcp_channels]") {
  shards loops{1};
  fake_http http;
  mcp_inbox inbox;
  auto channels = std::make_unique<mcp_channels>(loops, http);
  std::unique_ptr<mcp_channel> channel;
  const auto pid = open_shell(*channels, inbox, channel);
  SECTION("on running loops") {}
  SECTION("on stopped loops") {
    loops.stop();
  }
  channels.reset();
  CHECK(comes_true([&] { return !exists(pid); }));
  channel->send({"{}", "tools/call", 1, {}});
  channel->close();
  channel.reset();
}

} // namespace mcp_channels_test

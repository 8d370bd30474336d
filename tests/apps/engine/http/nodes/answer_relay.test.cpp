// The answer of another node on its way to a client.
#include "apps/engine/http/nodes/answer_relay.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace answer_relay_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// What a client got, in words.
struct client_answer : http_response {
  void watch(std::function<void(response_signal)> watcher) override { tell = std::move(watcher); }
  void send(uint16_t status, const headers& fields, std::string body) override {
    said += "send " + std::to_string(status) + names(fields) + " '" + body + "'\n";
  }
  void start(uint16_t status, const headers& fields) override {
    said += "start " + std::to_string(status) + names(fields) + '\n';
  }
  void send_now() override { said += "send now\n"; }
  bool write(std::string_view bytes) override {
    said.append("write '").append(bytes).append("'\n");
    if (in_write)
      std::exchange(in_write, nullptr)();
    return takes_more;
  }
  void finish() override { said += "finish\n"; }
  void reset() override { said += "reset\n"; }

  static std::string names(const headers& fields) {
    std::string out;
    for (const auto& each : fields)
      out += ' ' + each.name + '=' + each.value;
    return out;
  }

  std::function<void(response_signal)> tell;
  std::function<void()> in_write;
  std::string said;
  bool takes_more = true;
};

/// One request on its way through this node.
struct relay_fixture {
  relay_fixture() {
    auto relay = std::make_shared<answer_relay>(client, counts);
    alive = relay;
    relay->begin(
        http, {}, [this](forward_start how) { told.push_back(std::move(how)); },
        [this] { ++left; });
  }
  /// Ends as http_client does: it lets go of the receivers that it still has.
  ~relay_fixture() {
    for (const auto& each : http.calls) // the end of a receiver may ask for the same
      std::exchange(each->deliver, nullptr);
  }
  relay_fixture(const relay_fixture&) = delete;
  relay_fixture& operator=(const relay_fixture&) = delete;

  fake_http::call& node() { return *http.calls.at(0); }

  void head(uint16_t status, headers fields = {}, std::string bytes = {}, bool last = false) {
    http_part part;
    part.status = status;
    part.head = std::move(fields);
    part.bytes = std::move(bytes);
    part.last = last;
    deliver(std::move(part));
  }
  void bytes(std::string text) {
    http_part part;
    part.bytes = std::move(text);
    deliver(std::move(part));
  }
  void end(errc error = errc::none, std::string text = {}) {
    http_part part;
    part.last = true;
    part.error = error;
    part.bytes = std::move(text);
    deliver(std::move(part));
  }

  /// As http_client does it: the receiver lives while it runs.
  void deliver(http_part part) {
    auto to = node().deliver;
    if (to)
      to(std::move(part));
  }

  std::shared_ptr<forward_counts> counts = std::make_shared<forward_counts>();
  fake_http http;
  std::shared_ptr<client_answer> client = std::make_shared<client_answer>();
  std::weak_ptr<answer_relay> alive;
  std::vector<forward_start> told;
  int left = 0;
};

} // namespace

TEST_CASE("a stream goes on as it comes: status, fields, bytes, end", "[apps][answer_relay]") {
  relay_fixture it;
  it.head(200, {{"content-type", "text/event-stream"}, {"connection", "close"}}, "data: 1\n\n");
  it.bytes("data: 2\n\n");
  it.end();
  CHECK(it.client->said == "start 200 content-type=text/event-stream\nsend now\n"
                           "write 'data: 1\n\n'\nwrite 'data: 2\n\n'\nfinish\n");
  REQUIRE(it.told.size() == 1);
  CHECK(it.told[0].what == forward_start::kind::passed);
  CHECK(it.counts->passed == 1);
  CHECK(it.alive.expired());
  CHECK(it.counts->open == 0);
}

TEST_CASE("a short answer goes on in one piece", "[apps][answer_relay]") {
  SECTION("in one read") {
    relay_fixture it;
    it.head(409, {{"content-length", "4"}, {"etag", "x"}}, "busy", true);
    CHECK(it.client->said == "send 409 etag=x 'busy'\n");
  }
  SECTION("in several") {
    relay_fixture it;
    it.head(202, {{"content-length", "4"}});
    it.bytes("bu");
    CHECK(it.client->said.empty());
    it.end(errc::none, "sy");
    CHECK(it.client->said == "send 202 'busy'\n");
  }
  SECTION("without a body") {
    relay_fixture it;
    it.head(204, {{"x-request-id", "r"}}, "", true);
    CHECK(it.client->said == "send 204 x-request-id=r ''\n");
  }
  SECTION("a long one comes in pieces") {
    relay_fixture it;
    it.head(200, {{"content-length", "1048577"}}, "a");
    CHECK(it.client->said == "start 200\nsend now\nwrite 'a'\n");
  }
}

TEST_CASE("a node that is lost in mid-answer resets the client's connection",
          "[apps][answer_relay]") {
  relay_fixture it;
  it.head(200, {}, "a");
  it.end(errc::connection_cut);
  CHECK(it.client->said == "start 200\nsend now\nwrite 'a'\nreset\n");
  CHECK(it.counts->broken == 1);
  CHECK(it.counts->open == 0);
}

TEST_CASE("a short answer that breaks off is no answer", "[apps][answer_relay]") {
  relay_fixture it;
  it.head(200, {{"content-length", "9"}}, "a");
  it.end(errc::connection_cut);
  CHECK(it.client->said == "reset\n");
}

TEST_CASE("a slow client pauses the node, and resumes it", "[apps][answer_relay]") {
  relay_fixture it;
  it.client->takes_more = false;
  it.head(200, {}, "a");
  CHECK(it.node().paused == 1);
  CHECK(it.node().resumed == 0);
  it.client->tell(response_signal::drained);
  CHECK(it.node().resumed == 1);
}

TEST_CASE("a client that drains while its bytes are written leaves nothing paused",
          "[apps][answer_relay]") {
  relay_fixture it;
  it.client->takes_more = false;
  it.client->in_write = [&] { it.client->tell(response_signal::drained); };
  it.head(200, {}, "a");
  CHECK(it.node().paused == 1);
  CHECK(it.node().resumed == 2); // the last word
}

TEST_CASE("a client that leaves ends the exchange", "[apps][answer_relay]") {
  relay_fixture it;
  SECTION("before the answer") {
    it.client->tell(response_signal::gone);
    CHECK(it.told.empty());
  }
  SECTION("in mid-answer") {
    it.head(200, {}, "a");
    it.client->tell(response_signal::gone);
  }
  SECTION("while its bytes are written") {
    it.client->in_write = [&] { it.client->tell(response_signal::gone); };
    it.head(200, {}, "a");
  }
  CHECK(it.node().cancelled);
  CHECK(it.left == 1);
  CHECK(it.counts->open == 0);
}

TEST_CASE("an answer that has not begun can be given up", "[apps][answer_relay]") {
  relay_fixture it;
  SECTION("before its head") {
    CHECK(it.alive.lock()->give_up());
    CHECK(it.node().cancelled);
    CHECK(it.alive.expired());
    CHECK(it.told.empty());
  }
  SECTION("not after it") {
    it.head(200, {}, "a");
    CHECK_FALSE(it.alive.lock()->give_up());
    it.end();
    CHECK(it.client->said == "start 200\nsend now\nwrite 'a'\nfinish\n");
  }
}

TEST_CASE("what a node has not looked at is told, and not shown", "[apps][answer_relay]") {
  const auto [status, what] =
      GENERATE(table<uint16_t, forward_start::kind>({{421, forward_start::kind::not_owner},
                                                     {403, forward_start::kind::refused},
                                                     {401, forward_start::kind::refused}}));
  relay_fixture it;
  it.head(status, {{"troupe-not-taken", "x"}, {"content-length", "3"}}, "why", true);
  CHECK(it.client->said.empty());
  REQUIRE(it.told.size() == 1);
  CHECK(it.told[0].what == what);
  CHECK(it.node().cancelled);
  CHECK(it.counts->passed == 0);
}

TEST_CASE("a refusal by a route is an answer as any", "[apps][answer_relay]") {
  relay_fixture it;
  it.head(403, {{"content-length", "2"}}, "no", true);
  CHECK(it.client->said == "send 403 'no'\n");
}

TEST_CASE("a node without an answer is told, and whether it may have got the request",
          "[apps][answer_relay]") {
  const auto [error, sent] = GENERATE(table<errc, bool>({{errc::connect_failed, false},
                                                         {errc::connect_timeout, false},
                                                         {errc::connection_cut, true},
                                                         {errc::deadline_exceeded, true}}));
  relay_fixture it;
  it.end(error);
  CHECK(it.client->said.empty());
  REQUIRE(it.told.size() == 1);
  CHECK(it.told[0].what == forward_start::kind::unreachable);
  CHECK(it.told[0].was_sent == sent);
  CHECK(it.told[0].why.code == error);
}

} // namespace answer_relay_test

#include "actors/cluster/single_server_link.hpp"

#include "actors/cluster/single_server_port.hpp"
#include "actors/registry.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace single_server_link_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const server_assignment here{server_where::here, 1, "a", ""};
const server_assignment at_b{server_where::there, 2, "b", "http://inner-b:1"};
const server_assignment at_c{server_where::there, 3, "c", "http://inner-c:1"};

mcp_outbound request(int64_t id, const std::string& method) {
  return {"{}", method, id, ""};
}

/// A channel of a server that exists once; the test plays the cluster_member and both ports.
class link_world : public deterministic {
public:
  link_world() {
    member = sys.spawn([this](cluster_member_actor::pointer me) {
      return cluster_member_actor::behavior_type{
          [this, me](const want_server& want) {
            wanted.push_back(want);
            link = caf::actor_cast<single_server_link_actor>(me->current_sender());
          },
          [this](const server_closed&) { ++closed; },
          [](atom::drain) { return atom::done_v; },
          [](atom::disconnect) { return atom::done_v; },
          [](atom::tick) {},
          [](atom::piece) {},
      };
    });
    sys.registry().put(cluster_member_name, caf::actor_cast<caf::strong_actor_ptr>(member));
    server.name = "s 1";
    server.type = "stdio";
    server.command = "run";
    server.nodes = server_nodes::one;
    port.run_in(sys);
    channel = port.open(server, 9, [this](mcp_inbound&& in) { got.push_back(std::move(in)); });
    run();
  }
  ~link_world() {
    channel.reset();
    sys.registry().erase(cluster_member_name);
    crash(*this, member);
  }

  void place(const server_assignment& at) {
    caf::anon_send(link, at);
    run();
  }
  void send(const mcp_outbound& message) {
    channel->send(message);
    run();
  }
  fake_mcp::link& of(fake_mcp& of) { return *of.links.back(); }
  void opened(fake_mcp& through) {
    of(through).signal(mcp_signal::opened);
    run();
  }
  void answer(fake_mcp& through, int64_t id) {
    of(through).result(id, "{}");
    run();
  }
  /// Goes on until the server has answered initialize.
  void connect(const server_assignment& at, fake_mcp& through) {
    place(at);
    opened(through);
    send(request(1, "initialize"));
    answer(through, 1);
    got.clear();
  }
  void fail(fake_mcp& through, int64_t id, errc code, bool not_run) {
    mcp_inbound in;
    in.channel = of(through).number;
    in.signal = mcp_signal::failed;
    in.request_id = id;
    in.error = code;
    in.error_text = "no connection to inner-b:1";
    in.not_run = not_run;
    of(through).deliver(std::move(in));
    run();
  }
  bool has_moved() const {
    return !got.empty() && got.back().signal == mcp_signal::closed && got.back().moved &&
           got.back().error == errc::server_session_lost;
  }

  fake_mcp near, far;
  single_server_port port{near, far};
  mcp_server_config server;
  cluster_member_actor member;
  single_server_link_actor link;
  std::unique_ptr<mcp_channel> channel;
  std::vector<mcp_inbound> got;
  std::vector<want_server> wanted;
  int closed = 0;
};

} // namespace

TEST_CASE_METHOD(link_world, "a server for every node is not asked for", "[actors][cluster]") {
  auto other = server;
  other.nodes = server_nodes::every;
  const auto plain = port.open(other, 3, [](mcp_inbound&&) {});
  run();
  CHECK(wanted.size() == 1);
  CHECK(of(near).number == 3);
}

TEST_CASE_METHOD(link_world, "a server that exists once waits until this node may have it",
                 "[actors][cluster]") {
  CHECK(wanted.size() == 1);
  CHECK(wanted.back().server == "s 1");
  CHECK(near.links.empty());
  place({});
  CHECK(near.links.empty());
  place(here);
  REQUIRE(near.links.size() == 1);
  CHECK(of(near).config.command == "run");
  opened(near);
  REQUIRE(got.size() == 1);
  CHECK(got[0].channel == 9);
  CHECK(got[0].node == "a");
  CHECK_FALSE(got[0].remote);
  send(request(1, "initialize"));
  CHECK(of(near).sent.size() == 1);
}

TEST_CASE_METHOD(link_world, "a server of another node is called over its cluster port",
                 "[actors][cluster]") {
  place(at_b);
  REQUIRE(far.links.size() == 1);
  CHECK(of(far).config.type == "http");
  CHECK(of(far).config.url == "http://inner-b:1/v1/mcp/node/s%201");
  CHECK(find_header(of(far).config.http_headers, "troupe-to") == "2");
  opened(far);
  send(request(1, "initialize"));
  answer(far, 1);
  CHECK(got.back().node == "b");
  CHECK(got.back().remote);
}

TEST_CASE_METHOD(link_world,
                 "a node that does not answer initialize is asked again, or another one",
                 "[actors][cluster]") {
  place(at_b);
  opened(far);
  send(request(1, "initialize"));
  SECTION("the same") {
    fail(far, 1, errc::server_unavailable, false);
    CHECK(got.size() == 1);
    advance(250ms);
    CHECK(far.links.size() == 2);
  }
  SECTION("it takes no connection") {
    of(far).signal(mcp_signal::closed, errc::server_unavailable, "refused");
    run();
    advance(250ms);
    CHECK(far.links.size() == 2);
  }
  SECTION("another one has it now") {
    place(at_c);
    advance(0ms);
    REQUIRE(far.links.size() == 2);
    CHECK(of(far).config.url == "http://inner-c:1/v1/mcp/node/s%201");
  }
  opened(far);
  CHECK(of(far).last("initialize").request_id == 1);
  CHECK(got.size() == 1);
  answer(far, 1);
  CHECK(got.size() == 2);
}

TEST_CASE_METHOD(link_world, "a node that is gone is noticed with a call", "[actors][cluster]") {
  connect(at_b, far);
  send(request(2, "tools/call"));
  send(request(3, "tools/call"));
  SECTION("which it did not get: that one comes again") {
    fail(far, 3, errc::server_unavailable, true);
    REQUIRE(got.size() == 2);
    CHECK(got[0].request_id == 3);
    CHECK(got[0].error == errc::server_session_lost);
    CHECK(got[0].not_run);
  }
  SECTION("whose answer breaks off") {
    fail(far, 3, errc::server_lost, false);
    REQUIRE(got.size() == 1);
  }
  CHECK(has_moved());
  for (const auto& each : got)
    CHECK_THAT(each.error_text, !Catch::Contains("inner") && Catch::Contains("'b'"));
}

TEST_CASE_METHOD(link_world, "what a node refuses for another reason is told",
                 "[actors][cluster]") {
  connect(at_b, far);
  send(request(2, "tools/call"));
  fail(far, 2, errc::server_unavailable, false);
  REQUIRE(got.size() == 1);
  CHECK(got[0].error == errc::server_unavailable);
  CHECK_THAT(got[0].error_text, !Catch::Contains("inner"));
}

TEST_CASE_METHOD(link_world, "answers of a node that has given the server away are waited for",
                 "[actors][cluster]") {
  connect(at_b, far);
  SECTION("there are none") {
    place(at_c);
    CHECK(has_moved());
  }
  SECTION("one comes") {
    send(request(2, "tools/call"));
    place(at_c);
    CHECK(got.empty());
    answer(far, 2);
    CHECK(got.size() == 2);
    CHECK(has_moved());
  }
  SECTION("none comes") {
    send(request(2, "tools/call"));
    place({});
    CHECK(got.empty());
    advance(1s);
    CHECK(has_moved());
  }
  CHECK(closed == 0);
}

TEST_CASE_METHOD(link_world, "a server is given away when its calls are over, and not before",
                 "[actors][cluster]") {
  connect(here, near);
  send(request(2, "tools/call"));
  place({server_where::leaving, 1, "a", ""});
  send(request(3, "tools/call"));
  CHECK(of(near).last("tools/call").request_id == 2);
  CHECK_FALSE(of(near).closing);
  SECTION("it answers") {
    answer(near, 2);
  }
  SECTION("the call is taken back") {
    send({R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})",
          "notifications/cancelled", 0, ""});
    advance(20s);
  }
  SECTION("it does not answer") {
    advance(20s);
  }
  SECTION("others have it already") {
    place({});
  }
  CHECK(of(near).closing);
  CHECK(closed == 0);
  got.clear();
  of(near).signal(mcp_signal::closed);
  run();
  CHECK(closed == 1);
  REQUIRE(got.size() == 2);
  CHECK(got[0].signal == mcp_signal::failed);
  CHECK(got[0].request_id == 3);
  CHECK(got[0].not_run);
  CHECK(has_moved());
}

TEST_CASE_METHOD(link_world, "a server that ends by itself may be started here again",
                 "[actors][cluster]") {
  connect(here, near);
  of(near).signal(mcp_signal::closed, errc::server_lost, "exit code 1");
  run();
  REQUIRE(got.size() == 1);
  CHECK(got[0].error == errc::server_lost);
  CHECK_FALSE(got[0].moved);
  CHECK(closed == 0);
}

TEST_CASE_METHOD(link_world, "a link that its owner closes gives the server back",
                 "[actors][cluster]") {
  SECTION("it waits still") {
    channel->close();
    run();
    CHECK(closed == 0);
  }
  SECTION("it is here") {
    connect(here, near);
    channel->close();
    run();
    CHECK(of(near).closing);
    CHECK(got.empty());
    of(near).signal(mcp_signal::closed);
    run();
    CHECK(closed == 1);
  }
  SECTION("it is there") {
    connect(at_b, far);
    channel->close();
    run();
    CHECK(of(far).closing);
    of(far).signal(mcp_signal::closed);
    run();
    CHECK(closed == 0);
  }
  REQUIRE(got.size() == 1);
  CHECK(got[0].signal == mcp_signal::closed);
  CHECK(got[0].error == errc::none);
  CHECK_FALSE(got[0].moved);
}

} // namespace single_server_link_test

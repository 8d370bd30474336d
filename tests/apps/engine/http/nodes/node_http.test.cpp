#include "apps/engine/http/nodes/node_channels.hpp"

#include "apps/engine/http/nodes/forward_fields.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace node_http_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("a request of a node is signed, and says which start of which node it means",
          "[apps][node_http]") {
  constexpr std::string_view secret = "a secret of sixteen letters";
  fake_http wire;
  node_http nodes{wire, "a", secret};
  http_request ask;
  ask.method = "POST";
  ask.url = "http://10.0.0.2:9/v1/mcp/node/s%201";
  ask.fields = {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", "7-1"}, {"troupe-to", "42"}};
  ask.body = "{}";
  ask.deadlines = {1h, 2h, 3h, 4h};
  const auto exchange = nodes.open(ask, 5, [](http_part&&) {});
  REQUIRE(wire.calls.size() == 1);
  const auto& sent = wire.calls.front()->request;
  CHECK(sent.url == ask.url);
  CHECK(sent.body == "{}");
  CHECK_FALSE(sent.once);
  CHECK(sent.deadlines.connect < 5s);
  CHECK(sent.deadlines.first_byte == 2h);
  CHECK(sent.deadlines.idle == 3h);
  CHECK(sent.deadlines.total == 4h);
  CHECK(sent.deadlines.dead_peer > 0s);
  server_request arrived;
  arrived.method = sent.method;
  arrived.target = "/v1/mcp/node/s%201";
  arrived.body = sent.body;
  for (const auto& each : sent.fields)
    arrived.fields.push_back(each);
  CHECK(find_header(arrived.fields, "Mcp-Session-Id") == "7-1");
  forward_terms terms;
  REQUIRE_FALSE(read_forward(arrived, forward_signature{secret}, true, terms));
  CHECK(terms.to == 42);
  CHECK(terms.owner.empty());
  arrived.target = "/v1/mcp/node/other";
  CHECK(read_forward(arrived, forward_signature{secret}, true, terms).code == errc::forbidden);
}

} // namespace node_http_test

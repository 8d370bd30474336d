// Which node answers a request of a client.
#include "apps/engine/http/nodes/turn_forwarder.hpp"

#include <string>

#include "tests/apps/engine/http/nodes/turn_forwarder_fixture.hpp"
#include "tests/support/catch.hpp"

namespace turn_forwarder_test {

using namespace std::chrono_literals;
using namespace troupe;
using namespace troupe::test;

TEST_CASE("a turn runs where its request came, and nobody is asked", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  CHECK(it.ask("POST", "/turn/c").body == "local");
  CHECK(it.ask("POST", "/fresh").body == "local");
  CHECK(it.ask("GET", "/list").body == "local");
  CHECK(rows.ran == "POST /turn/c \nPOST /fresh \nGET /list \n");
  CHECK(it.asked.empty());
  CHECK(it.http.calls.empty());
}

TEST_CASE("a turn of a chat that is busy elsewhere goes to its owner", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  rows.statuses = {409};
  rows.late = GENERATE(false, true);
  it.owners = {it.other()};
  auto& client = it.ask("POST", "/turn/c", "the body");
  if (rows.late) {
    rows.waiting.at(0)->send(409, {}, "local");
    it.run();
  }
  CHECK(it.asked == "find c\n");
  REQUIRE(it.http.calls.size() == 1);
  const auto& sent = it.http.calls[0]->request;
  CHECK(sent.url == "http://10.0.0.2:9/turn/c");
  CHECK(sent.body == "the body");
  CHECK(find_header(sent.fields, "troupe-to") == "42");
  CHECK(client.status == 0);
  it.node_says(200, {{"content-type", "text/event-stream"}}, "data: 1\n\n");
  CHECK(client.status == 200);
  CHECK(client.body == "data: 1\n\n");
  CHECK(client.ended);
}

TEST_CASE("the chat of a turn may be named by its body", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  rows.statuses = {409};
  it.owners = {it.other()};
  it.ask("POST", "/turn", R"({"message":"x","id":"c 1"})");
  CHECK(it.asked == "find c 1\n");
  CHECK(it.http.calls.size() == 1);
}

TEST_CASE("a chat that is busy here is busy", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  rows.statuses = {409, 409};
  auto& client = it.ask("POST", "/turn/c");
  CHECK(client.status == 409);
  CHECK(client.body == "local");
  CHECK(rows.ran == "POST /turn/c \nPOST /turn/c \n"); // it might have become free elsewhere
}

TEST_CASE("a chat that has become free in between is taken", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  rows.statuses = {409, 200};
  CHECK(it.ask("POST", "/turn/c").status == 200);
}

TEST_CASE("what is about the turn that runs goes to its owner at once", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other()};
  auto& client = it.ask("POST", "/stop/c");
  CHECK(rows.ran.empty());
  REQUIRE(it.http.calls.size() == 1);
  it.node_says(202, {{"content-length", "2"}}, "{}");
  CHECK(client.status == 202);
  CHECK(client.body == "{}");
}

TEST_CASE("what is about a turn that nobody else runs is done here", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  CHECK(it.ask("POST", "/stop/c").body == "local");
  CHECK(it.asked == "find c\n");
}

TEST_CASE("a node that does not run the turn is asked no more", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other(), {}};
  auto& client = it.ask("POST", "/stop/c");
  it.node_denies();
  CHECK(client.status == 0);
  it.advance(200ms);
  CHECK(client.body == "local"); // nobody runs it any more
}

TEST_CASE("a chat that its owner does not run is freed", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other(), it.other(), {}};
  auto& client = it.ask("POST", "/stop/c");
  it.node_denies();
  it.advance(200ms);
  it.node_denies();
  it.advance(200ms);
  CHECK(it.asked == "find c\nfind c\norphan c 42 5\n");
  CHECK(client.body == "local");
}

TEST_CASE("an owner that cannot be found is unreachable", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other()};
  auto& client = it.ask("POST", "/stop/c");
  for (int i = 0; i < 2; ++i) {
    it.node_fails(errc::connect_failed);
    CHECK(client.status == 0);
    it.advance(200ms);
  }
  it.node_fails(errc::connect_failed);
  CHECK(client.status == 503);
  CHECK(find_header(client.fields, "retry-after") == "1");
  CHECK(client.body.find("owner_unreachable") != std::string::npos);
  CHECK(client.body.find("10.0.0.2") == std::string::npos);
}

TEST_CASE("a node that hangs is waited for as long as it has its lease", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other(), it.other(43), {}};
  auto& client = it.ask("POST", "/stop/c");
  it.advance(1s);
  CHECK(it.http.calls.size() == 1);
  CHECK(it.asked == "find c\n");
  it.living = it.nodes_of(43); // another node sweeps it, and runs a turn
  it.advance(1s);
  CHECK(it.http.calls[0]->cancelled);
  REQUIRE(it.http.calls.size() == 2);
  CHECK(find_header(it.http.calls[1]->request.fields, "troupe-to") == "43");
  it.living = GENERATE(forwarder_fixture::nodes_of(43, cluster_state::dead),
                       forwarder_fixture::nodes_of(43, cluster_state::serving, 0));
  it.advance(1s); // nobody does
  CHECK(it.http.calls[1]->cancelled);
  CHECK(client.body == "local");
}

TEST_CASE("a turn that waits at a node is not taken away while that lives",
          "[apps][turn_forwarder]") {
  forwarder_fixture it;
  rows.statuses = {409};
  it.owners = {it.other(), {}}; // between two turns of its queue nobody runs one
  auto& client = it.ask("POST", "/turn/c");
  it.advance(1s);
  CHECK_FALSE(it.http.calls[0]->cancelled);
  CHECK(client.status == 0);
  it.living = it.nodes_of(43);
  it.advance(1s); // nobody knows whether it has begun
  CHECK(client.status == 503);
  CHECK(it.http.calls.size() == 1);
}

TEST_CASE("a turn that a node may have begun is not sent twice", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  rows.statuses = {409};
  it.owners = {it.other()};
  auto& client = it.ask("POST", "/turn/c");
  it.node_fails(errc::connection_cut);
  CHECK(client.status == 503);
  CHECK(it.http.calls.size() == 1);
}

TEST_CASE("a node that does not know the secret is unreachable", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other()};
  auto& client = it.ask("POST", "/stop/c");
  it.node_says(403, {{std::string{not_taken_field}, "request"}}, "the reason");
  CHECK(client.status == 503);
  CHECK(client.body.find("reason") == std::string::npos);
}

TEST_CASE("a directory that knows nothing is an error", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  chat_owner lost;
  lost.error = {errc::store_failed, ""};
  it.owners = {lost};
  CHECK(it.ask("POST", "/stop/c").status == 503);
  it.owners = {};
  CHECK(it.ask("POST", "/stop/c").status == 200);
}

TEST_CASE("a client that leaves ends its request", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other()};
  auto& client = it.ask("POST", "/stop/c");
  SECTION("before the answer") {}
  SECTION("while another look waits") {
    it.node_denies();
  }
  SECTION("in mid-answer") {
    it.node_says(200, {}, "a", false);
  }
  client.tell(response_signal::gone);
  it.run();
  CHECK(it.http.calls[0]->cancelled);
  CHECK(it.nodes.searches() == 0);
  it.advance(200ms);
  CHECK(it.http.calls.size() == 1);
}

TEST_CASE("a request is refused while the directory is away", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.sys.registry().erase(cluster_directory_name);
  CHECK(it.ask("POST", "/stop/c").status == 503);
  CHECK(it.nodes.searches() == 0);
}

} // namespace turn_forwarder_test

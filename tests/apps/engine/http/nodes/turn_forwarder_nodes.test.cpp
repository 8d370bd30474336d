// What a node does for other nodes, and while it drains.
#include "apps/engine/http/nodes/turn_forwarder.hpp"

#include <string>

#include "tests/apps/engine/http/nodes/turn_forwarder_fixture.hpp"
#include "tests/support/catch.hpp"

namespace turn_forwarder_nodes_test {

using namespace std::chrono_literals;
using namespace troupe;
using namespace troupe::test;

TEST_CASE("a node that drains sends turns to another one", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.nodes.drain();
  it.owners = {{}, it.other()};
  auto& turn = it.ask("POST", "/turn/c");
  CHECK(it.asked == "find c\npick\n");
  REQUIRE(it.http.calls.size() == 1);
  CHECK(find_header(it.http.calls[0]->request.fields, "troupe-to") == "any");
  it.node_says(200, {{"content-length", "4"}}, "else");
  CHECK(turn.body == "else");
  it.asked.clear();
  auto& fresh = it.ask("POST", "/fresh");
  CHECK(it.asked == "pick\n");
  it.node_denies(); // it drains, too
  it.advance(200ms);
  CHECK(it.asked == "pick\npick\n");
  it.node_says(200, {{"content-length", "4"}}, "else");
  CHECK(fresh.body == "else");
  it.asked.clear();
  it.ask("POST", "/turn", R"({"messages":[]})"); // a chat of Ollama's, which has no id
  CHECK(it.asked == "pick\n");
  it.node_says(200, {{"content-length", "4"}}, "else");
  CHECK(it.ask("GET", "/list").body == "local");
  CHECK(rows.ran == "GET /list \n");
}

TEST_CASE("a node that drains answers for the turns that it runs", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.nodes.drain();
  it.busy = "c";
  CHECK(it.ask("POST", "/stop/c").body == "local");
  CHECK(it.asked == "find c\n");
}

TEST_CASE("the last node answers for itself", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.nodes.drain();
  rows.statuses = {503, 503};
  CHECK(it.ask("POST", "/turn/c").status == 503);
  CHECK(it.http.calls.empty());
}

TEST_CASE("a turn that a drain overtakes goes to another node", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  rows.late = true;
  auto& client = it.ask("POST", "/turn/c");
  it.nodes.drain();
  it.owners = {{}, it.other()};
  rows.waiting.at(0)->send(503, {}, "shutting down");
  it.run();
  CHECK(client.status == 0);
  REQUIRE(it.http.calls.size() == 1);
  it.node_says(200, {{"content-length", "4"}}, "else");
  CHECK(client.body == "else");
}

TEST_CASE("a node's request is done for the owner that it names", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.settings.auth.keys = true;
  it.busy = scoped_id("alice", "c");
  CHECK(it.ask_as_node({"alice", 0, this_start}, "POST", "/stop/c").body == "local");
  CHECK(it.ask_as_node({"alice", 0, 0}, "POST", "/turn/x").body == "local");
  CHECK(rows.ran == "POST /stop/c alice\nPOST /turn/x alice\n");
  CHECK(it.asked.empty()); // a hop is never forwarded
}

TEST_CASE("a turn that does not run here is denied to other nodes", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.busy = "c";
  const auto denied = [&](const forward_terms& terms, const char* target) {
    auto& answer = it.ask_as_node(terms, "POST", target);
    return answer.status == 421 && !find_header(answer.fields, not_taken_field).empty();
  };
  CHECK(denied({"", 0, this_start}, "/stop/other"));
  CHECK(denied({"", 0, this_start}, "/turn/other"));
  CHECK(denied({"", 0, this_start + 1}, "/stop/c")); // it means an earlier start
  it.nodes.drain();
  CHECK(denied({"", 0, 0}, "/fresh"));
  CHECK(rows.ran.empty());
  CHECK(it.ask_as_node({"", 0, this_start}, "POST", "/stop/c").status == 200);
}

TEST_CASE("a busy chat is busy for a node that forwards to it", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.busy = "c";
  rows.statuses = {409};
  auto& answer = it.ask_as_node({"", 0, this_start}, "POST", "/turn/c");
  CHECK(answer.status == 409);
  CHECK(find_header(answer.fields, not_taken_field).empty());
}

TEST_CASE("the cluster's port is for nodes, and for turns", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  auto bare = std::make_shared<noted_response>();
  it.api.answer_node(it.request_of("GET", "/list", ""), bare);
  CHECK(bare->status == 401);
  CHECK_FALSE(it.api.permit_node(it.request_of("POST", "/stop/c", "")).read);
  CHECK(it.ask_as_node({"alice"}, "GET", "/admin").status == 404);
  CHECK(it.ask_as_node({"alice"}, "GET", "/nowhere").status == 404);
  CHECK(it.ask_as_node({"alice"}, "GET", "/list").status == 404); // each node lists by itself
  CHECK(rows.ran.empty());
}

TEST_CASE("a node that lives but does not answer is asked for a sign of life, then given up",
          "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.owners = {it.other()};
  const auto wait_for_probe = [&it](size_t calls) {
    it.advance(500ms);
    it.advance(500ms);
    CHECK(it.http.calls.size() == calls - 1);
    it.advance(500ms);
    REQUIRE(it.http.calls.size() == calls);
    CHECK(it.http.calls.back()->request.url == "http://10.0.0.2:9/");
  };
  auto& stop = it.ask("POST", "/stop/c");
  wait_for_probe(2);
  it.node_says(401, {}, "who are you?");
  CHECK(stop.status == 0); // it lives: the answer takes its time
  wait_for_probe(3);
  it.node_fails(errc::deadline_exceeded);
  CHECK(stop.status == 503);
  CHECK(stop.body.find("owner_unreachable") != std::string::npos);
  CHECK(it.asked == "find c\n"); // the same node would be found again
}

TEST_CASE("a client cannot speak as a node", "[apps][turn_forwarder]") {
  forwarder_fixture it;
  it.busy = "c";
  auto in = it.request_of("POST", "/turn/c", "");
  const forward_signature ours{"a secret of sixteen letters"};
  in.fields = make_forward(in, {"alice", 0, this_start}, {"b", ours}, "http://a").fields;
  it.answers.push_back(std::make_shared<noted_response>());
  it.api.answer(std::move(in), it.answers.back());
  it.run();
  CHECK(rows.ran == "POST /turn/c \n"); // of no owner
}

} // namespace turn_forwarder_nodes_test

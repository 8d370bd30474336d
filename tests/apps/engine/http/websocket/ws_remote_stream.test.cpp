// Streams of a WebSocket whose turns other nodes run.
#include "apps/engine/http/websocket/ws_remote_stream.hpp"

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "tests/apps/engine/http/websocket/ws_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace ws_remote_stream_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// A request that went to the other nodes, and what answers it.
struct asked_node {
  server_request request;
  std::shared_ptr<http_response> answer;
};

/// The other nodes of a connection, as the test plays them.
struct node_side {
  turn_forwarder* make(caf::actor_system& system) {
    nodes.emplace(forward_setup{system, http, "a", "secret", [] { return uint64_t{1}; }, nullptr});
    nodes->serve(
        [this](const principal&, server_request&& request, std::shared_ptr<http_response> answer) {
          asked.push_back({std::move(request), std::move(answer)});
        });
    return &*nodes;
  }

  fake_http http;
  std::deque<asked_node> asked;
  std::optional<turn_forwarder> nodes;
};

/// A connection of a cluster's node; the test is the other nodes.
struct remote_fixture : node_side, ws_fixture {
  remote_fixture() : ws_fixture{{}, [this](caf::actor_system& system) { return make(system); }} {}
  ~remote_fixture() {
    asked.clear();
    leave();
  }

  /// Starts a turn that this node refuses.
  void starts_elsewhere(const std::string& more = {}, errc why = errc::session_busy) {
    says(R"({"type":"start","session":"a","turn":"t","message":"hello")" + more + "}");
    caf::anon_send(viewers.back(), turn_refused{why, ""});
    run();
  }

  static std::string event(const std::string& type, int number) {
    return "event: " + type + "\nid: " + std::to_string(number) + "\ndata: {\"type\":\"" + type +
           "\",\"seq\":" + std::to_string(number) + ",\"sessionId\":\"a\",\"turnId\":\"t\"}\n\n";
  }

  /// The other node sends bytes. Returns whether it may go on.
  bool sends(std::string_view bytes) {
    const bool more = asked.back().answer->write(bytes);
    run();
    return more;
  }

  /// Whoever answered lets the answer go.
  void is_done() {
    asked.back().answer->finish();
    asked.clear();
    run();
  }
};

std::string frame(int first, const std::string& events) {
  return R"({"type":"events","session":"a","turn":"t","first":)" + std::to_string(first) +
         R"(,"events":[)" + events + "]}\n";
}

std::string json_of(const std::string& type, int number) {
  return R"({"type":")" + type + R"(","seq":)" + std::to_string(number) +
         R"(,"sessionId":"a","turnId":"t"})";
}

} // namespace

TEST_CASE("a turn that is refused here is asked of the other nodes, as it was said", "[apps][ws]") {
  remote_fixture it;
  const auto why = GENERATE(errc::session_busy, errc::shutting_down);
  it.starts_elsewhere(R"(,"whenBusy":"abort")", why);
  REQUIRE(it.asked.size() == 1);
  const auto& request = it.asked[0].request;
  CHECK(request.method == "POST");
  CHECK(request.target == "/v1/sessions/a/turns");
  CHECK(request.query == "turn=t");
  CHECK(request.body == R"({"message":"hello","whenBusy":"abort"})");
  CHECK(find_header(request.fields, "x-request-id") == "req_1");
  CHECK(find_header(request.fields, "traceparent") == "trace");
  CHECK(it.heard().empty());
}

TEST_CASE("other refusals are told at once", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere("", errc::model_unknown);
  CHECK(it.asked.empty());
  CHECK(it.heard().find(R"("code":"model_unknown")") != std::string::npos);
}

TEST_CASE("a turn that runs here is asked of nobody", "[apps][ws]") {
  remote_fixture it;
  it.says(R"({"type":"start","session":"a","turn":"t","message":"hello"})");
  it.happens(0, 1, it.texts(1));
  caf::anon_send(it.viewers.back(), turn_refused{errc::session_busy, ""}); // too late
  it.run();
  CHECK(it.asked.empty());
  CHECK(count(it.heard(), "TEXT") == 1);
}

TEST_CASE("events of another node are frames, byte for byte, however they come", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere();
  const auto all = it.event("SESSION_START", 1) + it.event("TEXT", 2) + ": keep-alive\n\n" +
                   it.event("SESSION_END", 3);
  const auto cut = GENERATE_COPY(range(size_t{1}, all.size()));
  it.sends(std::string_view{all}.substr(0, cut));
  it.sends(std::string_view{all}.substr(cut));
  it.is_done();
  std::string events;
  for (const auto& each : it.client->texts) {
    const auto from = each.find("\"events\":[") + 10;
    events += (events.empty() ? "" : ",") + each.substr(from, each.size() - from - 2);
  }
  CHECK(events ==
        json_of("SESSION_START", 1) + ',' + json_of("TEXT", 2) + ',' + json_of("SESSION_END", 3));
  CHECK(it.heard().find("refused") == std::string::npos);
}

TEST_CASE("events with a gap between them are frames of their own", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere();
  it.sends(it.event("TEXT", 1) + it.event("TEXT", 2) + it.event("TEXT", 5));
  CHECK(it.heard() ==
        frame(1, json_of("TEXT", 1) + ',' + json_of("TEXT", 2)) + frame(5, json_of("TEXT", 5)));
}

TEST_CASE("another node's refusal is told with its error", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere();
  it.asked[0].answer->send(409, {}, R"({"error":{"code":"session_busy","message":"x"}})");
  it.asked.clear();
  it.run();
  CHECK(it.heard() == R"({"type":"refused","session":"a","turn":"t",)"
                      R"("error":{"code":"session_busy","message":"x"}})"
                      "\n");
}

TEST_CASE("a node that is lost in mid-answer is told", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere();
  it.sends(it.event("TEXT", 1));
  it.heard();
  it.asked[0].answer->reset();
  it.asked.clear();
  it.run();
  const auto text = it.heard();
  CHECK(count(text, R"("type":"refused")") == 1);
  CHECK(count(text, "owner_unreachable") == 1);
}

TEST_CASE("nobody answers a start that was dropped, and the client is told", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere();
  it.asked.clear();
  it.run();
  CHECK(count(it.heard(), R"("type":"refused")") == 1);
}

TEST_CASE("a resume goes to the node that runs the turn", "[apps][ws]") {
  remote_fixture it;
  it.says(R"({"type":"resume","session":"a b","turn":"t/1","after":7})");
  REQUIRE(it.asked.size() == 1);
  CHECK(it.asked[0].request.method == "GET");
  CHECK(it.asked[0].request.target == "/v1/sessions/a%20b/events");
  CHECK(it.asked[0].request.query == "turn=t%2F1&after=7");
  CHECK(it.watched.empty());
  it.asked[0].answer->send(204, {}, "");
  CHECK(it.heard() == "{\"type\":\"idle\",\"session\":\"a b\"}\n");
}

TEST_CASE("who resumes a turn of another node learns that it is there", "[apps][ws]") {
  remote_fixture it;
  it.says(R"({"type":"resume","session":"a","turn":"t","after":7})");
  it.asked[0].answer->start(200, {});
  CHECK(it.heard() == frame(8, ""));
  it.sends(it.event("TEXT", 8));
  CHECK(it.heard() == frame(8, json_of("TEXT", 8)));
}

TEST_CASE("abort and approvals go to the node that runs the turn", "[apps][ws]") {
  remote_fixture it;
  it.says(R"({"type":"abort","session":"a","turn":"t"})");
  it.says(R"({"type":"approvals","session":"a","approvals":[{"approvalId":"p","approved":true}]})");
  REQUIRE(it.asked.size() == 2);
  CHECK(it.asked[0].request.target == "/v1/sessions/a/abort");
  CHECK(it.asked[0].request.query == "turn=t");
  CHECK(it.asked[1].request.target == "/v1/sessions/a/approvals");
  CHECK(it.asked[1].request.body == R"({"approvals":[{"approvalId":"p","approved":true}]})");
  CHECK(it.aborted.empty());
  CHECK(it.heard().empty());
}

TEST_CASE("an abort that overtakes the start of a turn elsewhere is repeated", "[apps][ws]") {
  remote_fixture it;
  std::shared_ptr<http_response> start;
  const std::string abort = R"({"type":"abort","session":"a"})";
  SECTION("once it is asked there") {
    it.starts_elsewhere(R"(,"whenBusy":"wait")");
    start = it.asked[0].answer;
    it.says(abort);
  }
  SECTION("before it is refused here") {
    it.says(R"({"type":"start","session":"a","turn":"t","message":"hello","whenBusy":"wait"})");
    it.says(abort);
    caf::anon_send(it.viewers.back(), turn_refused{errc::session_busy, ""});
    it.run();
    start = it.asked[1].answer;
  }
  REQUIRE(it.asked.size() == 2);
  start->write(it.event("SESSION_START", 1));
  REQUIRE(it.asked.size() == 3);
  CHECK(it.asked[2].request.target == "/v1/sessions/a/abort");
  CHECK(it.asked[2].request.query == "turn=t");
  start->write(it.event("TEXT", 2));
  CHECK(it.asked.size() == 3);
}

TEST_CASE("leaving a stream of another node ends its request", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere();
  std::vector<response_signal> told;
  SECTION("after it was asked") {
    it.asked[0].answer->watch([&](response_signal what) { told.push_back(what); });
    it.says(R"({"type":"leave","session":"a"})");
  }
  SECTION("before anybody watches") {
    it.says(R"({"type":"leave","session":"a"})");
    it.asked[0].answer->watch([&](response_signal what) { told.push_back(what); });
  }
  CHECK(told == std::vector<response_signal>{response_signal::gone});
  it.asked.clear();
  it.run();
  CHECK(it.heard() == "{\"type\":\"left\",\"session\":\"a\"}\n");
}

TEST_CASE("a socket that is full pauses the other node until it drains", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere();
  std::vector<response_signal> told;
  it.asked[0].answer->watch([&](response_signal what) { told.push_back(what); });
  it.client->takes_more = false;
  CHECK_FALSE(it.sends(it.event("TEXT", 1)));
  CHECK(told.empty());
  it.drains();
  CHECK(told == std::vector<response_signal>{response_signal::drained});
  CHECK(it.sends(it.event("TEXT", 2)));
}

TEST_CASE("with manual flow another node's events wait for credit", "[apps][ws]") {
  remote_fixture it;
  it.starts_elsewhere(R"(,"flow":"manual","credit":1)");
  std::vector<response_signal> told;
  it.asked[0].answer->watch([&](response_signal what) { told.push_back(what); });
  CHECK_FALSE(it.sends(it.event("TEXT", 1) + it.event("TEXT", 2) + it.event("TEXT", 3)));
  CHECK(it.heard() == frame(1, json_of("TEXT", 1)));
  it.says(R"({"type":"credit","session":"a","events":1})");
  CHECK(it.heard() == frame(2, json_of("TEXT", 2)));
  CHECK(told.empty());
  it.says(R"({"type":"credit","session":"a","events":5})");
  CHECK(it.heard() == frame(3, json_of("TEXT", 3)));
  CHECK(told == std::vector<response_signal>{response_signal::drained});
  it.sends(it.event("SESSION_END", 4));
  it.is_done();
  CHECK(it.heard() == frame(4, json_of("SESSION_END", 4)));
}

} // namespace ws_remote_stream_test

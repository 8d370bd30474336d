#include "actors/mcp_hub/mcp_hub.hpp"

#include "tests/actors/mcp_hub/asking_server.hpp"
#include "tests/support/kept_log.hpp"

namespace mcp_hub_sampling_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

struct sample_request {
  std::string id;
  raw_json params;
};

} // namespace

TEST_CASE_METHOD(asking, "with the policy allow a model answers sampling", "[actors][mcp_hub]") {
  std::vector<sample_request> samples;
  settings.sample = [&](caf::local_actor&, const client_ask& ask) {
    samples.push_back({ask.request_id, ask.params});
    return caf::actor{};
  };
  open_one(client_policy::allow);
  server_asks(7, "sampling/createMessage", prompt);
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].params.text == prompt);
  CHECK(answer(samples[0].id, "decline").code == errc::not_found); // nobody was asked
  SECTION("and its message is the result") {
    self->send(hub, client_answer{samples[0].id, "accept", {sampled}}, failure{}, uint64_t{0});
    run();
    CHECK(answered(7) == R"("result":)" + sampled + "}");
  }
  SECTION("or its failure an error") {
    self->send(hub, client_answer{samples[0].id, "accept", {}},
               failure{errc::model_failed, "the model is out"}, uint64_t{0});
    run();
    CHECK(answered(7) == R"("error":{"code":-32603,"message":"the model is out"}})");
  }
  SECTION("or its silence a refusal") {
    advance(30s);
    CHECK(answered(7) == R"("error":{"code":-1,"message":"The client declined."}})");
  }
}

TEST_CASE_METHOD(asking, "a model that answers ends with the question", "[actors][mcp_hub]") {
  bool ended = false;
  settings.sample = [&](caf::local_actor&, const client_ask&) {
    return caf::actor{sys.spawn([&](caf::event_based_actor* me) -> caf::behavior {
      me->attach_functor([&] { ended = true; });
      return {[](caf::unit_t) {}};
    })};
  };
  open_one(client_policy::allow);
  server_asks(7, "sampling/createMessage", prompt);
  CHECK_FALSE(ended);
  SECTION("when the server takes it back") {
    link("one").receive({R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                         R"("params":{"requestId":7}})"});
  }
  SECTION("when its time is over") {
    advance(30s);
  }
  SECTION("when the server is lost") {
    closed("one");
  }
  run();
  CHECK(ended);
}

TEST_CASE_METHOD(asking, "without a model sampling is an error", "[actors][mcp_hub]") {
  open_one(client_policy::allow);
  server_asks(7, "sampling/createMessage", prompt);
  CHECK(contains(answered(7), R"("error":{"code":-32603)"));
}

TEST_CASE_METHOD(asking, "a client that accepts sampling without a message lets the model answer",
                 "[actors][mcp_hub]") {
  std::vector<sample_request> samples;
  settings.sample = [&](caf::local_actor&, const client_ask& ask) {
    samples.push_back({ask.request_id, ask.params});
    return caf::actor{};
  };
  heard got;
  open_one();
  call_as(caller(got), "a", "s", true);
  server_asks(7, "sampling/createMessage", prompt);
  REQUIRE(got.asks.size() == 1);
  advance(29s); // of 30: the client thinks for long, and the model has a time of its own
  CHECK_FALSE(answer(got.asks[0].request_id, "accept"));
  REQUIRE(samples.size() == 1);
  advance(29s);
  CHECK(answered(7).empty());
  CHECK(answer(got.asks[0].request_id, "decline").code == errc::not_found);
  self->send(hub, client_answer{samples[0].id, "accept", {sampled}}, failure{}, uint64_t{0});
  run();
  CHECK(answered(7) == R"("result":)" + sampled + "}");
}

TEST_CASE_METHOD(asking, "a client can answer sampling itself", "[actors][mcp_hub]") {
  heard got;
  open_one();
  call_as(caller(got), "a", "s", true);
  server_asks(7, "sampling/createMessage", prompt);
  REQUIRE(got.asks.size() == 1);
  CHECK(answer(got.asks[0].request_id, "accept", "{}").code == errc::request_invalid);
  CHECK_FALSE(answer(got.asks[0].request_id, "accept", sampled));
  CHECK(answered(7) == R"("result":)" + sampled + "}");
}

TEST_CASE_METHOD(asking,
                 "a server that asks for too many answers is refused, and its diary says so",
                 "[actors][mcp_hub]") {
  std::vector<client_ask> samples;
  auto log = std::make_shared<kept_log>();
  settings.log = log;
  settings.sample = [&](caf::local_actor&, const client_ask& ask) {
    samples.push_back(ask);
    return caf::actor{};
  };
  auto server = stdio_server("one");
  server.sampling = client_policy::allow;
  std::string limit;
  uint64_t tokens = 1;
  SECTION("in one call") {
    server.sampling_bounds.requests_per_call = 2;
    limit = "at most 2 answers in one call";
  }
  SECTION("in a minute") {
    server.sampling_bounds.requests_per_minute = 2;
    limit = "at most 2 answers in a minute";
  }
  SECTION("with too many tokens in a minute") {
    server.sampling_bounds.tokens_per_minute = 100;
    tokens = 60;
    limit = "at most 100 tokens in a minute";
  }
  SECTION("with too many tokens in one call") {
    server.sampling_bounds.tokens_per_call = 100;
    tokens = 60;
    limit = "at most 100 tokens in one call";
  }
  settings.servers.push_back(server);
  open();
  shake_hands(*this, link("one"), {"echo"});
  heard got;
  call_as(caller(got), "a", "s", false);
  for (int64_t i = 0; i < 2; ++i) {
    server_asks(i, "sampling/createMessage", prompt);
    REQUIRE(samples.size() == static_cast<size_t>(i) + 1);
    CHECK(samples.back().server == "one");
    CHECK(samples.back().session_id == "s");
    self->send(hub, client_answer{samples.back().request_id, "accept", {sampled}}, failure{},
               tokens);
    run();
    CHECK(contains(answered(i), "result"));
  }
  for (int64_t i = 2; i < 9; ++i)
    server_asks(i, "sampling/createMessage", prompt);
  CHECK(samples.size() == 2);
  CHECK(contains(answered(2), R"("error":{"code":-32603)"));
  CHECK(contains(answered(8), limit));
  std::string diary;
  for (const auto& line : status(0).log->lines)
    diary += line.text + '\n';
  CHECK(contains(diary, "sampling was refused: " + limit));
  REQUIRE(log->lines("sampling_refused").size() == 1);
  CHECK(contains(log->lines("sampling_refused")[0].members, limit));
}

TEST_CASE_METHOD(asking, "each call of a server has answers of its own", "[actors][mcp_hub]") {
  size_t samples = 0;
  settings.sample = [&](caf::local_actor&, const client_ask&) {
    ++samples;
    return caf::actor{};
  };
  auto server = stdio_server("one");
  server.sampling = client_policy::allow;
  server.sampling_bounds.requests_per_call = 1;
  settings.servers.push_back(server);
  open();
  shake_hands(*this, link("one"), {"echo"});
  heard got;
  auto who = caller(got);
  for (int64_t i = 0; i < 3; ++i) {
    call_as(who, "a" + std::to_string(i), "s", false);
    for (int64_t each = 0; each < 2; ++each)
      server_asks(10 * i + each, "sampling/createMessage", prompt);
    link("one").result(link("one").last("tools/call").request_id, tool_answer("done"));
    run();
  }
  CHECK(samples == 3);
}

} // namespace mcp_hub_sampling_test

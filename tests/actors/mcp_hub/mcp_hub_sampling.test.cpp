#include "actors/mcp_hub/mcp_hub.hpp"

#include "tests/actors/mcp_hub/asking_server.hpp"

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
  settings.sample = [&](caf::local_actor&, std::string id, raw_json params) {
    samples.push_back({std::move(id), std::move(params)});
    return caf::actor{};
  };
  open_one(client_policy::allow);
  server_asks(7, "sampling/createMessage", prompt);
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].params.text == prompt);
  CHECK(answer(samples[0].id, "decline").code == errc::not_found); // nobody was asked
  SECTION("and its message is the result") {
    self->send(hub, client_answer{samples[0].id, "accept", {sampled}}, failure{});
    run();
    CHECK(answered(7) == R"("result":)" + sampled + "}");
  }
  SECTION("or its failure an error") {
    self->send(hub, client_answer{samples[0].id, "accept", {}},
               failure{errc::model_failed, "the model is out"});
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
  settings.sample = [&](caf::local_actor&, const std::string&, const raw_json&) {
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
  settings.sample = [&](caf::local_actor&, std::string id, raw_json params) {
    samples.push_back({std::move(id), std::move(params)});
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
  self->send(hub, client_answer{samples[0].id, "accept", {sampled}}, failure{});
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

} // namespace mcp_hub_sampling_test

// Parameters of the model on the command line, in requests and in reports.
#include "apps/bench/plan/model_parameters.hpp"

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/target/http/http_dialect.hpp"
#include "tests/support/catch.hpp"

namespace bench_parameters_test {

using namespace troupe;
using namespace troupe::bench;

namespace {

std::string body_for(target_kind kind, std::string parameters) {
  target_spec target;
  target.kind = kind;
  target.url = "http://h";
  target.parameters = std::move(parameters);
  chat_history said;
  said.add_user("q");
  return make_dialect(target)->ask({"s", 0, "q", 0}, said).body;
}

std::string fault_of(target_kind kind, std::string parameters) {
  target_spec target;
  target.kind = kind;
  if (auto bad = read_parameters(parameters, target.parameters))
    return bad.text();
  const auto bad = check_parameters(target);
  return bad ? bad.text() : "";
}

} // namespace

TEST_CASE("parameters are members of a request for completions", "[apps][bench]") {
  CHECK(body_for(target_kind::openai, R"({"max_tokens":64,"temperature":0})") ==
        R"({"stream":true,"stream_options":{"include_usage":true},"max_tokens":64,)"
        R"("temperature":0,"messages":[{"role":"user","content":"q"}]})");
  CHECK(body_for(target_kind::openai, R"( {"stream_options":{}} )") ==
        R"({"stream":true,"stream_options":{},"messages":[{"role":"user","content":"q"}]})");
  CHECK(body_for(target_kind::ai_sdk, R"({"a":{"b":1}})")
            .find(R"("trigger":"submit-message","a":{"b":1},"messages":[)") != std::string::npos);
}

TEST_CASE("turns against Troupe are ephemeral", "[apps][bench]") {
  CHECK(body_for(target_kind::native, "") == R"({"message":"q","ephemeral":true})");
  CHECK(body_for(target_kind::troupe, "").find(R"(,"ephemeral":true,"messages":[)") !=
        std::string::npos);
  CHECK(body_for(target_kind::ai_sdk, "").find("ephemeral") == std::string::npos);
}

TEST_CASE("Troupe has parameters in a member of that name", "[apps][bench]") {
  CHECK(body_for(target_kind::native, R"({"max_tokens":64})") ==
        R"({"message":"q","parameters":{"max_tokens":64},"ephemeral":true})");
  CHECK(body_for(target_kind::troupe, R"({"max_tokens":64})")
            .find(R"(,"parameters":{"max_tokens":64},"messages":[)") != std::string::npos);
}

TEST_CASE("parameters that are none, or are in the request already, are refused", "[apps][bench]") {
  CHECK(fault_of(target_kind::openai, R"({"temperature":0})").empty());
  CHECK_THAT(fault_of(target_kind::openai, R"({"temperature":0)"), Catch::Contains("no JSON"));
  CHECK_THAT(fault_of(target_kind::openai, "[1]"), Catch::Contains("not a JSON object"));
  CHECK_THAT(fault_of(target_kind::openai, R"({"stream":false})"),
             Catch::Contains("\"stream\" is in each request already"));
  CHECK_THAT(fault_of(target_kind::ai_sdk, R"({"id":1})"), Catch::Contains("\"id\" is in each"));
  CHECK_THAT(fault_of(target_kind::mcp, R"({"a":1})"), Catch::Contains("--arguments"));
  CHECK(fault_of(target_kind::engine, R"({"temperature":0})").empty());
}

TEST_CASE("an object without members is no parameters", "[apps][bench]") {
  std::string out{"x"};
  CHECK_FALSE(read_parameters(" { } ", out));
  CHECK(out.empty());
}

TEST_CASE("a plan in words has its parameters", "[apps][bench]") {
  target_spec target;
  target.url = "http://h";
  target.parameters = R"({"max_tokens":64})";
  CHECK(target_text(target) == R"(troupe http://h, parameters {"max_tokens":64})");
}

} // namespace bench_parameters_test

// The check of requests finds what the Responses API refuses.
#include "tests/messages/wire/openai_responses/openai_responses_request_check.hpp"
#include "tests/support/catch.hpp"

namespace responses_check_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string fault_of(const std::string& items, const std::string& more = {}) {
  return openai_responses_body_fault(R"({"model":"m","store":false,"input":[)" + items + "]" +
                                     more + "}");
}

const std::string user = R"({"role":"user","content":"hi"})";
const std::string call = R"({"type":"function_call","call_id":"a","name":"get","arguments":"{}"})";
const std::string output = R"({"type":"function_call_output","call_id":"a","output":"ok"})";
const std::string reasoning = R"({"type":"reasoning","summary":[],"encrypted_content":"x"})";
const std::string said = R"({"role":"assistant","content":"yes"})";

} // namespace

TEST_CASE("a request that the Responses API takes has no fault", "[messages][openai_responses]") {
  CHECK(fault_of(user) == "");
  CHECK(fault_of(user + "," + reasoning + "," + call + "," + output) == "");
  CHECK(fault_of(user + "," + said + "," + call + "," + output + "," + user) == "");
}

TEST_CASE("what the Responses API refuses is a fault", "[messages][openai_responses]") {
  CHECK(fault_of(user + "," + call) != "");
  CHECK(fault_of(user + "," + output) != "");
  CHECK(fault_of(user + "," + call + "," + user + "," + output) != "");
  CHECK(fault_of(user + "," + reasoning) != "");
  CHECK(fault_of(user + "," + reasoning + "," + user) != "");
  CHECK(fault_of(user + "," + said) != "");
  CHECK(fault_of(R"({"role":"user","content":" "})") != "");
  CHECK(fault_of(R"({"role":"user","content":[{"type":"output_text","text":"x"}]})") != "");
  CHECK(fault_of(user + R"(,{"type":"reasoning","summary":[]},)" + said + "," + user) != "");
  CHECK(fault_of(user +
                 R"(,{"type":"reasoning","id":"rs_1","summary":[],)"
                 R"("encrypted_content":"x"},)" +
                 said + "," + user) != "");
  CHECK(fault_of(user, R"(,"stop":["x"])") != "");
  CHECK(fault_of(user, R"(,"max_output_tokens":5)") != "");
  CHECK(fault_of(user, R"(,"tool_choice":"auto")") != "");
  CHECK(fault_of(user, R"(,"tools":[])") != "");
  CHECK(fault_of(user, R"(,"tools":[{"type":"function","name":"a","parameters":)"
                       R"({"type":"object"}}])") != "");
  CHECK(openai_responses_body_fault(R"({"model":"m","input":[{"role":"user","content":"x"}]})") !=
        "");
}

} // namespace responses_check_test

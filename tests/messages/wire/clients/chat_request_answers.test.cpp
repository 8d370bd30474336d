#include "messages/wire/clients/chat_request.hpp"
#include "tests/support/catch.hpp"

namespace chat_request_answers_test {

using namespace troupe;

namespace {

std::string bad_results(std::string_view body) {
  turn_request read;
  read.session_id = "s";
  auto bad = parse_tool_results(body, read);
  CHECK(bad.code == errc::request_invalid);
  CHECK(read.messages.empty());
  CHECK(read.session_id == "s");
  return bad.message;
}

std::string bad_result(const std::string& result) {
  return bad_results(R"({"results":[{"toolCallId":"c0","output":1},)" + result + "]}");
}

std::string bad_approvals(std::string_view body) {
  std::vector<tool_approval> read;
  auto bad = parse_approvals(body, read);
  CHECK(bad.code == errc::request_invalid);
  CHECK(read.empty());
  return bad.message;
}

} // namespace

TEST_CASE("results of the client's tools continue a turn", "[messages][chat_request]") {
  turn_request read;
  read.session_id = "from the path";
  REQUIRE_FALSE(parse_tool_results(R"({"results":[
    {"toolCallId":"c1","output":"as \"it\" is"},{"toolCallId":"c2","output":{"a": [1]}},
    {"toolCallId":"c3","error":"no"},{"toolCallId":"c4","output":null},
    {"toolCallId":"c5","output":{"content":[{"type":"text","text":"told"}]}}],
    "model":"fast","tools":{"ask":{}},"maxToolRoundtrips":2})",
                                   read));
  CHECK(read.session_id == "from the path");
  CHECK_FALSE(read.replaces_history);
  CHECK(read.message_id.empty());
  REQUIRE(read.messages.size() == 5);
  for (const auto& each : read.messages)
    CHECK(each.who == role::tool);
  CHECK(read.messages[0].tool_call_id == "c1");
  CHECK(read.messages[0].text == "as \"it\" is");
  CHECK(read.messages[1].text == R"({"a": [1]})");
  CHECK(read.messages[2].text == "no");
  CHECK(read.messages[3].text == "null");
  CHECK(read.messages[4].text == "told");
  CHECK(read.options.model == "fast");
  CHECK(read.options.max_tool_roundtrips == 2);
  CHECK(read.options.tools.size() == 1);
}

TEST_CASE("an output is an MCP result only when nothing in it says otherwise",
          "[messages][chat_request]") {
  const auto told = [](const std::string& output) {
    turn_request read;
    REQUIRE_FALSE(
        parse_tool_results(R"({"results":[{"toolCallId":"c1","output":)" + output + "}]}", read));
    return read.messages.at(0).text;
  };
  for (const std::string json :
       {R"({"type":"doc","content":[{"type":"text","text":"a"}]})",
        R"({"content":[{"type":"heading"}]})", R"({"content":[{"type":"text"}]})",
        R"({"content":[1]})", R"({"content":"a"})"})
    CHECK(told(json) == json);
  CHECK(told(R"({"content":[{"type":"text","text":"a"}],"isError":false,"_meta":{}})") == "a");
}

TEST_CASE("a call's id comes back as long as a gateway made it", "[messages][chat_request]") {
  turn_request read;
  const auto id = "call_1__thought__" + std::string(2000, 'A');
  CHECK_FALSE(
      parse_tool_results(R"({"results":[{"toolCallId":")" + id + R"(","output":1}]})", read));
  CHECK(read.messages.at(0).tool_call_id == id);
}

TEST_CASE("a bad result is named", "[messages][chat_request]") {
  CHECK(bad_results("[]") == "the body must be a JSON object");
  CHECK(bad_results("{").find("not valid JSON") != std::string::npos);
  CHECK(bad_results("{}") == "results must be an array");
  CHECK(bad_results(R"({"results":{}})") == "results must be an array");
  CHECK(bad_results(R"({"results":[]})") == "results must not be empty");
  CHECK(bad_results(R"({"results":[],"message":"x"})") ==
        "the body has the unknown key \"message\"");
  CHECK(bad_results(R"({"results":[{"toolCallId":"c","output":1}],"streaming":2})") ==
        "streaming must be true or false");
  CHECK(bad_result("1") == "results[1] must be an object");
  CHECK(bad_result("{}") == "results[1].toolCallId must be a string of 1 to 16384 bytes");
  CHECK(bad_result(R"({"toolCallId":"c"})") == "results[1] must have either output or error");
  CHECK(bad_result(R"({"toolCallId":"c","output":1,"error":"x"})") ==
        "results[1] must have either output or error");
  CHECK(bad_result(R"({"toolCallId":"c","error":{}})") == "results[1].error must be a string");
  CHECK(bad_result(R"({"toolCallId":"c","result":1})") ==
        "results[1] has the unknown key \"result\"");
}

TEST_CASE("approvals say yes or no, and why", "[messages][chat_request]") {
  std::vector<tool_approval> read;
  REQUIRE_FALSE(parse_approvals(R"({"approvals":[{"approvalId":"p1","approved":true},
    {"approvalId":"p2","approved":false,"reason":"not now"}]})",
                                read));
  REQUIRE(read.size() == 2);
  CHECK(read[0].approval_id == "p1");
  CHECK(read[0].approved);
  CHECK(read[1].approval_id == "p2");
  CHECK_FALSE(read[1].approved);
  CHECK(read[1].reason == "not now");
}

TEST_CASE("a bad approval of a native client is named", "[messages][chat_request]") {
  auto bad = [](const std::string& one) { return bad_approvals(R"({"approvals":[)" + one + "]}"); };
  CHECK(bad_approvals("7") == "the body must be a JSON object");
  CHECK(bad_approvals("{}") == "approvals must be an array");
  CHECK(bad_approvals(R"({"approvals":[],"x":1})") == "the body has the unknown key \"x\"");
  CHECK(bad("") == "approvals must not be empty");
  CHECK(bad("1") == "approvals[0] must be an object");
  CHECK(bad(R"({"approvalId":"","approved":true})") ==
        "approvals[0].approvalId must be a string of 1 to 256 bytes");
  CHECK(bad(R"({"approvalId":"p"})") == "approvals[0].approved must be true or false");
  CHECK(bad(R"({"approvalId":"p","approved":true,"reason":1})") ==
        "approvals[0].reason must be a string");
  CHECK(bad(R"({"approvalId":"p","approved":true,"id":1})") ==
        "approvals[0] has the unknown key \"id\"");
}

} // namespace chat_request_answers_test

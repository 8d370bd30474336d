#include "messages/wire/clients/chat_request.hpp"

#include "tests/support/catch.hpp"

namespace chat_request_test {

using namespace troupe;

namespace {

turn_request ui(std::string_view body) {
  turn_request read;
  ui_profile profile{};
  auto bad = parse_ui_request(body, read, profile);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return read;
}

/// Reads a request whose messages are the given JSON array.
std::vector<chat_message> history(const std::string& messages) {
  return ui(R"({"id":"c","messages":)" + messages + "}").messages;
}

std::string refusal(std::string_view body) {
  turn_request read;
  read.session_id = "untouched";
  ui_profile profile{};
  auto bad = parse_ui_request(body, read, profile);
  CHECK(bad.code == errc::request_invalid);
  CHECK(read.session_id == "untouched");
  return bad.message;
}

/// Why a request with this array of messages is refused.
std::string bad_messages(const std::string& messages) {
  return refusal(R"({"id":"c","messages":)" + messages + "}");
}

std::string assistant(const std::string& parts) {
  return R"([{"id":"a1","role":"assistant","parts":[)" + parts + "]}]";
}

std::string tool(const std::string& state, const std::string& more) {
  return R"({"type":"tool-look","toolCallId":"c1","state":")" + state + "\"" + more + "}";
}

/// The tool message that a tool part comes to.
std::string result_of(const std::string& part) {
  auto all = history(assistant(part));
  REQUIRE(all.size() == 2);
  REQUIRE(all[0].tool_calls.size() == 1);
  CHECK(all[0].who == role::assistant);
  CHECK(all[0].tool_calls[0].id == "c1");
  CHECK(all[0].tool_calls[0].name == "look");
  CHECK(all[1].who == role::tool);
  CHECK(all[1].tool_call_id == "c1");
  return all[1].text;
}

} // namespace

TEST_CASE("the AI SDK's body replaces the history", "[messages][chat_request]") {
  auto read = ui(R"({"id":"chat 1","messages":[
    {"id":"s","role":"system","parts":[{"type":"text","text":"be brief"}]},
    {"role":"user","id":"u","metadata":{"x":1},"parts":[{"type":"text","text":"h\u00e9 \ud83d"}]}],
    "trigger":"submit-message","model":"fast","maxToolRoundtrips":3,"mcpServers":["a","b"],
    "own":{"key":[1]}})");
  CHECK(read.session_id == "chat 1");
  CHECK(read.replaces_history);
  CHECK(read.message_id.empty());
  CHECK(read.turn_id.empty());
  REQUIRE(read.messages.size() == 2);
  CHECK(read.messages[0].who == role::system);
  CHECK(read.messages[0].text == "be brief");
  CHECK(read.messages[1].who == role::user);
  CHECK(read.messages[1].text == "h\xC3\xA9 \xEF\xBF\xBD");
  CHECK(read.options.model == "fast");
  CHECK(read.options.max_tool_roundtrips == 3);
  CHECK(read.options.limits_servers);
  CHECK(read.options.mcp_servers == std::vector<std::string>{"a", "b"});
}

TEST_CASE("options that are absent or null come from the configuration",
          "[messages][chat_request]") {
  auto read = ui(R"({"id":"c","messages":[{"role":"user","parts":[{"type":"text","text":"x"}]}],
    "model":null,"maxToolRoundtrips":null,"mcpServers":null,"trigger":null,"messageId":null})");
  CHECK(read.options.model.empty());
  CHECK(read.options.max_tool_roundtrips == -1);
  CHECK_FALSE(read.options.limits_servers);
  CHECK(ui(R"({"id":"c","message":"x","mcpServers":[]})").options.limits_servers);
  CHECK(ui(R"({"id":"c","message":"x","maxToolRoundtrips":0})").options.max_tool_roundtrips == 0);
}

TEST_CASE("a client says that it answers what servers ask", "[messages][chat_request]") {
  auto asks = [](const std::string& value) {
    return ui(R"({"id":"c","message":"x","clientRequests":)" + value + "}").options.client_requests;
  };
  CHECK(asks("true"));
  CHECK_FALSE(asks("false"));
  CHECK_FALSE(asks("null"));
  CHECK_FALSE(ui(R"({"id":"c","message":"x"})").options.client_requests);
  for (auto value : {"1", R"("true")", "{}", "[]"})
    CHECK(refusal(R"({"id":"c","message":"x","clientRequests":)" + std::string{value} + "}") ==
          "clientRequests must be true or false");
}

TEST_CASE("one message is added to the history", "[messages][chat_request]") {
  auto read = ui(R"({"message":{"parts":[{"type":"text","text":"hi"}],"role":"user"},"id":"c"})");
  CHECK_FALSE(read.replaces_history);
  REQUIRE(read.messages.size() == 1);
  CHECK(read.messages[0].who == role::user);
  CHECK(read.messages[0].text == "hi");
  CHECK(ui(R"({"id":"c","message":"hi"})").messages[0].text == "hi");
  CHECK(ui(R"({"id":"c","message":{"role":"user","content":"hi"}})").messages[0].text == "hi");
}

TEST_CASE("of a single assistant's message only the last step's results are new",
          "[messages][chat_request]") {
  auto read = ui(R"({"id":"c","message":{"id":"a1","role":"assistant","parts":[
    {"type":"step-start"},
    {"type":"tool-x","toolCallId":"c0","state":"output-available","input":{},"output":"old"},
    {"type":"step-start"},{"type":"text","text":"so"},
    {"type":"tool-x","toolCallId":"c1","state":"output-available","input":{},"output":"new"}]}})");
  CHECK(read.message_id == "a1");
  REQUIRE(read.messages.size() == 1);
  CHECK(read.messages[0].who == role::tool);
  CHECK(read.messages[0].tool_call_id == "c1");
  CHECK(read.messages[0].text == "new");
  CHECK(refusal(
            R"({"id":"c","message":{"role":"assistant","parts":[{"type":"text","text":"x"}]}})") ==
        "message must hold something for the model");
}

TEST_CASE("a turn that continues an assistant's message reuses its id",
          "[messages][chat_request]") {
  auto continued = R"({"id":"c","messageId":"a1","trigger":"submit-message","messages":[
    {"id":"u1","role":"user","parts":[{"type":"text","text":"x"}]},
    {"id":"a1","role":"assistant","parts":[{"type":"step-start"},
     {"type":"dynamic-tool","toolName":"t","toolCallId":"c1","state":"output-available",
      "input":{"a": 1},"output":{"b":2}}]}]})";
  CHECK(ui(continued).message_id == "a1");
  auto edited = R"({"id":"c","messageId":"u1","messages":[
    {"id":"a0","role":"assistant","parts":[{"type":"text","text":"x"}]},
    {"id":"u1","role":"user","parts":[{"type":"text","text":"x"}]}]})";
  CHECK(ui(edited).message_id.empty());
}

TEST_CASE("each step is one message with its calls, then one result per call",
          "[messages][chat_request]") {
  auto all = history(assistant(R"(
    {"type":"step-start"},
    {"type":"reasoning","text":"hm ","state":"done"},{"type":"reasoning","text":"so"},
    {"type":"text","text":"one "},{"type":"text","text":"two"},
    {"type":"tool-a","toolCallId":"c1","state":"output-available","input":{ "x" : 1.0 },
     "output":"r1"},
    {"type":"dynamic-tool","toolName":"b","toolCallId":"c2","state":"output-error","input":[],
     "errorText":"e2"},
    {"type":"data-limit","data":{}},{"type":"source-url","sourceId":"s","url":"u"},
    {"type":"step-start"},{"type":"step-start"},
    {"type":"text","text":"end"},
    {"type":"file","mediaType":"image/png","filename":"p.png","url":"data:,"}
  )"));
  REQUIRE(all.size() == 4);
  CHECK(all[0].who == role::assistant);
  CHECK(all[0].text == "one two");
  CHECK(all[0].reasoning == "hm so");
  REQUIRE(all[0].tool_calls.size() == 2);
  CHECK(all[0].tool_calls[0].name == "a");
  CHECK(all[0].tool_calls[0].arguments == R"({ "x" : 1.0 })");
  CHECK(all[0].tool_calls[1].name == "b");
  CHECK(all[0].tool_calls[1].arguments == "{}");
  CHECK(all[1].tool_call_id == "c1");
  CHECK(all[1].text == "r1");
  CHECK(all[2].tool_call_id == "c2");
  CHECK(all[2].text == "e2");
  CHECK(all[3].text == "end");
  REQUIRE(all[3].files.size() == 1);
  CHECK(all[3].files[0].filename == "p.png");
  CHECK(all[3].tool_calls.empty());
}

TEST_CASE("every state of a tool part gives one result", "[messages][chat_request]") {
  CHECK(result_of(tool("output-available", R"(,"input":{},"output":"as \"it\" is")")) ==
        "as \"it\" is");
  CHECK(result_of(tool("output-available", R"(,"output":{"a": [1 ]})")) == R"({"a": [1 ]})");
  CHECK(result_of(tool("output-available", R"(,"output":null)")) == "null");
  CHECK(result_of(tool("output-available", "")) == "null");
  CHECK(result_of(tool("output-available",
                       R"(,"output":{"content":[{"type":"text","text":"told"}]})")) == "told");
  CHECK(result_of(tool("output-available", R"(,"output":{"content":[7]})")) ==
        R"({"content":[7]})");
  CHECK(result_of(tool("output-error", R"(,"errorText":"no")")) == "no");
  for (auto state : {"input-available", "approval-requested"})
    CHECK(result_of(tool(state, R"(,"input":{})")) == "The tool was not run.");
  CHECK(result_of(tool("output-denied", "")) == "The user did not allow the call.");
  CHECK(result_of(tool("output-denied", R"(,"approval":{"reason":"never"})")) ==
        "The user did not allow the call. never");
}

TEST_CASE("a call that was broken off while its arguments came is none",
          "[messages][chat_request]") {
  for (auto input : {R"(,"input":"")", R"(,"rawInput":"")"}) {
    CAPTURE(input);
    auto off = tool("output-error", std::string{input} + R"(,"errorText":"gone")");
    auto all = history(assistant(R"({"type":"text","text":"hm"},)" + off));
    REQUIRE(all.size() == 1);
    CHECK(all[0].tool_calls.empty());
  }
  auto broken = tool("output-error", R"(,"input":"{\"a","errorText":"no JSON")");
  CHECK(result_of(broken) == "no JSON");
}

TEST_CASE("unfinished calls and messages without content are left out",
          "[messages][chat_request]") {
  auto all = history(R"([{"role":"user","parts":[{"type":"text","text":"x"}]},
    {"role":"assistant","parts":[{"type":"step-start"},
     {"type":"tool-a","toolCallId":"c","state":"input-streaming"},
     {"type":"reasoning","text":"only thoughts"}]},
    {"role":"user","parts":[{"type":"data-x","data":1}]}])");
  REQUIRE(all.size() == 1);
  CHECK(all[0].text == "x");
}

TEST_CASE("a call that stands twice in a step counts once", "[messages][chat_request]") {
  auto all = history(
      assistant(tool("input-available", "") + "," + tool("output-available", R"(,"output":"r")")));
  REQUIRE(all.size() == 2);
  CHECK(all[0].tool_calls.size() == 1);
  CHECK(all[1].text == "r");
}

TEST_CASE("arguments that are no object become an empty one", "[messages][chat_request]") {
  for (auto input : {"", R"(,"input":null)", R"(,"input":"{oops")", R"(,"input":[1])"}) {
    auto all = history(assistant(tool("input-available", input)));
    CHECK(all[0].tool_calls[0].arguments == "{}");
  }
  auto all = history(assistant(tool("output-error", R"(,"errorText":"e","rawInput":{"a":1})")));
  CHECK(all[0].tool_calls[0].arguments == R"({"a":1})");
}

TEST_CASE("a refusal says where and what", "[messages][chat_request]") {
  CHECK(refusal("") == "the body is not valid JSON: a value is expected at byte 0");
  CHECK(refusal("{\"id\":\"\xFF\"}") == "the body is not valid JSON: the text is not valid UTF-8");
  CHECK(refusal("[]") == "the body must be a JSON object");
  CHECK(refusal("{}") == "id must be a string of 1 to 256 bytes");
  CHECK(refusal(R"({"id":7})") == "id must be a string of 1 to 256 bytes");
  CHECK(refusal(R"({"id":""})") == "id must be a string of 1 to 256 bytes");
  CHECK(refusal(R"({"id":")" + std::string(257, 'x') + "\"}") ==
        "id must be a string of 1 to 256 bytes");
  CHECK(refusal(R"({"id":"c"})") == "the body must have messages or message");
  CHECK(refusal(R"({"id":"c","message":1})") == "message must be an object or a string");
  CHECK(refusal(R"({"id":"c","message":"x","trigger":1})") == "trigger must be a string");
  CHECK(refusal(R"({"id":"c","message":"x","messageId":1})") == "messageId must be a string");
  CHECK(refusal(R"({"id":"c","message":"x","model":1})") == "model must be a string");
  for (auto rounds : {"-1", "101", "1.5", "\"1\"", "true"})
    CHECK(refusal(R"({"id":"c","message":"x","maxToolRoundtrips":)" + std::string{rounds} + "}") ==
          "maxToolRoundtrips must be a whole number from 0 to 100");
  CHECK(refusal(R"({"id":"c","message":"x","mcpServers":"a"})") == "mcpServers must be an array");
  CHECK(refusal(R"({"id":"c","message":"x","mcpServers":["a",1]})") ==
        "mcpServers[1] must be a string");
}

TEST_CASE("a refusal names the message and the part", "[messages][chat_request]") {
  const std::string good = R"({"role":"user","parts":[{"type":"text","text":"x"}]})";
  CHECK(bad_messages("{}") == "messages must be an array");
  CHECK(bad_messages("null") == "messages must be an array");
  CHECK(bad_messages("[]") == "messages must hold something for the model");
  CHECK(bad_messages("[" + good + ",1]") == "messages[1] must be an object");
  CHECK(bad_messages("[{}]") == "messages[0].role must be \"system\", \"user\" or \"assistant\"");
  CHECK(bad_messages(R"([{"role":"tool","parts":[]}])") ==
        "messages[0].role must be \"system\", \"user\" or \"assistant\"");
  CHECK(bad_messages(R"([{"role":"user"}])") == "messages[0].parts must be an array");
  CHECK(bad_messages(R"([{"role":"user","parts":{}}])") == "messages[0].parts must be an array");
  CHECK(bad_messages(R"([{"role":"user","id":1,"parts":[]}])") ==
        "messages[0].id must be a string of at most 256 bytes");
  CHECK(bad_messages(R"([{"role":"user","parts":[{"type":"text","text":""},1]}])") ==
        "messages[0].parts[1] must be an object");
  CHECK(bad_messages("[" + good + "," + good + R"(,{"role":"user","parts":[{"type":"text"}]}])") ==
        "messages[2].parts[0].text must be a string");
  CHECK(bad_messages(R"([{"role":"user","parts":[{}]}])") ==
        "messages[0].parts[0].type must be a string");
  CHECK(bad_messages(assistant(R"({"type":"tool-x","state":"input-available"})")) ==
        "messages[0].parts[0].toolCallId must be a string of 1 to 16384 bytes");
  CHECK(bad_messages(assistant(R"({"type":"dynamic-tool","toolCallId":"c","state":"x"})")) ==
        "messages[0].parts[0].toolName must be a string of 1 to 256 bytes");
  CHECK(bad_messages(assistant(tool("done", ""))) ==
        "messages[0].parts[0].state must be the state of a tool part");
  CHECK(bad_messages(assistant(tool("output-error", ""))) ==
        "messages[0].parts[0].errorText must be a string");
  CHECK(refusal(R"({"id":"c","message":{"role":"user","parts":[{"type":"text","text":1}]}})") ==
        "message.parts[0].text must be a string");
}

TEST_CASE("more than 10000 messages and nesting bombs are refused", "[messages][chat_request]") {
  auto many = [](size_t count) {
    std::string all = "[";
    for (size_t i = 0; i < count; ++i)
      all += R"({"role":"user","content":"x"},)";
    all.back() = ']';
    return all;
  };
  CHECK(history(many(10'000)).size() == 10'000);
  CHECK(bad_messages(many(10'001)) == "messages must not be more than 10000");
  CHECK(bad_messages(std::string(1'000'000, '[')).find("nesting is too deep") != std::string::npos);
}

} // namespace chat_request_test

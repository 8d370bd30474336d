#include "messages/wire/mcp/sampling.hpp"

#include "tests/support/catch.hpp"

namespace mcp_sampling_test {

using namespace troupe;

namespace {

/// Reads a request with this array of messages.
std::vector<chat_message> messages(const std::string& array) {
  mcp::sampling_request read;
  auto bad = mcp::parse(R"({"maxTokens":1,"messages":)" + array + "}", read);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return read.messages;
}

std::string refusal(const std::string& params) {
  mcp::sampling_request read;
  auto bad = mcp::parse(params, read);
  CHECK(bad.code == errc::server_protocol);
  return bad.message;
}

std::string bad_messages(const std::string& array) {
  return refusal(R"({"maxTokens":1,"messages":)" + array + "}");
}

const std::string use = R"({"role":"assistant","content":[{"type":"text","text":"so"},
  {"type":"tool_use","id":"u1","name":"look","input":{"x": 1}},
  {"type":"tool_use","id":"u2","name":"now"}]})";

} // namespace

TEST_CASE("a sampling request is read as a prompt for a model", "[messages][mcp_sampling]") {
  mcp::sampling_request read;
  REQUIRE_FALSE(mcp::parse(R"({"systemPrompt":"be kind","maxTokens":100,"temperature":0.1,
    "modelPreferences":{"hints":[{"name":"big"},{},{"name":"small"}],"costPriority":1},
    "messages":[{"role":"user","content":{"type":"text","text":"hi"}},
      {"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
      {"role":"user","content":{"type":"image","mimeType":"image/png","data":"QUJD"}}],
    "tools":[{"name":"look","description":"looks","inputSchema":{"type" : "object"}}],
    "toolChoice":{"mode":"auto"},"includeContext":"none","_meta":{}})",
                           read));
  CHECK(read.max_tokens == 100);
  CHECK(read.model_hints == std::vector<std::string>{"big", "small"});
  REQUIRE(read.messages.size() == 4);
  CHECK(read.messages[0].who == role::system);
  CHECK(read.messages[0].text == "be kind");
  CHECK(read.messages[1].who == role::user);
  CHECK(read.messages[1].text == "hi");
  CHECK(read.messages[2].who == role::assistant);
  CHECK(read.messages[2].text == "a\nb");
  CHECK(read.messages[3].text.empty());
  REQUIRE(read.messages[3].files.size() == 1);
  CHECK(read.messages[3].files[0].url == "data:image/png;base64,QUJD");
  CHECK(read.parameters == R"({"temperature":0.1})");
  REQUIRE(read.tools.size() == 1);
  CHECK(read.tools[0].name == "look");
  CHECK(read.tools[0].description == "looks");
  CHECK(read.tools[0].input_schema == R"({"type" : "object"})");
  CHECK(read.tools[0].server.empty());
}

TEST_CASE("tool uses and their results become calls and tool messages",
          "[messages][mcp_sampling]") {
  auto all = messages("[" + use + R"(,{"role":"user","content":[
    {"type":"tool_result","toolUseId":"u2","content":[{"type":"text","text":"late"}]},
    {"type":"tool_result","toolUseId":"u1","content":[{"type":"text","text":"a"},
      {"type":"text","text":"b"}]}]},{"role":"user","content":{"type":"text","text":"go on"}}])");
  REQUIRE(all.size() == 4);
  CHECK(all[0].text == "so");
  REQUIRE(all[0].tool_calls.size() == 2);
  CHECK(all[0].tool_calls[0].id == "u1");
  CHECK(all[0].tool_calls[0].name == "look");
  CHECK(all[0].tool_calls[0].arguments == R"({"x": 1})");
  CHECK(all[0].tool_calls[1].arguments == "{}");
  CHECK(all[1].who == role::tool);
  CHECK(all[1].tool_call_id == "u2");
  CHECK(all[1].text == "late");
  CHECK(all[2].tool_call_id == "u1");
  CHECK(all[2].text == "a\nb");
  CHECK(all[3].text == "go on");
}

TEST_CASE("tools that the model must not use are not given to it", "[messages][mcp_sampling]") {
  mcp::sampling_request read;
  REQUIRE_FALSE(mcp::parse(R"({"maxTokens":1,"messages":[],"toolChoice":{"mode":"none"},
    "tools":[{"name":"look","inputSchema":{}}]})",
                           read));
  CHECK(read.tools.empty());
}

TEST_CASE("histories that no provider takes are refused", "[messages][mcp_sampling]") {
  auto result = [](const std::string& id) {
    return R"({"type":"tool_result","toolUseId":")" + id + R"(","content":[]})";
  };
  auto user = [](const std::string& parts) {
    return R"({"role":"user","content":[)" + parts + "]}";
  };
  const std::string text = R"({"type":"text","text":"x"})";
  CHECK(bad_messages("[" + use + "]") ==
        "sampling/createMessage: the tool use \"u1\" has no result");
  CHECK(bad_messages("[" + use + "," + user(result("u1")) + "]") ==
        "sampling/createMessage: the tool use \"u2\" has no result");
  CHECK(bad_messages("[" + use + "," + user(text) + "]") ==
        "sampling/createMessage: the tool use \"u1\" has no result");
  CHECK(bad_messages("[" + use + "," + user(result("u1") + "," + result("u2") + "," + text) +
                     "]") == "sampling/createMessage: messages[1] mixes tool results with other "
                             "content");
  CHECK(bad_messages("[" + user(result("u9")) + "]") ==
        "sampling/createMessage: messages[0] has a tool_result that no tool use before it asked "
        "for");
  CHECK(bad_messages(R"([{"role":"user","content":{"type":"tool_use","id":"a","name":"b"}}])") ==
        "sampling/createMessage: messages[0] is a user's and uses a tool");
  CHECK(bad_messages(R"([{"role":"assistant","content":{"type":"tool_use","id":"a"}}])") ==
        "sampling/createMessage: messages[0] has a tool_use without id or name");
}

TEST_CASE("a sampling request that lacks something is refused", "[messages][mcp_sampling]") {
  for (auto tokens : {"null", "0", "-1", "1.5", "4294967296", "\"1\""})
    CHECK(refusal(R"({"messages":[],"maxTokens":)" + std::string{tokens} + "}") ==
          "sampling/createMessage: maxTokens is no whole number from 1 to 4294967295");
  CHECK(refusal(R"({"maxTokens":1})") == "sampling/createMessage: there is no array \"messages\"");
  CHECK(bad_messages(R"([{"role":"system","content":{"type":"text","text":"x"}}])") ==
        "sampling/createMessage: messages[0].role is neither \"user\" nor \"assistant\"");
  CHECK(bad_messages(R"([{"role":"user"}])") ==
        "sampling/createMessage: messages[0].content has no type");
  CHECK(refusal(R"({"maxTokens":1,"messages":[],"tools":[{"name":"x"}]})") ==
        "sampling/createMessage: tools[0] has no name or no inputSchema");
  const std::string whole =
      R"({"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"\n"}}]})";
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(refusal(std::string{whole.data(), cut}).find("not JSON") != std::string::npos);
}

TEST_CASE("a model's answer is written for the server", "[messages][mcp_sampling]") {
  chat_message answer;
  answer.text = "h\"i";
  CHECK(mcp::sampling_result("m\"", answer, finish_reason::stop) ==
        R"({"role":"assistant","content":{"type":"text","text":"h\"i"},"model":"m\"",)"
        R"("stopReason":"endTurn"})");
  CHECK(mcp::sampling_result("m", answer, finish_reason::length).ends_with(R"("maxTokens"})"));
  answer.tool_calls = {{"c1", "look", R"({"x": 1})"}, {"c2", "now", ""}};
  CHECK(mcp::sampling_result("m", answer, finish_reason::tool_calls) ==
        R"({"role":"assistant","content":[{"type":"text","text":"h\"i"},)"
        R"({"type":"tool_use","id":"c1","name":"look","input":{"x": 1}},)"
        R"({"type":"tool_use","id":"c2","name":"now","input":{}}],"model":"m",)"
        R"("stopReason":"toolUse"})");
  answer.text.clear();
  answer.tool_calls.pop_back();
  CHECK(mcp::sampling_result("m", answer, finish_reason::stop) ==
        R"({"role":"assistant","content":[)"
        R"({"type":"tool_use","id":"c1","name":"look","input":{"x": 1}}],"model":"m",)"
        R"("stopReason":"toolUse"})");
}

} // namespace mcp_sampling_test

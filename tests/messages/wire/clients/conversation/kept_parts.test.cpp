// A page that sends its messages gets them back as they were.
#include "messages/json.hpp"
#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "tests/support/catch.hpp"

namespace kept_parts_test {

using namespace troupe;

namespace {

ui_history read(std::string_view messages) {
  json_source source{messages};
  REQUIRE(source.fault() == "");
  ui_history out;
  auto bad = read_ui_messages(source.root(), out);
  CHECK(bad.message == "");
  return out;
}

/// Returns the messages of a conversation with this history, without their times.
std::string shown(const std::vector<chat_message>& history, std::vector<turn_record> turns = {}) {
  conversation what;
  for (const auto& each : history)
    what.messages.push_back({each, 7});
  what.turns = std::move(turns);
  auto json = ui_conversation_json(what);
  json_source source{json};
  INFO(json);
  REQUIRE(source.fault() == "");
  std::string_view messages;
  read_members(source.root(), {{"messages", &messages}});
  std::string out{messages};
  auto drop = [&out](std::string_view text) {
    for (auto at = out.find(text); at != out.npos; at = out.find(text))
      out.erase(at, text.size());
  };
  drop(R"(,"metadata":{"createdAt":7})");
  drop(R"("createdAt":7,)");
  return out;
}

/// Returns whether both are the same JSON, members in any order.
bool same(std::string_view a, std::string_view b) {
  auto left = read_json_tree(a, 10'000);
  auto right = read_json_tree(b, 10'000);
  return left && right && left->hash == right->hash;
}

} // namespace

TEST_CASE("what a page sends comes back as it was", "[messages][kept_parts]") {
  const auto* messages = GENERATE(
      // data, sources, files and metadata
      R"([{"id":"u","role":"user","metadata":{"lang":"zh","n":[1,{}]},"parts":[{"type":"text","text":"draw"},
          {"type":"data-quote","id":"q1","data":{"from":"x"}}]}])",
      R"([{"id":"a","role":"assistant","metadata":{"cost":5},"parts":[{"type":"step-start"},
          {"type":"text","text":"here","state":"done"},{"type":"source-url","sourceId":"s1","url":"https://e.x","title":"E"},
          {"type":"data-diagram","id":"d1","data":{"xml":"<m/>"}},{"type":"file","mediaType":"image/png","url":"data:image/png;base64,AA=="},
          {"type":"step-start"},{"type":"text","text":"done","state":"done"}]}])",
      // texts side by side, without a state, with members of their own
      R"([{"id":"u","role":"user","parts":[{"type":"text","text":"a"},{"type":"text","text":"b","providerMetadata":{"x":{"y":1}}},
          {"type":"text","text":""},{"type":"text","text":"c"}]}])",
      R"([{"id":"a","role":"assistant","parts":[{"type":"text","text":"no step"},{"type":"text","text":"two"},
          {"type":"text","text":"","state":"done"},{"type":"text","text":"cut","state":"streaming"}]}])",
      R"([{"id":"s","role":"system","parts":[{"type":"text","text":"be brief"},{"type":"data-x","data":null}]}])",
      // thoughts between texts, with and without ids
      R"([{"id":"a","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"one","state":"done"},
          {"type":"reasoning","id":"2","text":"hm","state":"done"},{"type":"text","text":"two","state":"done"},
          {"type":"reasoning","text":"so","providerMetadata":{"anthropic":{"signature":"s"}},"state":"done"}]}])",
      // files among texts
      R"([{"id":"u","role":"user","parts":[{"type":"file","mediaType":"text/plain","url":"http://h/x","filename":"x.txt"},
          {"type":"text","text":"is it"},{"type":"file","mediaType":"image/png","url":"https://h/y","providerMetadata":{"openai":{"imageDetail":"low"}}},
          {"type":"text","text":"this?"},{"type":"file","mediaType":"image/png","url":"https://h/z","providerMetadata":{"other":{"a":1}}}]}])",
      R"([{"id":"a","role":"assistant","parts":[{"type":"step-start"},{"type":"file","mediaType":"image/png","url":"https://h/z","filename":"z.png"}]}])",
      // calls of the client and of servers, in every final state
      R"([{"id":"a","role":"assistant","parts":[{"type":"step-start"},
          {"type":"tool-draw","toolCallId":"1","state":"output-available","input":{"xml":"<b/>"},"output":{"ok":true,"n":1}},
          {"type":"text","text":"between","state":"done"},
          {"type":"tool-draw","toolCallId":"2","state":"output-error","input":{},"errorText":"it was closed"},
          {"type":"tool-draw","toolCallId":"3","state":"output-error","rawInput":"{\"cut","errorText":"no JSON"},
          {"type":"dynamic-tool","toolName":"add","toolCallId":"4","state":"output-error","input":"{\"cut","errorText":"no JSON"},
          {"type":"dynamic-tool","toolName":"add","toolCallId":"5","state":"output-denied","input":{"a":1},"approval":{"id":"x","approved":false,"reason":"no"}},
          {"type":"dynamic-tool","toolName":"add","toolCallId":"6","state":"output-available","input":{"a":1},"output":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"isError":false},
           "approval":{"id":"y","approved":true},"callProviderMetadata":{"google":{"s":"t"}},"title":"Adds","toolMetadata":{"x":[]}},
          {"type":"tool-draw","toolCallId":"7","state":"output-available","input":[1],"output":"text","providerExecuted":true}]}])",
      // calls with a label
      R"([{"id":"a","role":"assistant","parts":[{"type":"step-start"},
          {"type":"dynamic-tool","toolName":"add","toolCallId":"1","title":"Adds +","state":"output-available","input":{"a":1},"output":"2"},
          {"type":"dynamic-tool","toolName":"sub","toolCallId":"2","title":"\"-\"","state":"output-error","input":"{\"cut","errorText":"no JSON"},
          {"type":"dynamic-tool","toolName":"sub","toolCallId":"3","title":"","state":"output-error","input":{},"errorText":"no"},
          {"type":"dynamic-tool","toolName":"add","toolCallId":"4","state":"output-available","input":{},"output":"0"},
          {"type":"text","text":"so","state":"done"},
          {"type":"tool-draw","toolCallId":"5","title":"Draws","state":"output-available","input":{},"output":"0","toolMetadata":{"x":[]}},
          {"type":"dynamic-tool","toolName":"add","toolCallId":"6","title":"Adds +","state":"output-error","input":"","errorText":"cut"}]
}])",
      // a call that never was one
      R"([{"id":"a","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"x","state":"done"},
          {"type":"tool-draw","toolCallId":"1","state":"input-streaming","input":{"xm":1},"rawInput":"{\"xm"},
          {"type":"dynamic-tool","toolName":"add","toolCallId":"2","state":"output-error","input":"","errorText":"cut"}]}])",
      // steps and messages that say nothing to a model
      R"([{"id":"u","role":"user","parts":[{"type":"text","text":"go"}]},
          {"id":"a","role":"assistant","metadata":{"error":"model_failed"},"parts":[{"type":"step-start"}]},
          {"id":"v","role":"user","parts":[{"type":"data-only","data":1}]},
          {"id":"b","role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","id":"1","text":"hm","state":"done"},
           {"type":"step-start"},{"type":"text","text":"so","state":"done"},{"type":"step-start"},{"type":"data-limit","data":{"n":1}}]},
          {"id":"c","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":" \n","state":"done"}]},
          {"id":"w","role":"user","parts":[{"type":"text","text":"on"}]}])");
  CAPTURE(messages);
  auto history = read(messages).messages;
  auto json = shown(history);
  CAPTURE(json);
  CHECK(same(json, messages));
  CHECK(read(json).messages == history); // and again
}

TEST_CASE("a plain chat keeps nothing beside its texts", "[messages][kept_parts]") {
  const auto* messages =
      R"([{"id":"u","role":"user","metadata":{"createdAt":7},"parts":[{"type":"text","text":"hi"}]},
          {"id":"a","role":"assistant","metadata":{"createdAt":8},"parts":[{"type":"step-start"},
           {"type":"reasoning","id":"1","text":"hm","state":"done"},{"type":"text","text":"ho","state":"done"}]}])";
  for (const auto& each : read(messages).messages)
    CHECK(each.shown.empty());
}

TEST_CASE("a file of an answer is no text of it", "[messages][kept_parts]") {
  auto history = read(R"([{"id":"a","role":"assistant","parts":[{"type":"text","text":"here"},
    {"type":"file","mediaType":"image/png","url":"data:image/png;base64,AA=="}]}])")
                     .messages;
  REQUIRE(history.size() == 1);
  CHECK(history[0].text == "here");
  REQUIRE(history[0].files.size() == 1);
  CHECK(history[0].files[0].media_type == "image/png");
}

TEST_CASE("a resource of a server is the chat's own and not the client's",
          "[messages][kept_parts]") {
  auto history =
      read(R"([{"id":"u","role":"user","parts":[{"type":"data-mcp-resource","data":{"uri":"x"}},
    {"type":"text","text":"hi"}]}])")
          .messages;
  REQUIRE(history.size() == 1);
  CHECK(history[0].shown.empty());
}

TEST_CASE("an answer's metadata is that of its turns", "[messages][kept_parts]") {
  auto history =
      read(R"([{"id":"a","role":"assistant","metadata":{"cost":5,"model":"old","createdAt":1},
    "parts":[{"type":"step-start"},{"type":"text","text":"x","state":"done"}]}])")
          .messages;
  turn_record first;
  first.turn_id = "t1";
  first.message_id = "a";
  first.state = turn_state::ended;
  first.model = "fast";
  first.used.total_tokens = 1;
  auto second = first;
  second.used.total_tokens = 2;
  auto failed = first;
  failed.state = turn_state::failed;
  failed.error = {errc::model_failed, "why"};
  auto other = first;
  other.message_id = "b";
  const std::string usage =
      R"({"inputTokens":0,"outputTokens":0,"totalTokens":2,"reasoningTokens":0,"cachedInputTokens":0})";
  CHECK(shown(history, {first, second, other})
            .find(R"("metadata":{"cost":5,"usage":)" + usage + R"(,"model":"fast"})") !=
        std::string::npos);
  CHECK(shown(history, {second, failed})
            .find(R"(,"model":"fast","error":"model_failed","retryable":)") != std::string::npos);
  second.state = turn_state::aborted;
  CHECK(shown(history, {second}).find(R"("metadata":{"cost":5,"model":"old"})") !=
        std::string::npos);
}

TEST_CASE("a call that a restart cut off has failed", "[messages][kept_parts]") {
  chat_message asks;
  asks.who = role::assistant;
  asks.id = "a";
  asks.tool_calls = {{"c1", "add", "{}"}};
  turn_record turn;
  turn.turn_id = "t";
  turn.message_id = "a";
  turn.state = turn_state::interrupted;
  turn.error = {errc::server_restarted, ""};
  CHECK(shown({asks}, {turn})
            .find(R"("state":"output-error","input":{},"errorText":"The server was restarted)") !=
        std::string::npos);
  turn.message_id = "other";
  CHECK(shown({asks}, {turn}).find(R"("state":"input-available")") != std::string::npos);
}

TEST_CASE("calls that were kept before states were have outputs", "[messages][kept_parts]") {
  chat_message asks;
  asks.who = role::assistant;
  asks.id = "a";
  asks.tool_calls = {{"c1", "add", "{}"}};
  chat_message result;
  result.who = role::tool;
  result.tool_call_id = "c1";
  result.text = "disk is full";
  CHECK(shown({asks, result})
            .find(R"("state":"output-available","input":{},"output":"disk is full"})") !=
        std::string::npos);
}

} // namespace kept_parts_test

// Conversations as the pages of the AI SDK show them.
#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"
#include "messages/wire/clients/ui/ui_parts.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace ui_conversation_test {

using namespace troupe;

namespace {

stored_message stored(chat_message message, int64_t at = 7) {
  return {std::move(message), at};
}

chat_message says(role who, std::string text, std::string id = {}) {
  chat_message out;
  out.who = who;
  out.text = std::move(text);
  out.id = std::move(id);
  return out;
}

chat_message calls(std::vector<tool_call> what, std::string id) {
  auto out = says(role::assistant, "", std::move(id));
  out.tool_calls = std::move(what);
  return out;
}

chat_message result(std::string call, std::string text, std::string id = {}) {
  auto out = says(role::tool, std::move(text), std::move(id));
  out.tool_call_id = std::move(call);
  return out;
}

/// Returns `messages` of the conversation.
std::string messages_of(std::vector<stored_message> all) {
  conversation what;
  what.messages = std::move(all);
  auto json = ui_conversation_json(what);
  json_source source{json};
  REQUIRE(source.fault() == "");
  std::string_view messages;
  read_members(source.root(), {{"messages", &messages}});
  return std::string{messages};
}

} // namespace

TEST_CASE("a user's message has its text and files as parts", "[messages][ui_conversation]") {
  auto message = says(role::user, "look", "u1");
  message.files = {{"image/png", "data:image/png;base64,AA==", "a.png"},
                   {"text/plain", "http://h/x", ""}};
  CHECK(messages_of({stored(message)}) ==
        R"([{"id":"u1","role":"user","metadata":{"createdAt":7},"parts":[)"
        R"({"type":"text","text":"look"},)"
        R"({"type":"file","mediaType":"image/png","url":"data:image/png;base64,AA==",)"
        R"("filename":"a.png"},{"type":"file","mediaType":"text/plain","url":"http://h/x"}]}])");
}

TEST_CASE("a user's files stand where they stood in the text", "[messages][ui_conversation]") {
  auto message = says(role::user, "Is it\nthis?", "u1");
  message.files = {{"image/png", "http://h/a", "", "low", 6}, {"image/png", "http://h/b"}};
  CHECK(messages_of({stored(message)}) ==
        R"([{"id":"u1","role":"user","metadata":{"createdAt":7},"parts":[)"
        R"({"type":"text","text":"Is it"},{"type":"file","mediaType":"image/png",)"
        R"("url":"http://h/a","providerMetadata":{"openai":{"imageDetail":"low"}}},)"
        R"({"type":"text","text":"this?"},)"
        R"({"type":"file","mediaType":"image/png","url":"http://h/b"}]}])");
}

TEST_CASE("an answer with its rounds of calls is one message", "[messages][ui_conversation]") {
  auto first = calls({{"c1", "add", R"({"a":1})"}, {"c2", "wait", "{}"}}, "a1");
  first.reasoning = "hm";
  first.text = "Let me see.";
  auto json = messages_of({stored(first, 1), stored(result("c2", "done"), 2),
                           stored(result("c1", "2", "a1"), 3),
                           stored(says(role::assistant, "It is 2.", "a1"), 4)});
  CHECK(json ==
        R"([{"id":"a1","role":"assistant","metadata":{"createdAt":1},"parts":[)"
        R"({"type":"step-start"},{"type":"reasoning","id":"1","text":"hm","state":"done"},)"
        R"({"type":"text","text":"Let me see.","state":"done"},)"
        R"({"type":"dynamic-tool","toolName":"add","toolCallId":"c1","state":"output-available",)"
        R"("input":{"a":1},"output":"2"},)"
        R"({"type":"dynamic-tool","toolName":"wait","toolCallId":"c2","state":"output-available",)"
        R"("input":{},"output":"done"},)"
        R"({"type":"step-start"},{"type":"text","text":"It is 2.","state":"done"}]}])");
}

TEST_CASE("a call without a result can still get one", "[messages][ui_conversation]") {
  auto json = messages_of({stored(calls({{"c1", "ask", "{}", R"({"google":{"s":"x"}})"}}, "a1"))});
  CHECK(json.find(R"("state":"input-available","input":{},"callProviderMetadata":{"google":)") !=
        json.npos);
  CHECK(json.find("output") == json.npos);
}

TEST_CASE("a call that waits for an approval can still get it", "[messages][ui_conversation]") {
  tool_call asked{"c1", "send", R"({"to":"all"})", {}, {"appr_1", "mail", "send", 7}};
  auto asking = messages_of({stored(calls({asked}, "a1"))});
  CHECK(asking.ends_with(R"("toolCallId":"c1","state":"approval-requested",)"
                         R"("input":{"to":"all"},"approval":{"id":"appr_1"}}]}])"));
  auto answered = messages_of({stored(calls({asked}, "a1")), stored(result("c1", "sent"))});
  CHECK(answered.find("output-available") != answered.npos);
  CHECK(answered.find("appr_1") == answered.npos);
}

TEST_CASE("answers of two turns are two messages", "[messages][ui_conversation]") {
  auto json =
      messages_of({stored(says(role::user, "a", "u1")), stored(says(role::assistant, "b", "a1")),
                   stored(says(role::assistant, "c", "a2")), stored(says(role::user, "d"))});
  for (const auto* id : {R"("id":"u1")", R"("id":"a1")", R"("id":"a2")", R"("id":"message-3")"})
    CHECK(json.find(id) != json.npos);
}

TEST_CASE("images of a result stand in its output", "[messages][ui_conversation]") {
  auto shown = result("c1", "a cat");
  shown.files = {{"image/png", "data:image/png;base64,QUJD", ""}};
  auto json = messages_of({stored(calls({{"c1", "draw", "{}"}}, "a1")), stored(shown)});
  CHECK(json.find(R"("output":{"content":[{"type":"text","text":"a cat"},)"
                  R"({"type":"image","mimeType":"image/png","data":"QUJD"}]})") != json.npos);
}

TEST_CASE("an image of a result stands in place of its note, and comes back as that",
          "[messages][ui_conversation]") {
  const auto* text = GENERATE("[image image/png, 3 bytes]", "a cat\n[image image/png, 3 bytes]",
                              "[image image/png, 3 bytes]\na dog", "no note\n[image image/png, 3",
                              "a\n[image image/png, 3 bytes]\nb");
  auto shown = result("c1", text);
  shown.files = {{"image/png", "data:image/png;base64,QUJD", ""}};
  auto json = messages_of({stored(calls({{"c1", "draw", "{}"}}, "a1")), stored(shown)});
  const auto from = json.find(R"("output":)") + 9;
  const auto output = json.substr(from, json.find("]}", from) + 2 - from);
  json_source source{output};
  auto expected = std::string{text};
  if (expected.starts_with("no note"))
    expected += "\n[image image/png, 3 bytes]";
  CHECK(tool_output_text(source.root()) == expected);
}

TEST_CASE("what a server gave to a message is a data part", "[messages][ui_conversation]") {
  auto message = says(role::user, "", "u1");
  message.extras = {{"MCP_RESOURCE", "n", "file:///x", "srv", "text", "text/plain"}};
  auto json = messages_of({stored(message)});
  CHECK(json.find(R"("parts":[{"type":"data-mcp-resource","data":{"type":"MCP_RESOURCE",)") !=
        json.npos);
}

TEST_CASE("a page that sends the messages back gives the same history",
          "[messages][ui_conversation]") {
  std::vector<stored_message> all{
      stored(says(role::system, "be brief", "s")),
      stored(says(role::user, "1+1?", "u1")),
      stored(calls({{"c1", "add", R"({"a":1})", R"({"g":{"x":1}})"}, {"c2", "add", "{}"}}, "a1")),
      stored(result("c1", "2")),
      stored(result("c2", "0")),
      stored(says(role::assistant, "2 and 0", "a1")),
      stored(says(role::user, "thanks", "u2"))};
  all[5].message.reasoning = "so it is";
  auto json = messages_of(all);
  json_source source{json};
  ui_history read;
  REQUIRE(!read_ui_messages(source.root(), read));
  REQUIRE(read.messages.size() == all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    INFO(i);
    auto expected = all[i].message;
    expected.id = read.messages[i].id;
    CHECK(read.messages[i] == expected);
  }
}

TEST_CASE("the last turn says where it is", "[messages][ui_conversation]") {
  conversation what;
  what.info = {"c", "T", 1, 2, 0, 4};
  what.overrides.model = "fast";
  CHECK(ui_conversation_json(what) ==
        R"({"id":"c","title":"T","createdAt":1,"updatedAt":2,"messageCount":0,"version":4,)"
        R"("overrides":{"model":"fast","mcpServers":null},"messages":[],"lastTurn":null})");
  turn_record turn;
  turn.turn_id = "t";
  what.turns = {turn, turn};
  what.turns[1].state = turn_state::ended;
  CHECK(
      ui_conversation_json(what).find(
          R"("lastTurn":{"turnId":"t","messageId":"","state":"ended","error":null,"model":"",)") !=
      std::string::npos);
  what.turns[1].state = turn_state::failed;
  what.turns[1].error = {errc::model_failed, "why"};
  CHECK(ui_conversation_json(what).find(
            R"("state":"failed","error":{"code":"model_failed","message":"why"})") !=
        std::string::npos);
  what.turns[1].error = {errc::server_restarted, ""};
  CHECK(ui_conversation_json(what).find(
            R"("message":"The server was restarted while it answered.")") != std::string::npos);
}

} // namespace ui_conversation_test

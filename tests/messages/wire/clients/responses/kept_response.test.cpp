#include "messages/wire/clients/responses/kept_response.hpp"

#include <string>

#include "messages/wire/json/json_check.hpp"
#include "tests/support/catch.hpp"

namespace kept_response_test {

using namespace troupe;

namespace {

constexpr auto tags = "[responses][wire]";

chat_message said(role who, const std::string& text, const std::string& id = "m") {
  chat_message made;
  made.who = who;
  made.text = text;
  made.id = id;
  return made;
}

chat_message calls(const std::string& id, bool client_side) {
  auto made = said(role::assistant, "");
  tool_call call{id, "f", "{}"};
  call.client_side = client_side;
  made.tool_calls.push_back(call);
  return made;
}

chat_message result(const std::string& id, const std::string& text) {
  auto made = said(role::tool, text);
  made.tool_call_id = id;
  return made;
}

conversation chat_of(const std::vector<chat_message>& messages) {
  conversation made;
  made.info.created_ms = 5000;
  for (const auto& each : messages)
    made.messages.push_back({each, 0});
  return made;
}

size_t behind(const conversation& chat, size_t from, bool& last) {
  return history_behind(chat, {"c", from}, last).size();
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("the id of a response says where it is kept", tags) {
  const auto id = make_response_id({"chat_1", 17});
  CHECK(id.starts_with("resp_"));
  const auto place = place_of_response(id);
  REQUIRE(place);
  CHECK(place->chat == "chat_1");
  CHECK(place->from == 17);
  CHECK(make_response_id({"chat_1", 17}) != id);
  const auto key = std::string(24, 'a');
  for (const auto& bad : {std::string{}, std::string{"resp_1"}, "resp_" + key, "resp_" + key + "_",
                          "resp_" + key + "_1", "resp_" + key + "_1_", "resp_" + key + "_x_c",
                          "resp_" + key + "_1_c\x1f" + "d", "resp_" + key + "_1_C",
                          "resp_" + key + "_99999999999999999999_c", "msg_" + key + "_1_c"}) {
    INFO(bad);
    CHECK_FALSE(place_of_response(bad));
  }
}

TEST_CASE("a chat goes on behind a response with its answer and what ran in it", tags) {
  auto chat =
      chat_of({said(role::system, "old", std::string{instructions_id}), said(role::user, "go"),
               calls("s1", false), result("s1", "42"), said(role::assistant, "so"),
               said(role::user, "and?"), said(role::assistant, "done")});
  bool last = true;
  const auto history = history_behind(chat, {"c", 1}, last);
  REQUIRE(history.size() == 4); // without the instructions
  CHECK(history.back().text == "so");
  CHECK_FALSE(last);
  CHECK(behind(chat, 5, last) == 6);
  CHECK(last);
  CHECK(behind(chat, 6, last) == 0); // nothing was answered there
}

TEST_CASE("an answer ends at the calls for the client, whose results come later", tags) {
  auto chat = chat_of({said(role::user, "go"), calls("c1", true)});
  bool last = false;
  CHECK(behind(chat, 1, last) == 2);
  CHECK(last);
  chat.messages.push_back({result("c1", "sunny"), 0});
  chat.messages.push_back({said(role::assistant, "It is sunny."), 0});
  CHECK(behind(chat, 1, last) == 2);
  CHECK_FALSE(last);
  CHECK(behind(chat, 3, last) == 4);
  CHECK(last);
}

TEST_CASE("a response that is kept is written as it was", tags) {
  auto answer = said(role::assistant, "so");
  answer.reasoning = "hm";
  auto chat = chat_of({said(role::user, "go"), calls("s1", false), result("s1", "42"), answer});
  turn_record turn;
  turn.turn_id = "resp_x";
  turn.model = "m";
  turn.state = turn_state::ended;
  turn.started_ms = 7000;
  turn.used.input_tokens = 3;
  chat.turns = {turn};
  const auto body = kept_response(chat, "resp_x", {"c", 1});
  CHECK(is_json_object(body));
  CHECK(says(body, R"({"id":"resp_x","object":"response","created_at":7,"status":"completed",)"));
  CHECK(says(body, R"("model":"m")"));
  CHECK(says(body, R"("store":true)"));
  CHECK(says(body, R"("type":"mcp_call","id":"mcp_0_1_c","status":"completed")"));
  CHECK(says(body, R"("output":"42","error":null)"));
  CHECK(says(body, R"("summary":[{"type":"summary_text","text":"hm"}])"));
  CHECK(says(body, R"("text":"so")"));
  CHECK(says(body, R"("usage":{"input_tokens":3,)"));
}

TEST_CASE("a response that failed, runs or is gone is told as that", tags) {
  auto chat = chat_of({said(role::user, "go")});
  CHECK(kept_response(chat, "resp_x", {"c", 1}).empty());
  turn_record turn;
  turn.turn_id = "resp_x";
  turn.state = turn_state::failed;
  turn.error = {errc::model_failed, "it broke"};
  chat.turns = {turn};
  CHECK(says(kept_response(chat, "resp_x", {"c", 1}),
             R"("status":"failed","background":false,"error":{"code":"server_error",)"
             R"("message":"it broke"})"));
  chat.turns[0].state = turn_state::running;
  CHECK(says(kept_response(chat, "resp_x", {"c", 1}), R"("status":"in_progress")"));
}

} // namespace kept_response_test

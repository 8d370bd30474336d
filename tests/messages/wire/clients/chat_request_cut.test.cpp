#include "messages/wire/clients/chat_request.hpp"

#include "tests/support/catch.hpp"

namespace chat_request_cut_test {

using namespace troupe;

namespace {

const std::string user = R"("message":{"id":"u1","role":"user",
  "parts":[{"type":"text","text":"x"}]})";
const std::string assistant = R"("message":{"id":"a1","role":"assistant","parts":[
  {"type":"text","text":"old"},{"type":"step-start"},
  {"type":"tool-t","toolCallId":"c1","state":"output-available","input":{},"output":"new"}]})";
const std::string submit = R"("trigger":"submit-message")";
const std::string regenerate = R"("trigger":"regenerate-message")";

failure read(const std::string& members, turn_request& out) {
  ui_profile profile{};
  return parse_ui_request(R"({"id":"c",)" + members + "}", out, profile);
}

turn_request request(const std::string& members) {
  turn_request out;
  auto bad = read(members, out);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return out;
}

} // namespace

TEST_CASE("a new message cuts nothing", "[messages][chat_request]") {
  for (const auto& members :
       {user, submit + ',' + user, submit + R"(,"messageId":null,)" + user,
        submit + R"(,"messageId":"u0",)" + user, std::string{R"("messageId":"","message":"x")"}}) {
    auto read = request(members);
    INFO(members);
    CHECK(read.cut_at.empty());
    CHECK(read.messages.size() == 1);
    CHECK_FALSE(read.replaces_history);
  }
}

TEST_CASE("results of an assistant's message cut nothing", "[messages][chat_request]") {
  auto read = request(submit + R"(,"messageId":"a1",)" + assistant);
  CHECK(read.cut_at.empty());
  CHECK(read.message_id == "a1");
  REQUIRE(read.messages.size() == 1);
  CHECK(read.messages[0].text == "new");
  CHECK(read.messages[0].id == "a1");
}

TEST_CASE("an edited message takes the place of what was there", "[messages][chat_request]") {
  for (const auto& trigger : {submit + ',', std::string{}}) {
    auto read = request(trigger + R"("messageId":"u1",)" + user);
    CHECK(read.cut_at == "u1");
    REQUIRE(read.messages.size() == 1);
    CHECK(read.messages[0].id == "u1");
    CHECK(read.messages[0].text == "x");
    CHECK_FALSE(read.replaces_history);
  }
}

TEST_CASE("an answer is generated anew without another message", "[messages][chat_request]") {
  for (const auto& message :
       {std::string{}, ',' + user, ',' + assistant, std::string{R"(,"message":"x")"},
        std::string{R"(,"message":null)"}}) {
    auto read = request(regenerate + R"(,"messageId":"a1")" + message);
    INFO(message);
    CHECK(read.cut_at == "a1");
    CHECK(read.messages.empty());
    CHECK(read.approvals.empty());
    CHECK(read.message_id.empty());
  }
}

TEST_CASE("what follows a user's message is generated anew", "[messages][chat_request]") {
  for (const auto& id : {R"(,"messageId":"u1",)", R"(,"messageId":null,)", ","}) {
    auto read = request(regenerate + id + user);
    INFO(id);
    CHECK(read.cut_at == "u1");
    REQUIRE(read.messages.size() == 1);
    CHECK(read.messages[0].text == "x");
  }
}

TEST_CASE("it must be known what is generated anew", "[messages][chat_request]") {
  auto text = "to regenerate an answer, the body must have messageId or messages";
  auto plain = R"("message":{"role":"user","parts":[{"type":"text","text":"x"}]})";
  for (const auto& members :
       {regenerate, regenerate + R"(,"message":"x")", regenerate + ',' + assistant,
        regenerate + ',' + plain, regenerate + R"(,"messageId":"",)" + user,
        regenerate + R"(,"messageId":")" + std::string(257, 'a') + '"'}) {
    turn_request out;
    INFO(members);
    CHECK(read(members, out).message == text);
  }
}

TEST_CASE("all messages replace the history, whatever the trigger", "[messages][chat_request]") {
  auto all = R"("messages":[{"id":"u1","role":"user","parts":[{"type":"text","text":"x"}]}])";
  for (const auto& trigger : {submit, regenerate}) {
    auto read = request(trigger + R"(,"messageId":"u1",)" + all);
    CHECK(read.cut_at.empty());
    CHECK(read.replaces_history);
  }
}

TEST_CASE("every message has the id of the one that it is of", "[messages][chat_request]") {
  auto read = request(R"("messages":[
    {"id":"u1","role":"user","parts":[{"type":"text","text":"x"}]},
    {"id":"a1","role":"assistant","parts":[
      {"type":"tool-t","toolCallId":"c1","state":"output-available","input":{},"output":"r"},
      {"type":"step-start"},{"type":"text","text":"y"}]},
    {"role":"user","parts":[{"type":"text","text":"z"}]}])");
  std::vector<std::string> ids;
  for (const auto& each : read.messages)
    ids.push_back(each.id);
  CHECK(ids == std::vector<std::string>{"u1", "a1", "a1", "a1", ""});
}

} // namespace chat_request_cut_test

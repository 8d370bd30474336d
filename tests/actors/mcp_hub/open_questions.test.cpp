#include "actors/mcp_hub/mcp_hub_questions.hpp"

#include "tests/support/catch.hpp"

namespace open_questions_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

using clock_type = std::chrono::steady_clock;

open_question asked(const std::string& method, const std::string& params) {
  open_question made;
  made.ask.request_id = "id";
  made.ask.server = "one";
  made.ask.method = method;
  made.ask.params = {params};
  made.number = 7;
  return made;
}

/// A form with a required name and an age that has a default.
open_question form() {
  return asked("elicitation/create",
               R"({"message":"who?","requestedSchema":{"type":"object","properties":{)"
               R"("name":{"type":"string"},"age":{"type":"integer","default":7}},)"
               R"("required":["name"]}})");
}

open_question sampling() {
  return asked("sampling/createMessage", R"({"messages":[],"maxTokens":10})");
}

} // namespace

TEST_CASE("a form is answered with its defaults filled in", "[actors][open_questions]") {
  server_reply reply;
  CHECK_FALSE(reply_to(form(), {"id", "accept", {R"({"name":"Ada"})"}}, reply));
  CHECK(reply.ask == 7);
  CHECK(reply.error_code == 0);
  CHECK(reply.result.text == R"({"action":"accept","content":{"name":"Ada","age":7}})");
}

TEST_CASE("an answer that does not fit its form is refused with the reason",
          "[actors][open_questions]") {
  server_reply reply;
  for (const auto* content : {"", "{}", R"({"name":1})", R"({"name":"Ada","age":"old"})", "[1]"}) {
    auto bad = reply_to(form(), {"id", "accept", {content}}, reply);
    CHECK(bad.code == errc::request_invalid);
    CHECK_FALSE(bad.message.empty());
  }
  CHECK(reply_to(form(), {"id", "perhaps", {}}, reply).code == errc::request_invalid);
}

TEST_CASE("a form is declined and cancelled as the client says", "[actors][open_questions]") {
  for (const auto* action : {"decline", "cancel"}) {
    server_reply reply;
    CHECK_FALSE(reply_to(form(), {"id", action, {}}, reply));
    CHECK(reply.result.text == std::string{R"({"action":")"} + action + "\"}");
  }
}

TEST_CASE("a form is accepted without a client only where its defaults are enough",
          "[actors][open_questions]") {
  CHECK(is_form(form()));
  CHECK(accept_defaults(form()).result.text == R"({"action":"decline"})");
  auto optional = asked("elicitation/create",
                        R"({"message":"m","requestedSchema":{"type":"object","properties":{)"
                        R"("age":{"type":"integer","default":7}}}})");
  CHECK(accept_defaults(optional).result.text == R"({"action":"accept","content":{"age":7}})");
}

TEST_CASE("a URL is nothing to fill in", "[actors][open_questions]") {
  auto url = asked("elicitation/create",
                   R"({"mode":"url","message":"m","url":"https://h/","elicitationId":"e"})");
  CHECK_FALSE(is_form(url));
  server_reply reply;
  CHECK_FALSE(reply_to(url, {"id", "accept", {}}, reply));
  CHECK(reply.result.text == R"({"action":"accept"})");
}

TEST_CASE("sampling is declined with the error of the specification", "[actors][open_questions]") {
  for (const auto* action : {"decline", "cancel"}) {
    server_reply reply;
    CHECK_FALSE(reply_to(sampling(), {"id", action, {}}, reply));
    CHECK(reply.error_code == -1);
    CHECK(reply.error_message == "The client declined.");
    CHECK(reply.result.text.empty());
  }
}

TEST_CASE("a sampled message must have what the specification demands",
          "[actors][open_questions]") {
  server_reply reply;
  const std::string good =
      R"({"role":"assistant","content":{"type":"text","text":"hi"},"model":"m"})";
  CHECK_FALSE(reply_to(sampling(), {"id", "accept", {good}}, reply));
  CHECK(reply.result.text == good);
  for (const auto* content :
       {"", "{", "[]", "{}", R"({"role":"assistant","content":{}})",
        R"({"role":"robot","content":{},"model":"m"})", R"({"role":"user","model":"m"})"})
    CHECK(reply_to(sampling(), {"id", "accept", {content}}, reply).code == errc::request_invalid);
}

TEST_CASE("open requests are found, taken and timed by their id", "[actors][open_questions]") {
  open_questions asks;
  CHECK_FALSE(asks.next_deadline());
  const clock_type::time_point start{};
  for (const auto* id : {"a", "b", "c"}) {
    auto open = form();
    open.ask.request_id = id;
    open.deadline = start + (id[0] == 'b' ? 1s : 2s);
    asks.add(std::move(open));
  }
  CHECK(asks.next_deadline()->second == "b");
  CHECK(asks.take("b")->ask.request_id == "b");
  CHECK_FALSE(asks.take("b"));
  CHECK(asks.find("b") == nullptr);
  CHECK(asks.next_deadline()->first == start + 2s);
  CHECK(asks.take_where([](const auto& each) { return each.ask.request_id == "c"; }).size() == 1);
  CHECK(asks.find("a") != nullptr);
}

} // namespace open_questions_test

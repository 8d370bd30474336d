#include "tests/support/history_rules.hpp"

#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/request_rules.hpp"

namespace history_rules_test {

using namespace troupe;
using namespace troupe::test;

namespace {

chat_message says(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.text = std::move(text);
  return made;
}

chat_message calls(std::vector<tool_call> what) {
  auto made = says(role::assistant, "");
  made.tool_calls = std::move(what);
  return made;
}

chat_message result(std::string id) {
  auto made = says(role::tool, "ok");
  made.tool_call_id = std::move(id);
  return made;
}

using history = std::vector<chat_message>;

const auto hello = says(role::user, "hello");
const tool_call first{"a", "get", "{}"};
const tool_call second{"b", "get", R"({"x":1})"};

bool accepted(const history& messages) {
  model_config model;
  model.name = "m";
  accepted_request("openai", {model, messages}); // whatever the history: it is repaired
  return openai_fault(messages).empty() && anthropic_fault(messages).empty();
}

} // namespace

TEST_CASE("a history with one result for each call is accepted", "[messages][history_rules]") {
  CHECK(accepted({hello, says(role::assistant, "hi")}));
  CHECK(accepted({says(role::system, "be kind"), hello, calls({first, second}), result("b"),
                  result("a"), says(role::assistant, "done"), hello}));
  CHECK(accepted({hello, calls({first}), result("a"), calls({second}), result("b")}));
}

TEST_CASE("a call without its one result behind it is refused", "[messages][history_rules]") {
  CHECK_FALSE(accepted({hello, calls({first})}));
  CHECK_FALSE(accepted({hello, calls({first}), hello, result("a")}));
  CHECK_FALSE(accepted({hello, calls({first, second}), result("a"), hello}));
  CHECK_FALSE(accepted({hello, calls({first}), result("a"), result("a")}));
  CHECK_FALSE(accepted({hello, result("a")}));
}

TEST_CASE("a call that no provider takes is refused", "[messages][history_rules]") {
  auto with = [](tool_call call) {
    auto id = call.id;
    return history{hello, calls({std::move(call)}), result(id)};
  };
  CHECK(accepted(with({"a", "get-it_2", R"({"a":[1]})"})));
  CHECK_FALSE(accepted(with({"a", "get it", "{}"})));
  CHECK_FALSE(accepted(with({"a", "", "{}"})));
  CHECK_FALSE(accepted(with({"a", std::string(65, 'x'), "{}"})));
  for (const char* arguments : {"[]", "null", "\"{}\"", R"({"a":)", "{} {}"})
    CHECK_FALSE(accepted(with({"a", "get", arguments})));
  CHECK_FALSE(accepted({hello, calls({first, first}), result("a"), result("a")}));
}

TEST_CASE("a message that says nothing is refused", "[messages][history_rules]") {
  CHECK_FALSE(accepted({hello, says(role::assistant, "")}));
  CHECK_FALSE(accepted({says(role::user, "")}));
  CHECK(openai_fault({hello, says(role::assistant, "\n")}).empty());
  CHECK_FALSE(anthropic_fault({hello, says(role::assistant, "\n")}).empty());
}

TEST_CASE("Anthropic wants a user to begin and each id once", "[messages][history_rules]") {
  history twice{hello, calls({first}), result("a"), calls({first}), result("a")};
  CHECK(openai_fault(twice).empty());
  CHECK_FALSE(anthropic_fault(twice).empty());
  CHECK_FALSE(anthropic_fault({says(role::assistant, "hi"), hello}).empty());
}

TEST_CASE("what is sent alternates, as strict chat templates demand", "[messages][history_rules]") {
  auto hi = says(role::assistant, "hi");
  auto system = says(role::system, "be kind");
  CHECK(template_fault({system, hello, hi, hello}).empty());
  CHECK(template_fault({hello, calls({first}), result("a"), hi, hello}).empty());
  CHECK_FALSE(template_fault({hello, hello}).empty());
  CHECK_FALSE(template_fault({hello, hi, hi, hello}).empty());
  CHECK_FALSE(template_fault({hi, hello}).empty());
  CHECK_FALSE(template_fault({hello, hi}).empty());
  CHECK_FALSE(template_fault({hello, system}).empty());
  CHECK_FALSE(template_fault({hello, calls({first}), result("a"), hello}).empty());
  CHECK_FALSE(template_fault({hello, hi, says(role::user, " \n")}).empty());
}

TEST_CASE("a body with an image that models do not read is refused", "[messages][history_rules]") {
  auto with = [](const std::string& url) {
    return openai_body_fault(R"({"model":"m","messages":[{"role":"user","content":[)"
                             R"({"type":"image_url","image_url":{"url":")" +
                             url + R"("}}]}]})");
  };
  CHECK(with("data:image/png;base64,AAAA").empty());
  CHECK(with("https://x.example/a").empty());
  CHECK_FALSE(with("data:image/svg+xml;base64,AAAA").empty());
  CHECK_FALSE(with("data:image/png;base64,").empty());
  CHECK_FALSE(with("data:image/png;base64,A A=").empty());
}

TEST_CASE("a body with a key twice, or options of no stream, is refused",
          "[messages][history_rules]") {
  const std::string messages = R"("model":"m","messages":[{"role":"user","content":"x"}])";
  CHECK(openai_body_fault("{" + messages + "}").empty());
  CHECK_FALSE(openai_body_fault("{" + messages + R"(,"model":"n"})").empty());
  CHECK_FALSE(openai_body_fault("{" + messages + R"(,"stream_options":{}})").empty());
  CHECK_FALSE(openai_body_fault("{" + messages).empty());
}

} // namespace history_rules_test

// Turns that say how the model is to answer from then on.
#include "tests/actors/session/kept_chat.hpp"

namespace session_system_test {

using namespace troupe;
using namespace troupe::test;

namespace {

class instructed : public kept_chat {
public:
  turn_request told(const std::string& text, const std::string& system) {
    turn_request made;
    made.session_id = "s";
    made.messages.push_back(message(role::user, text, ""));
    made.options.sets_system = true;
    made.options.system_prompt = system;
    return made;
  }

  void ask(turn_request what, const std::string& said = "ok") {
    send(std::move(what));
    run();
    answer({text_chunk(said)});
  }

  std::string asked() { return http.calls.back()->request.body; }
};

} // namespace

TEST_CASE_METHOD(instructed, "a system prompt stays in its chat, and the next one replaces it",
                 "[actors][session_system]") {
  settings.keeps = GENERATE(true, false);
  settings.system_prompt = "of the file";
  open();
  ask(told("one", "be kind"));
  CHECK(contains(asked(), R"([{"role":"system","content":"be kind"},{"role":"user")"));
  send("two");
  answer({text_chunk("ok")});
  CHECK(contains(asked(), "be kind"));
  ask(told("three", "be brief"));
  CHECK(contains(asked(), R"([{"role":"system","content":"be brief"},{"role":"user")"));
  CHECK_FALSE(contains(asked(), "be kind"));
  if (settings.keeps)
    CHECK(stored() == strings{"system be brief", "user one", "assistant ok", "user two",
                              "assistant ok", "user three", "assistant ok"});
  ask(told("four", ""));
  CHECK_FALSE(contains(asked(), "be brief"));
  CHECK(contains(asked(), R"([{"role":"system","content":"of the file"},{"role":"user")"));
}

TEST_CASE_METHOD(instructed, "a system prompt that is sent with each turn is kept once",
                 "[actors][session_system]") {
  open();
  ask(told("one", "be kind"));
  kept.saves.clear();
  ask(told("two", "be kind"));
  for (const auto& each : kept.saves)
    CHECK(each.keep >= 3); // nothing before is written again
  CHECK(stored() ==
        strings{"system be kind", "user one", "assistant ok", "user two", "assistant ok"});
}

TEST_CASE_METHOD(instructed, "a system prompt beside a whole history keeps what the chat knows",
                 "[actors][session_system]") {
  open();
  ask(told("one", "be kind"));
  auto more = told("one", "be kind");
  more.replaces_history = true;
  more.messages.push_back(message(role::assistant, "ok", ""));
  more.messages.push_back(message(role::user, "two", ""));
  kept.saves.clear();
  ask(std::move(more));
  for (const auto& each : kept.saves)
    CHECK(each.keep >= 3);
  CHECK(stored() ==
        strings{"system be kind", "user one", "assistant ok", "user two", "assistant ok"});
}

TEST_CASE_METHOD(instructed, "results of the client's tools may come with a system prompt",
                 "[actors][session_system]") {
  open();
  auto first = told("one", "be kind");
  first.options.max_tool_roundtrips = 0;
  send(std::move(first));
  run();
  answer({call_chunk(0, "a", "mine", "{}")});
  auto results = told("", "be brief");
  results.messages.front() = message(role::tool, "done", "");
  results.messages.front().tool_call_id = "a";
  ask(std::move(results));
  CHECK(contains(asked(), "be brief"));
  CHECK(stored() ==
        strings{"system be brief", "user one", "assistant ", "tool done", "assistant ok"});
}

} // namespace session_system_test

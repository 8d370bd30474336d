// A chat goes on after turns that came to nothing; what they asked still reaches the model.
#include "tests/actors/session/tools_fixture.hpp"

namespace session_no_answer_test {

using namespace troupe;
using namespace troupe::test;

namespace {

class unlucky_chat : public tools_fixture {
public:
  unlucky_chat() { open(); }

  fake_http::call& model() { return *http.calls.back(); }

  /// The question of the turn before is in the requests of this turn and the next.
  void goes_on() {
    auto got = send("second");
    CHECK(contains(body(), "[" + unanswered("first") + user("second") + "]"));
    answer({text_chunk("ok")});
    CHECK(got->names() == plain_turn);
    send("third");
    CHECK(contains(body(), "[" + unanswered("first") + user("second") +
                               R"(,{"role":"assistant","content":"ok"},)" + user("third") + "]"));
  }

  static std::string user(const std::string& text) {
    return R"({"role":"user","content":")" + text + R"("})";
  }

  static std::string unanswered(const std::string& text) {
    return user(text) + R"_(,{"role":"assistant","content":"(No answer was given.)"},)_";
  }
};

} // namespace

TEST_CASE_METHOD(unlucky_chat, "a turn that the model refused leaves a chat that goes on",
                 "[actors][session]") {
  send("first");
  model().head(400, "application/json");
  model().bytes(R"({"error":{"message":"no"}})");
  model().end();
  run();
  goes_on();
}

TEST_CASE_METHOD(unlucky_chat, "an answer without any text leaves a chat that goes on",
                 "[actors][session]") {
  send("first");
  answer({text_chunk("")});
  goes_on();
}

TEST_CASE_METHOD(unlucky_chat, "an answer of thoughts only leaves a chat that goes on",
                 "[actors][session]") {
  send("first");
  answer({R"({"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]})"});
  goes_on();
}

TEST_CASE_METHOD(unlucky_chat,
                 "an answer that broke off before any text leaves a chat that goes on",
                 "[actors][session]") {
  send("first");
  model().head(200, "text/event-stream");
  model().bytes("data: " + text_chunk("") + "\n\n");
  model().end(errc::connection_cut);
  run();
  goes_on();
}

TEST_CASE_METHOD(unlucky_chat, "a turn that was stopped before any text leaves a chat that goes on",
                 "[actors][session]") {
  send("first");
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  goes_on();
}

TEST_CASE_METHOD(unlucky_chat,
                 "a turn that was stopped behind its results leaves a chat that goes on",
                 "[actors][session]") {
  send("first");
  answer({call_chunk(0, "a", "echo", "{}")});
  end_call("result");
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  send("second");
  CHECK(contains(body(),
                 R"_("content":"result","tool_call_id":"a"},{"role":"assistant","content":)_"
                 R"_("(No answer was given.)"},{"role":"user","content":"second"}])_"));
}

TEST_CASE_METHOD(unlucky_chat, "a page's history without answers is sent as one that alternates",
                 "[actors][session]") {
  turn_request ask;
  ask.session_id = "s";
  ask.replaces_history = true;
  ask.messages = {user_message("one"), user_message(" "), user_message("two")};
  send(std::move(ask));
  run();
  CHECK(contains(body(), "[" + unanswered("one") + user("two") + "]"));
}

} // namespace session_no_answer_test

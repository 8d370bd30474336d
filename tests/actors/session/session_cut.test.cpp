// Turns that change the history: it is cut, or replaced by the client's.
#include "tests/actors/session/kept_chat.hpp"

namespace session_cut_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A chat with two rounds of question and answer: u1 a1 u2 a2, where a1 has used a tool.
class two_rounds : public kept_chat {
public:
  two_rounds() {
    settings.keeps = GENERATE(true, false);
    open();
    ask("one", "u1", "a1");
    answer({R"({"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]})",
            call_chunk(0, "c1", "echo", R"({ "x": 1 })")});
    end_call("result");
    answer({text_chunk("first")});
    ask("two", "u2", "a2");
    answer({text_chunk("second")});
    kept.saves.clear();
  }

  void ask(const std::string& text, const std::string& id, const std::string& answer_id) {
    turn_request made;
    made.session_id = "s";
    made.message_id = answer_id;
    made.messages.push_back(message(role::user, text, id));
    send(std::move(made));
    run();
  }

  std::shared_ptr<received> cut_at(const std::string& id, const std::string& text = "") {
    turn_request made;
    made.session_id = "s";
    made.cut_at = id;
    if (!text.empty())
      made.messages.push_back(message(role::user, text, "u9"));
    auto got = send(std::move(made));
    run();
    return got;
  }

  /// All of it as a client has it, which sends its arguments as it parsed them.
  std::vector<chat_message> as_sent() {
    std::vector<chat_message> all;
    all.push_back(message(role::user, "one", "u1"));
    all.push_back(message(role::assistant, "", "a1"));
    all.back().tool_calls = {{"c1", "echo", R"({"x":1})"}};
    all.push_back(message(role::tool, "result", "a1"));
    all.back().tool_call_id = "c1";
    all.push_back(message(role::assistant, "first", "a1"));
    all.push_back(message(role::user, "two", "u2"));
    all.push_back(message(role::assistant, "second", "a2"));
    return all;
  }

  std::shared_ptr<received> send_all(std::vector<chat_message> all) {
    turn_request made;
    made.session_id = "s";
    made.replaces_history = true;
    made.messages = std::move(all);
    auto got = send(std::move(made));
    run();
    return got;
  }

  /// What is saved keeps so many messages, where anything is saved.
  void check_keep(size_t expected) {
    if (settings.keeps)
      CHECK(kept.saves.at(0).keep == expected);
  }
};

} // namespace

TEST_CASE_METHOD(two_rounds, "an answer is made anew from where it is cut", "[actors][session]") {
  auto got = cut_at("a1");
  CHECK(got->names().front() == "SESSION_START");
  CHECK(contains(body(), R"("content":"one")"));
  CHECK_FALSE(contains(body(), "result"));
  CHECK_FALSE(contains(body(), "two"));
  check_keep(1);
  answer({text_chunk("anew")});
  if (settings.keeps)
    CHECK(stored() == strings{"user one", "assistant anew"});
}

TEST_CASE_METHOD(two_rounds, "a user's message is written anew", "[actors][session]") {
  cut_at("u2", "other");
  CHECK(contains(body(), "first"));
  CHECK(contains(body(), "other"));
  CHECK_FALSE(contains(body(), "two"));
  check_keep(4);
  answer({text_chunk("anew")});
  if (settings.keeps)
    CHECK(kept.data.load({"s"}).history.at(4).id == "u9");
}

TEST_CASE_METHOD(two_rounds, "a cut that leaves nothing to be answered is refused",
                 "[actors][session]") {
  CHECK(cut_at("nope")->refused.code == errc::request_invalid);
  CHECK(cut_at("u1")->refused.code == errc::request_invalid);
  CHECK(cut_at("u2")->refused.code == errc::request_invalid);
  CHECK(counts().running_turns == 0);
  CHECK(kept.saves.empty());
  CHECK(cut_at("a2")->refused.code == errc::none);
}

TEST_CASE_METHOD(two_rounds, "a client that sends all of its history changes none of it",
                 "[actors][session]") {
  auto all = as_sent();
  all.push_back(message(role::user, "three", "u3"));
  send_all(std::move(all));
  CHECK(contains(body(), R"({ \"x\": 1 })")); // as the model wrote it, for its cache
  check_keep(6);
  if (settings.keeps) {
    CHECK(kept.saves[0].more.size() == 1);
    CHECK(kept.data.load({"s"}).history.at(1).reasoning == "hm");
  }
}

TEST_CASE_METHOD(two_rounds, "what a client has changed is cut off where it begins",
                 "[actors][session]") {
  auto all = as_sent();
  SECTION("its last message is another") {
    all.resize(4);
    all.push_back(message(role::user, "other", "u7"));
    send_all(std::move(all));
    check_keep(4);
  }
  SECTION("it wants the last answer anew") {
    all.resize(5);
    send_all(std::move(all));
    check_keep(5);
  }
  SECTION("all of it is another") {
    send_all({message(role::user, "fresh", "")});
    check_keep(0);
  }
  CHECK_FALSE(contains(body(), "second"));
  answer({text_chunk("anew")});
  if (!settings.keeps)
    return;
  CHECK(openai_fault(kept.data.load({"s"}).history) == "");
  CHECK(stored().back() == "assistant anew");
  for (const auto& each : kept.data.load({"s"}).history)
    CHECK_FALSE(each.id.empty());
}

TEST_CASE_METHOD(two_rounds, "an answer that failed is made anew where it stood",
                 "[actors][session]") {
  ask("three", "u3", "a3");
  http.calls.back()->head(400, "application/json");
  http.calls.back()->end();
  run();
  REQUIRE(counts().running_turns == 0);
  CHECK(cut_at("a9")->refused.code == errc::request_invalid);
  CHECK(cut_at("a3")->names().front() == "SESSION_START");
  CHECK(contains(body(), "three"));
  answer({text_chunk("anew")});
  if (!settings.keeps)
    return;
  CHECK(stored().back() == "assistant anew");
  const auto history = kept.data.load({"s"}).history;
  const auto& asked = *(history.end() - 2);
  CHECK(asked.text == "three");
  CHECK(asked.shown.empty());
}

TEST_CASE_METHOD(two_rounds,
                 "what a client shows of its own messages is kept when nothing else has changed",
                 "[actors][session]") {
  auto all = as_sent();
  all[4].shown = {make_shown("metadata", R"({"rating":1})")};
  all.push_back(message(role::user, "three", "u3"));
  send_all(std::move(all));
  check_keep(4);
  if (!settings.keeps)
    return;
  const auto& history = kept.data.load({"s"}).history;
  REQUIRE(history.size() == 7);
  CHECK(history[4].shown == std::vector{make_shown("metadata", R"({"rating":1})")});
  CHECK(history[5].text == "second");
}

} // namespace session_cut_test

// Turns that begin with a prompt of an MCP server.
#include "tests/actors/session/tools_fixture.hpp"

namespace session_prompts_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class prompts : public tools_fixture {
public:
  prompts() { open(); }

  std::shared_ptr<received> begin(turn_request ask = request("first")) {
    ask.prompt = {"one", "review", {R"({"code":"x"})"}};
    auto got = send(std::move(ask));
    run();
    return got;
  }

  void give(mcp_answer what) {
    notes->ready.emplace_back(notes->asks.size() - 1, std::move(what));
    self->send(caf::actor_cast<fake_hub_actor>(tools), atom::tick_v);
    run();
  }

  static failure error_of(const received& got) {
    const auto* error = std::get_if<session_error>(&got.events.back());
    return error ? failure{error->error, error->error_text} : failure{};
  }
};

} // namespace

TEST_CASE_METHOD(prompts, "a prompt's messages follow those of the request", "[actors][session]") {
  auto got = begin();
  REQUIRE(notes->asks.size() == 1);
  CHECK(notes->asks[0].what.server == "one");
  CHECK(notes->asks[0].what.method == "prompts/get");
  CHECK(notes->asks[0].what.params.text == R"({"name":"review","arguments":{"code":"x"}})");
  CHECK(notes->lists.empty());
  CHECK(http.calls.empty());
  give({{}, {R"({"messages":[{"role":"user","content":{"type":"text","text":"review this"}},
        {"role":"assistant","content":{"type":"text","text":"which part?"}},
        {"role":"user","content":{"type":"resource","resource":{"uri":"file:///x",
         "text":"the file"}}}]})"}});
  REQUIRE(http.calls.size() == 1);
  auto at = [&](const char* text) { return body().find(text); };
  CHECK(at("first") < at("review this"));
  CHECK(at("review this") < at("which part?"));
  CHECK(at("which part?") < at("the file"));
  CHECK(contains(body(), "the file"));
  answer({text_chunk("ok")});
  CHECK(got->names() == plain_turn);
}

TEST_CASE_METHOD(prompts, "a prompt that cannot be had fails the turn with its reason",
                 "[actors][session]") {
  auto got = begin();
  SECTION("refused") {
    give({{errc::server_refused, "code is missing"}, {}});
    CHECK(error_of(*got).message == "The prompt 'review' of 'one' cannot be used: code is missing");
  }
  SECTION("broken") {
    give({{}, {R"({"messages":[{"role":"poet"}]})"}});
  }
  SECTION("empty") {
    give({{}, {R"({"messages":[]})"}});
  }
  SECTION("late") {
    advance(14'999ms);
    CHECK(got->names() == strings{"SESSION_START"});
    CHECK(notes->cancels.empty());
    advance(1ms);
    REQUIRE(notes->cancels.size() == 1);
    CHECK(notes->cancels[0].tool_call_id == notes->asks[0].what.id);
  }
  CHECK(error_of(*got).code == errc::prompt_failed);
  CHECK(http.calls.empty());
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(prompts, "an abort does not wait for a prompt, which has no effect then",
                 "[actors][session]") {
  auto got = begin();
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  CHECK(got->names() == strings{"SESSION_START", "ABORT", "SESSION_END"});
  REQUIRE(notes->cancels.size() == 1); // else it would hold a place at the server
  CHECK(notes->cancels[0].tool_call_id == notes->asks[0].what.id);
  CHECK_FALSE(notes->asks[0].what.id.empty());
  give({{}, {R"({"messages":[{"role":"user","content":"late"}]})"}});
  CHECK(http.calls.empty());
  send("next");
  CHECK_FALSE(contains(body(), "late"));
}

} // namespace session_prompts_test

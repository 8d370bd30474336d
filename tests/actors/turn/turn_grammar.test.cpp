#include "tests/actors/turn/turn_grammar.hpp"

#include "tests/support/catch.hpp"

namespace turn_grammar_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("what checks turns and histories in tests does find what is wrong", "[actors][turn]") {
  auto problem = [](const std::vector<event>& events) {
    turn_grammar grammar;
    for (const auto& each : events)
      grammar.read(each);
    grammar.finish();
    return grammar.problem;
  };
  session_start start{"m"};
  model_response_waiting waiting{0, "m"};
  CHECK(problem({start, waiting, model_generation_stop{}, session_end{}}) == "");
  CHECK(problem({waiting}) != "");
  CHECK(problem({start, waiting}) != "");
  CHECK(problem({start, waiting, session_end{}}) != "");
  CHECK(problem({start, abort_event{}, session_end{}, text_delta{"x"}}) != "");
  CHECK(problem({start, waiting, tool_args_start{"a", "f"}, abort_event{}, session_end{}}) != "");
  CHECK(problem({start, waiting, mcp_tool_error{}, abort_event{}, session_end{}}) != "");
  mcp_client_request question{"ask-1", "one", "elicitation/create", {"{}"}, 1000};
  CHECK(problem({start, waiting, question, abort_event{}, session_end{}}) != "");
  tool_args_complete own{"a", "f", {"{}"}, true, errc::none, ""};
  model_generation_stop stop{finish_reason::tool_calls, {}};
  CHECK(problem({start, waiting, tool_args_start{"a", "f"}, own, stop, session_end{}}) == "");
  CHECK(problem({start, waiting, tool_args_start{"a", "f"}, own, model_generation_stop{},
                 session_end{}}) != "");
  own.client_side = false;
  tool_approval_request ask{"appr_1", "a", "f", {"{}"}, 0};
  CHECK(problem({start, waiting, tool_args_start{"a", "f"}, own, stop, session_end{}}) != "");
  CHECK(problem({start, waiting, tool_args_start{"a", "f"}, own, ask, stop, session_end{}}) == "");
  CHECK(problem({start, waiting, tool_args_start{"a", "f"}, own, ask, abort_event{},
                 session_end{}}) != "");

  chat_message user{role::user, "hi", {}, {}, {}};
  chat_message call{role::assistant, "", {}, {{"a", "f", "{}"}}, {}};
  chat_message result{role::tool, "r", {}, {}, "a"};
  CHECK(history_problem({user, call, result}, false) == "");
  CHECK(history_problem({user, call}, true) == "");
  CHECK(history_problem({user, call}, false) != "");
  CHECK(history_problem({user, call, result, result}, false) != "");
  CHECK(history_problem({user, result}, false) != "");
}

} // namespace turn_grammar_test

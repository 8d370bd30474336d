// Random legal inputs of a turn: whatever happens, its events follow the grammar and its history is
// one that a strict provider takes.
#include <algorithm>
#include <optional>
#include <random>

#include "actors/turn.hpp"
#include "tests/actors/turn_grammar.hpp"
#include "tests/support/catch.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// The model, the tools and the user of one turn, all of them dice.
class random_world {
public:
  explicit random_world(uint32_t seed) : random_{seed} {
    history.push_back({role::user, "hi", {}, {}, {}});
    turn_request request;
    request.session_id = "s";
    request.turn_id = "t";
    request.options.max_tool_roundtrips = static_cast<int32_t>(below(5)) - 1;
    client_side = request.options.max_tool_roundtrips == 0;
    played.emplace(std::move(request), turn_limits{3, 40}, history);
  }

  void play() {
    played->begin();
    for (int step = 0; step < 60; ++step) {
      drain();
      if (chance(2))
        played->on_client_ask(question()); // of a call that may be over
      drain();
      if (chance(4))
        interrupt();
      else
        move();
    }
    drain();
    if (!played->over()) {
      played->abort("deadline");
      drain();
    }
    late();
    drain();
    grammar.finish();
  }

  turn_grammar grammar;
  std::vector<chat_message> history;
  bool client_side = false;
  std::optional<turn> played;
  size_t model_requests = 0;

private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  /// Takes what the turn has to say and what it wants done.
  void drain() {
    auto events = played->take_events();
    for (const auto& each : events)
      grammar.read(each);
    for (auto& each : played->take_calls())
      running_.push_back(each.tool_call_id);
    if (played->take_model_request()) {
      ++model_requests;
      answering_ = true;
      open_.clear();
    }
  }

  void interrupt() {
    running_.clear();
    answering_ = false;
    if (chance(50))
      played->abort("client");
    else
      played->fail({errc::internal, ""});
  }

  void move() {
    if (!started_) {
      tool_set tools;
      tools.tools = {{"echo", "", "{}", "one", "echo"}, {"sum", "", "{}", "two", "add"}};
      played->tools_ready(frozen<tool_set>{std::move(tools)});
      started_ = true;
    } else if (answering_) {
      model_says();
    } else if (!running_.empty()) {
      tool_says();
    }
  }

  void model_says() {
    model_output output;
    output.round = played->round();
    for (auto n = below(4); n > 0; --n)
      output.events.push_back(piece());
    if (chance(30)) {
      output.over = true;
      answering_ = false;
      if (chance(10))
        output.error = errc::model_stream_cut; // parts stay open
      else
        close_open(output.events);
      output.reason = static_cast<finish_reason>(below(6));
    }
    played->on_model(output);
  }

  event piece() {
    if (!open_.empty() && chance(60)) {
      auto id = open_[below(static_cast<uint32_t>(open_.size()))];
      if (chance(50))
        return tool_args_delta{id, "{"};
      return complete(id);
    }
    if (chance(40)) {
      auto id = "c" + std::to_string(++last_id_);
      open_.push_back(id);
      return tool_args_start{id, name(id)};
    }
    if (chance(30))
      return reasoning_delta{"hm"};
    return text_delta{"word"};
  }

  static std::string name(const std::string& id) {
    static const std::string names[] = {"echo", "sum", "nope"};
    return names[id.back() % 3];
  }

  event complete(const std::string& id) {
    static const std::string arguments[] = {"{}", R"({"a":[1]})", "", "[]", "{\"a\":", "null"};
    std::erase(open_, id);
    return tool_args_complete{id, name(id), {arguments[below(6)]}, false, errc::none, ""};
  }

  void close_open(std::vector<event>& out) {
    while (!open_.empty())
      out.push_back(complete(std::string{open_.front()}));
  }

  void tool_says() {
    auto at = below(static_cast<uint32_t>(running_.size()));
    auto id = running_[at];
    if (chance(40))
      return played->on_tool_progress({id, 1, 2, "half"});
    if (chance(20))
      return played->on_client_ask(question());
    running_.erase(running_.begin() + at);
    if (chance(70))
      played->on_tool_outcome(
          {id, errc::none, "a result that may be too long \xC3\xA9\xC3\xA9 for it", {"{}"}});
    else
      played->on_tool_outcome({id, errc::tool_timeout, "no answer", {}});
    if (chance(20)) // once more: it must not count
      played->on_tool_outcome({id, errc::none, "again", {}});
  }

  static client_ask question() { return {"ask-1", "one", "elicitation/create", "s", {"{}"}, 1000}; }

  /// Nothing that comes after the end may have an effect.
  void late() {
    model_output output;
    output.round = played->round();
    output.events.push_back(text_delta{"late"});
    output.over = true;
    played->on_model(output);
    played->on_tool_outcome({"c1", errc::none, "late", {}});
    played->on_tool_progress({"c1", 1, 2, "late"});
    played->on_client_ask(question());
    played->tools_ready({});
    played->abort("client");
    played->fail({errc::internal, ""});
  }

  std::mt19937 random_;
  std::vector<std::string> running_; ///< calls that have no outcome
  std::vector<std::string> open_;    ///< calls whose arguments are open
  int last_id_ = 0;
  bool started_ = false;
  bool answering_ = false;
};

} // namespace

TEST_CASE("whatever happens, a turn follows the grammar and leaves a history that is accepted",
          "[actors][turn]") {
  size_t rounds = 0;
  size_t calls = 0;
  for (uint32_t seed = 1; seed <= 5000; ++seed) {
    random_world world{seed};
    world.play();
    INFO("seed " << seed);
    REQUIRE(world.grammar.problem == "");
    REQUIRE(history_problem(world.history, world.client_side) == "");
    REQUIRE(world.played->running_calls().empty());
    rounds = std::max(rounds, world.model_requests);
    for (const auto& each : world.history)
      calls += each.tool_calls.size();
  }
  CHECK(rounds == 4); // the dice did reach the limit
  CHECK(calls > 1000);
}

TEST_CASE("the checks of this test do find what is wrong", "[actors][turn]") {
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

  chat_message call{role::assistant, "", {}, {{"a", "f", "{}"}}, {}};
  chat_message result{role::tool, "r", {}, {}, "a"};
  CHECK(history_problem({call, result}, false) == "");
  CHECK(history_problem({call}, true) == "");
  CHECK(history_problem({call}, false) != "");
  CHECK(history_problem({call, result, result}, false) != "");
  CHECK(history_problem({result}, false) != "");
}

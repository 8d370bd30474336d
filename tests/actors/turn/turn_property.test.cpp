// Random legal inputs of a chat's turns: whatever happens, their events follow the grammar and the
// history is one that a strict provider takes.
#include <algorithm>
#include <optional>
#include <set>

#include "actors/turn/approval_book.hpp"
#include "actors/turn/turn.hpp"
#include "tests/actors/turn/random_model.hpp"
#include "tests/actors/turn/turn_grammar.hpp"
#include "tests/support/catch.hpp"

namespace turn_property_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// The model, the tools and the user of some turns of one chat, all of them dice.
class random_world {
public:
  explicit random_world(uint32_t seed) : dice_{seed} {
    limits.max_tool_roundtrips = 3;
    limits.max_tool_text_bytes = 40;
    limits.max_calls_per_round = 1 + below(4);
    limits.max_identical_calls = 1 + below(2);
    limits.max_turn_bytes = 500 + below(20'000);
    limits.max_turn_tokens = chance(50) ? 0 : 60;
    limits.tool_timeout = 30s;
    limits.approval.timeout = 40s;
    if (chance(50))
      limits.approval.tools = {"two/add"};
  }

  /// Plays one turn; returns "" or what was wrong.
  std::string play() {
    auto resumed = take_up();
    std::vector<std::string> ids;
    for (const auto& each : resumed)
      ids.push_back(each.call.id);
    grammar = turn_grammar{ids};
    played.emplace(request(), limits, history, [this] { return now_; });
    started_ = false;
    model_.stop();
    running_.clear();
    asking_.clear();
    played->begin(std::move(resumed));
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
    end();
    if (grammar.problem.empty() && !played->running_calls().empty())
      return "calls still run";
    return grammar.problem.empty() ? history_problem(history, waits()) : grammar.problem;
  }

  /// Returns whether the client has still to say something about calls.
  bool waits() const { return stopped_ && !open_calls(history).empty(); }

  turn_grammar grammar;
  turn_limits limits;
  std::vector<chat_message> history;
  std::optional<turn> played;
  size_t model_requests = 0;
  std::set<errc> ends; ///< of calls and turns
  size_t offered = 0;
  size_t asked = 0;

private:
  uint32_t below(uint32_t limit) { return dice_.below(limit); }
  bool chance(uint32_t percent) { return dice_.chance(percent); }

  turn_request request() {
    turn_request made;
    made.session_id = "s";
    made.turn_id = "t";
    made.options.max_tool_roundtrips = static_cast<int32_t>(below(5)) - 1;
    made.options.approve_all = chance(10);
    made.options.approval_ends_turn = chance(50);
    return made;
  }

  /// The user says something new, or the client answers what it was asked.
  std::vector<planned_call> take_up() {
    std::vector<planned_call> resumed;
    model_requests = 0;
    if (history.empty() || open_calls(history).empty() || chance(30)) {
      repair_history(history);
      history.push_back({role::user, "hi", {}, {}, {}});
      book_.clear(history);
      return resumed;
    }
    std::vector<tool_approval> answers;
    for (const auto& each : approval_ids_)
      if (chance(80))
        answers.push_back({each, chance(60), "no"});
    if (chance(10))
      answers.push_back({"appr_unknown", true, ""});
    for (const auto& call : open_calls(history))
      if (offered_.contains(call.id) && chance(80))
        history.push_back({role::tool, "from the client", {}, {}, call.id});
    resumed = book_.answered(answers, open_calls(history), now_);
    repair_history(history);
    return resumed;
  }

  /// Takes what the turn has to say and what it wants done.
  void drain() {
    for (const auto& each : played->take_events()) {
      grammar.read(each);
      note(each);
    }
    for (auto& each : played->take_calls())
      running_.push_back(each.tool_call_id);
    if (played->take_model_request()) {
      ++model_requests;
      model_.ask();
    }
  }

  void note(const event& what) {
    if (const auto* error = std::get_if<mcp_tool_error>(&what))
      ends.insert(error->error);
    if (const auto* error = std::get_if<session_error>(&what))
      ends.insert(error->error);
    if (const auto* call = std::get_if<tool_args_complete>(&what))
      if (call->client_side && ++offered)
        offered_.insert(call->tool_call_id);
    if (const auto* ask = std::get_if<tool_approval_request>(&what)) {
      ++asked;
      asking_.push_back(ask->approval_id);
    }
    stopped_ = std::holds_alternative<session_end>(what) && !aborted_;
    aborted_ = std::holds_alternative<abort_event>(what);
  }

  void interrupt() {
    running_.clear();
    model_.stop();
    if (chance(50))
      played->abort("client");
    else
      played->fail({errc::internal, ""});
  }

  void end() {
    drain();
    if (!played->over())
      played->abort("deadline");
    drain();
    late();
    drain();
    grammar.finish();
    approval_ids_ = asking_;
    book_.keep(played->take_asking());
    now_ += std::chrono::seconds{below(60)};
  }

  void move() {
    if (chance(10))
      tick();
    else if (!started_)
      start();
    else if (model_.answering())
      listen();
    else if (!asking_.empty() && chance(40))
      user_says();
    else if (!running_.empty())
      tool_says();
  }

  void start() {
    tool_set tools;
    tools.tools = {{"echo", "", "{}", "one", "echo"},
                   {"mine", "", "{}", "", ""},
                   {"sum", "", "{}", "two", "add"}};
    played->tools_ready(frozen<tool_set>{std::move(tools)});
    started_ = true;
  }

  void tick() {
    now_ += std::chrono::seconds{below(20)};
    auto due = played->next_due() <= now_;
    auto was_over = played->over();
    for (const auto& id : played->expire())
      std::erase(running_, id);
    if (due && !was_over && !played->over() && played->next_due() <= now_)
      grammar.problem = "a deadline has passed without effect";
  }

  void user_says() {
    tool_approval answer{asking_[below(static_cast<uint32_t>(asking_.size()))], chance(60), ""};
    if (!played->request().options.approval_ends_turn || chance(50))
      played->on_approvals({answer, {"appr_unknown", true, ""}, answer});
  }

  void listen() {
    auto output = model_.says();
    played->on_model(output);
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
      played->on_tool_outcome({id, errc::tool_timeout, chance(50) ? "no answer" : "", {}});
    if (chance(20)) // once more: it must not count
      played->on_tool_outcome({id, errc::none, "again", {}});
  }

  static client_ask question() { return {"ask-1", "one", "elicitation/create", "s", {"{}"}, 1000}; }

  /// Nothing that comes after the end may have an effect.
  void late() {
    model_output output;
    output.events.push_back(text_delta{"late"});
    output.over = true;
    played->on_model(output);
    played->on_tool_outcome({"c1", errc::none, "late", {}});
    played->on_tool_progress({"c1", 1, 2, "late"});
    played->on_client_ask(question());
    for (const auto& each : asking_)
      played->on_approvals({{each, true, ""}});
    played->tools_ready({});
    played->abort("client");
    played->fail({errc::internal, ""});
  }

  dice dice_;
  random_model model_{dice_};
  turn::time_point now_{1h};
  approval_book book_;
  std::vector<std::string> approval_ids_; ///< of the turn before
  std::vector<std::string> asking_;       ///< approvals that were asked for
  std::set<std::string> offered_;         ///< calls that are the client's
  std::vector<std::string> running_;      ///< calls that have no outcome
  bool started_ = false;
  bool stopped_ = false; ///< the turn came to its own end
  bool aborted_ = false;
};

} // namespace

TEST_CASE("whatever happens, turns follow the grammar and leave a history that is accepted",
          "[actors][turn]") {
  size_t rounds = 0;
  size_t calls = 0;
  size_t waiting = 0;
  size_t offered = 0;
  size_t asked = 0;
  std::set<errc> ends;
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    random_world world{seed};
    for (int i = 0; i < 3; ++i) {
      INFO("seed " << seed << ", turn " << i);
      REQUIRE(world.play() == "");
      rounds = std::max(rounds, world.model_requests);
      waiting += world.waits() ? 1 : 0;
    }
    for (const auto& each : world.history)
      calls += each.tool_calls.size();
    ends.merge(world.ends);
    offered += world.offered;
    asked += world.asked;
  }
  CHECK(rounds == 4); // the dice did reach the limit
  CHECK(calls > 1000);
  CHECK(waiting > 100);
  CHECK(offered > 100);
  CHECK(asked > 100);
  for (auto each : {errc::tool_denied, errc::tool_timeout, errc::too_many_tool_calls,
                    errc::tool_calls_repeated, errc::turn_limit_reached, errc::tool_unknown}) {
    INFO(to_string(each));
    CHECK(ends.contains(each));
  }
}

} // namespace turn_property_test

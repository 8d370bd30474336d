// Random turns of one chat with a store that fails at random: whenever all is quiet, the store has
// the session's history, each turn once, and what providers accept.
#include <algorithm>

#include "tests/actors/session/kept_chat.hpp"
#include "tests/actors/turn/random_model.hpp"

namespace session_store_property_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class random_store : public kept_chat {
public:
  void begin(uint32_t seed) {
    dice_ = dice{seed};
    settings.waits_saved = dice_.chance(70);
    kept.answers_loads = kept.answers_saves = false;
    open();
  }

  /// Some turn of the chat; returns "" or what was wrong.
  std::string play() {
    auto got = send(some_request());
    run();
    auto calls = notes->calls.size();
    answered_ = http.calls.size();
    for (int step = 0; step < 200 && counts().running_turns > 0; ++step) {
      if (auto bad = move(); !bad.empty())
        return bad;
    }
    calls_ += notes->calls.size() - calls;
    if (counts().running_turns > 0)
      return "the turn does not end";
    failed_ += std::holds_alternative<session_error>(got->events.empty() ? event{session_end{}}
                                                                         : got->events.back());
    return recover(*got);
  }

  size_t failures = 0, calls_ = 0, failed_ = 0, turns = 0, ended = 0;

private:
  turn_request some_request() {
    auto made = request("question " + std::to_string(++turns));
    auto history = kept.data.load({"s"}).history;
    made.options.resumable = dice_.chance(20);
    made.turn_id = "t" + std::to_string(turns);
    if (dice_.chance(20) && !history.empty()) {
      history.resize(dice_.below(static_cast<uint32_t>(history.size())));
      history.push_back(made.messages[0]);
      made.messages = std::move(history);
      made.replaces_history = true;
    } else if (dice_.chance(20) && !history.empty()) {
      made.cut_at = history[dice_.below(static_cast<uint32_t>(history.size()))].id;
    }
    return made;
  }

  std::string move() {
    if (!kept.loading.empty())
      load();
    else if (!kept.waiting.empty() && dice_.chance(60))
      answer_one_save();
    else if (dice_.chance(3))
      stop();
    else if (notes->calls.size() > done_ && dice_.chance(50))
      end_calls();
    else if (http.calls.size() > answered_)
      model_says();
    return asked_too_early();
  }

  void answer_one_save() {
    if (!dice_.chance(12))
      return save();
    ++failures;
    if (dice_.chance(50))
      return fail_save();
    answer_save(); // it is done, and nobody hears of it in time
    tell({errc::store_timeout, ""});
  }

  void stop() {
    self->send(hub, abort_turn{"s", "", "stop"});
    run();
  }

  void end_calls() {
    for (; done_ < notes->calls.size(); ++done_) {
      const auto& [call, sender] = notes->calls[done_];
      self->send(caf::actor_cast<tool_client_actor>(sender),
                 tool_outcome{call.tool_call_id, errc::none, "done", {"{}"}});
    }
    run();
  }

  void model_says() {
    auto which = answered_++;
    if (!http.calls[which]->deliver)
      return; // it was aborted
    strings chunks{text_chunk("words")};
    for (auto n = dice_.below(3); n > 0; --n) {
      auto number = std::to_string(++ids_);
      chunks.push_back(
          call_chunk(static_cast<int>(n), "c" + number, "echo", R"({"n":)" + number + "}"));
    }
    http.calls[which]->stream(chunks);
    run();
  }

  /// What is waited for was done before the model or a tool could know of it.
  std::string asked_too_early() {
    if (!settings.waits_saved)
      return "";
    auto is_stored = [this](const std::string& id) {
      for (const auto& each : kept.data.load({"s"}).history)
        for (const auto& call : each.tool_calls)
          if (call.id == id)
            return true;
      return false;
    };
    for (; checked_calls_ < notes->calls.size(); ++checked_calls_)
      if (!is_stored(notes->calls[checked_calls_].first.tool_call_id))
        return "a call was started before it was kept";
    for (; checked_requests_ < http.calls.size(); ++checked_requests_)
      if (!contains(http.calls[checked_requests_]->request.body,
                    kept.data.load({"s"}).history.back().text))
        return "the model knows less than the store";
    return "";
  }

  /// Everything works again.
  std::string recover(const received& got) {
    for (int round = 0; round < 20; ++round) {
      while (!kept.waiting.empty())
        save();
      tell({});
    }
    auto stored = kept.data.load({"s"});
    if (auto bad = openai_fault(stored.history); !bad.empty())
      return bad;
    const auto& all = kept.data.find("s")->kept.turns;
    auto refused = got.refused.code != errc::none;
    if (refused != (std::find_if(all.begin(), all.end(), [this](const auto& each) {
                      return each.turn_id == "t" + std::to_string(turns);
                    }) == all.end()))
      return "the turn is not in the store, or it was refused";
    for (const auto& each : all)
      if (each.state == turn_state::running)
        return "a turn still runs in the store";
    return same_as_session(stored.history);
  }

  /// The next turn asks the model with what the session has: it is what the store has.
  std::string same_as_session(const std::vector<chat_message>& stored) {
    ++turns;
    ++ended;
    auto asked = http.calls.size();
    send("check");
    while (!kept.waiting.empty())
      save();
    if (http.calls.size() != asked + 1)
      return "the model was not asked";
    auto now = kept.data.load({"s"}).history;
    if (now.size() != stored.size() + 1 || !std::equal(stored.begin(), stored.end(), now.begin()))
      return "the session has another history";
    answered_ = checked_requests_ = http.calls.size();
    answer({text_chunk("checked")});
    while (!kept.waiting.empty())
      save();
    return counts().running_turns == 0 ? "" : "the check does not end";
  }

  dice dice_{0};
  size_t answered_ = 0, done_ = 0, checked_calls_ = 0, checked_requests_ = 0;
  int ids_ = 0;
};

} // namespace

TEST_CASE("whatever fails, the store and the session come to have the same",
          "[actors][session_store]") {
  size_t failures = 0, calls = 0, failed = 0, turns = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    random_store world;
    world.begin(seed);
    for (int i = 0; i < 8; ++i) {
      INFO("seed " << seed << ", turn " << i);
      REQUIRE(world.play() == "");
    }
    failures += world.failures;
    calls += world.calls_;
    failed += world.failed_;
    turns += world.ended;
  }
  CHECK(turns == 480);
  CHECK(failures > 100);
  CHECK(calls > 100);
  CHECK(failed > 50);
}

} // namespace session_store_property_test

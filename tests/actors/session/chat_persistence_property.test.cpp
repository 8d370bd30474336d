// Random lives of one chat, without an actor: its persistence against a store that fails, loses
// answers, and is written by others. 100,000 steps.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <variant>

#include "actors/session/chat_persistence.hpp"
#include "tests/actors/turn/random_model.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/memory_data.hpp"

namespace chat_persistence_property_test {

using namespace troupe;
using namespace troupe::test;

namespace {

chat_message message(role who, std::string text) {
  chat_message made;
  made.who = who;
  made.id = "id-" + text;
  made.text = std::move(text);
  return made;
}

/// What a session does around its persistence, with a turn that is two flags.
class random_chat {
public:
  explicit random_chat(uint32_t seed) : dice_{seed} {
    settings_.keeps = true;
    settings_.waits_saved = dice_.chance(80);
    settings_.has_quota = dice_.chance(50);
    settings_.models["m"] = {};
    settings_.default_model = "m";
    restart();
  }

  /// Does something that can happen now; returns "" or what is wrong.
  std::string step() {
    const auto what = dice_.below(100);
    if (what < 40)
      store_works(dice_.chance(75));
    else if (what < 55)
      begin_turn();
    else if (what < 85)
      model_answers();
    else if (what < 88)
      abort();
    else if (what < 92)
      others_write();
    else if (what < 93)
      restart(); // as after a crash: the memory is gone, what is on its way to the store is not
    else if (what < 96)
      store_recovers();
    return problem_.empty() ? check_store() : problem_;
  }

  /// Everything works from now on, and nobody asks for more.
  std::string settle() {
    for (int i = 0; i < 60; ++i) {
      abort();
      store_works(true);
      store_recovers();
    }
    if (turn_ || persistence_->waiting() || !asked_.empty())
      return "the chat does not come to rest";
    if (persistence_->is_loaded() && persistence_->is_unsaved(history_.size()))
      return "something stays unsaved";
    if (persistence_->is_loaded() && texts_of(history_) != stored())
      return "the session and the store differ";
    const auto* chat = data_.find("s");
    for (const auto& each : chat ? chat->kept.turns : std::vector<turn_record>{})
      if (each.state == turn_state::running && persistence_->is_loaded())
        return "a turn still runs in the store";
    return check_store();
  }

  std::map<std::string, size_t> counts; ///< how often what happened

private:
  struct question {
    std::variant<load_chat, save_chat> what;
    size_t session; ///< which of them asked
  };

  struct simple_turn {
    turn_request request;
    bool wants_model = true, asked = false, over = false;
    failure error = {};
    std::vector<std::string> said = {}; ///< kept, as far as the client knows once the turn is over
    std::vector<event> events = {};
  };

  // -- the session's side

  void restart() {
    ++session_;
    persistence_ = std::make_unique<chat_persistence>();
    persistence_->configure(settings_);
    history_.clear();
    turn_.reset();
    ++counts["sessions"];
  }

  void begin_turn() {
    if (turn_ || persistence_->waiting())
      return;
    start_turn ask;
    ask.request.session_id = "s";
    ask.request.turn_id = "t" + std::to_string(++made_);
    ask.request.options.model = dice_.chance(50) ? "m" : "";
    ask.request.options.resumable = dice_.chance(30); // brings nothing with the load
    ask.request.messages.push_back(message(role::user, "q" + std::to_string(made_)));
    ++counts["turns"];
    if (!persistence_->prepare(ask.request))
      return run(std::move(ask.request), nullptr);
    persistence_->wait(std::move(ask));
    load();
  }

  void load() {
    if (auto ask = persistence_->take_load("s"))
      asked_.push_back({std::move(*ask), session_});
  }

  void run(turn_request request, const loading_turn* loaded) {
    simple_turn made{std::move(request)};
    for (auto& each : made.request.messages) {
      made.said.push_back(each.text);
      history_.push_back(each);
    }
    persistence_->begin(made.request, history_.size(), loaded);
    turn_ = std::move(made);
    advance();
  }

  bool waits() const { return persistence_->holds(history_.size()); }

  /// As session_state::advance().
  void advance() {
    if (!turn_)
      return;
    const auto keeps = persistence_->keeps_turn();
    if (keeps && turn_->over && !persistence_->has_ended())
      persistence_->end(report(), turn_->error);
    static_cast<void>(persistence_->holds_begin(history_.size()));
    auto more = std::exchange(turn_->events, {});
    if (turn_->over && waits())
      persistence_->hold_end(more);
    tell(more);
    if (keeps)
      save();
    if (!waits()) {
      pass_save_point();
      tell(persistence_->take_held());
    }
    if (turn_->over && !waits())
      end_turn();
  }

  void pass_save_point() {
    if (settings_.waits_saved && persistence_->keeps_turn() && turn_->error.code == errc::none &&
        stored() != texts_of(history_))
      problem_ = "the turn goes on with something that is not durable";
    if (!turn_->over && turn_->wants_model) {
      turn_->wants_model = false;
      turn_->asked = true;
    }
  }

  turn_report report() const {
    turn_report made;
    made.session_id = "s";
    made.turn_id = turn_->request.turn_id;
    made.error = turn_->error.code;
    return made;
  }

  void end_turn() {
    persistence_->tell_over(history_.size());
    if (persistence_->has_ended())
      persistence_->take_report();
    turn_.reset();
    if (persistence_->state() == chat_persistence::phase::outdated)
      forget();
  }

  void forget() {
    history_.clear();
    persistence_->forget();
    ++counts["forgotten"];
  }

  /// The client hears of these.
  void tell(const std::vector<event>& events) {
    for (const auto& each : events)
      if (std::holds_alternative<session_end>(each) && settings_.waits_saved) {
        acknowledged_.insert(turn_->said.begin(), turn_->said.end());
        ++counts["acknowledged"];
      }
  }

  void model_answers() {
    if (!turn_ || !turn_->asked)
      return;
    turn_->asked = false;
    auto text = "a" + std::to_string(++made_);
    turn_->said.push_back(text);
    history_.push_back(message(role::assistant, text));
    if (dice_.chance(40)) { // there is a tool round
      turn_->wants_model = true;
      return advance();
    }
    close();
  }

  void close() {
    turn_->over = true;
    turn_->wants_model = turn_->asked = false;
    turn_->events = {model_generation_stop{}, session_end{}};
    advance();
  }

  void abort() {
    if (auto* start = persistence_->waiting())
      return start->abort({"s", "", "stop"});
    if (!turn_ || turn_->over)
      return;
    ++counts["aborted"];
    turn_->error = {errc::aborted, ""};
    close();
  }

  void save() {
    auto chat = persistence_->take_save("s", history_);
    if (!chat)
      return;
    for (const auto& each : asked_)
      if (each.session == session_ && std::holds_alternative<save_chat>(each.what))
        problem_ = "two saves are under way";
    asked_.push_back({std::move(*chat), session_});
    ++counts["saves"];
  }

  void fail_turn(const failure& why) {
    turn_->error = why;
    if (persistence_->fail_end(why))
      return;
    turn_->over = true;
    turn_->wants_model = turn_->asked = false;
    turn_->events = {session_error{why.code, "", false}};
  }

  void on_unsaved(const failure& why) {
    if (turn_ && settings_.waits_saved)
      fail_turn(why);
    advance();
  }

  void on_answer(const save_answer& answer) {
    switch (persistence_->on_saved(answer, history_.size())) {
    case chat_persistence::save_result::failed:
      return on_unsaved(answer.error);
    case chat_persistence::save_result::chat_changed:
      ++counts["changed"];
      if (!turn_)
        return forget();
      fail_turn(answer.error);
      return advance();
    case chat_persistence::save_result::turn_refused:
    case chat_persistence::save_result::stale:
      return on_refused();
    case chat_persistence::save_result::saved:
      if (!turn_)
        save();
      return advance();
    case chat_persistence::save_result::not_ours:
      return;
    }
  }

  /// As session_state::on_refused(): the turn never was.
  void on_refused() {
    ++counts["over quota"];
    if (turn_ && (turn_->asked || turn_->said.size() > 1))
      problem_ = "a turn is refused that has begun";
    if (turn_)
      persistence_->tell_over(history_.size());
    turn_.reset();
    forget();
  }

  void on_answer(chat_record& record) {
    if (!persistence_->is_answer(record))
      return;
    if (record.error)
      return refuse();
    persistence_->on_record(record, history_);
    auto start = persistence_->take_waiting();
    if (!start)
      return;
    if (record.version == 0 && dice_.chance(20))
      others_write(); // an import, say
    if (start->begun)
      ++counts["begun"];
    run(start->ask.request, start.get());
    if (!start->aborted.empty())
      abort();
  }

  void refuse() {
    persistence_->on_load_failed();
    persistence_->take_waiting();
    ++counts["refused"];
  }

  // -- the store's side

  void store_works(bool well) {
    if (asked_.empty())
      return;
    auto next = std::move(asked_.front());
    asked_.pop_front();
    const auto how = well ? 0 : dice_.below(4); // done, refused, lost before, lost after
    std::visit([&](auto& what) { answer(what, how, next.session == session_); }, next.what);
  }

  void answer(const save_chat& what, uint32_t how, bool is_heard) {
    const auto why = how == 1 && what.begins ? errc::quota_used_up : errc::store_full;
    save_answer out{"s", what.number, 0, {why, ""}};
    if (how == 0 || how == 3)
      out = data_.save(what);
    deliver(out, how, is_heard);
  }

  /// As the conversation_store: a first save that fails is no error of the load, unless nobody can
  /// look then whether the chat is new. It may be kept all the same.
  void answer(const load_chat& what, uint32_t how, bool is_heard) {
    auto out = data_.load(what);
    const bool is_away = what.number % 2 == 0;
    if (how == 1 && what.number % 4 == 0 && out.version == 0 && !what.first.session_id.empty())
      data_.save(what.first);
    if (how == 1 && (is_away || what.first.session_id.empty()))
      out.error = {errc::store_failed, ""};
    if ((how == 0 || how == 3) && out.version == 0 && !what.first.session_id.empty()) {
      out.version = data_.save(what.first).version;
      out.kept_turn = what.first.turn.turn_id;
    }
    deliver(out, how, is_heard);
  }

  template <class Answer>
  void deliver(Answer& out, uint32_t how, bool is_heard) {
    if (!is_heard)
      return;
    if (how < 2)
      return on_answer(out);
    ++counts["lost"];
    store_is_lost({errc::store_timeout, ""});
    if (dice_.chance(50))
      on_answer(out); // it comes too late
  }

  /// As session_state::on_store().
  void store_is_lost(const failure& why) {
    if (persistence_->state() == chat_persistence::phase::loading)
      return refuse();
    if (persistence_->on_store_lost())
      on_unsaved(why);
  }

  void store_recovers() {
    if (!persistence_->is_loaded())
      return;
    persistence_->retry();
    if (turn_)
      return advance();
    save();
  }

  /// The chat is changed while its session rests, or before its session knows that it exists.
  void others_write() {
    const auto is_new = data_.find("s") == nullptr;
    const auto rests = asked_.empty() && !turn_ && !persistence_->waiting() &&
                       (!persistence_->is_loaded() || !persistence_->is_unsaved(history_.size()));
    if (!is_new && !rests)
      return;
    auto chat = data_.load({"s"});
    save_chat made;
    made.session_id = "s";
    made.keep = chat.history.size();
    made.more.push_back(message(role::user, "x" + std::to_string(++made_)));
    acknowledged_.insert(made.more[0].text);
    data_.save(made);
    ++counts["changes"];
    if (!is_new)
      restart(); // the hub ends it
  }

  // -- what must be true

  static std::vector<std::string> texts_of(const std::vector<chat_message>& history) {
    std::vector<std::string> out;
    for (const auto& each : history)
      out.push_back(each.text);
    return out;
  }

  std::vector<std::string> stored() { return texts_of(data_.load({"s"}).history); }

  std::string check_store() {
    auto texts = stored();
    std::set<std::string> seen;
    for (const auto& each : texts)
      if (!seen.insert(each).second)
        return "the store has " + each + " twice";
    for (const auto& each : acknowledged_)
      if (seen.count(each) == 0)
        return "the store has lost " + each;
    return problem_;
  }

  dice dice_;
  chat_settings settings_;
  std::unique_ptr<chat_persistence> persistence_;
  std::vector<chat_message> history_;
  std::optional<simple_turn> turn_;
  std::deque<question> asked_; ///< of the store, in order, without an answer
  memory_data data_;
  std::set<std::string> acknowledged_;
  std::string problem_;
  size_t session_ = 0, made_ = 0;
};

} // namespace

TEST_CASE("whatever the store does, what is acknowledged is kept once, and in time",
          "[actors][chat_persistence]") {
  std::map<std::string, size_t> counts;
  for (uint32_t seed = 1; seed <= 1000; ++seed) {
    random_chat chat{seed};
    for (int step = 0; step < 100; ++step) {
      INFO("seed " << seed << ", step " << step);
      REQUIRE(chat.step() == "");
    }
    INFO("seed " << seed << ", at rest");
    REQUIRE(chat.settle() == "");
    for (const auto& [what, times] : chat.counts)
      counts[what] += times;
  }
  for (const auto* what : {"turns", "acknowledged", "saves", "lost", "aborted", "begun", "refused",
                           "changes", "changed", "forgotten", "sessions", "over quota"}) {
    INFO(what << ": " << counts[what]);
    CHECK(counts[what] > 50);
  }
}

} // namespace chat_persistence_property_test

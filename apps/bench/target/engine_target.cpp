#include "apps/bench/target/engine_target.hpp"

#include <atomic>
#include <optional>
#include <utility>
#include <variant>

#include "apps/bench/target/chat_history.hpp"
#include "apps/bench/target/posted_turn.hpp"
#include "messages/utf8.hpp"

namespace troupe::bench {

namespace {

using std::chrono::seconds;

constexpr seconds servers_limit{30};

/// A turn's state for the engine's callback, which runs on one thread at a time.
struct engine_turn {
  std::shared_ptr<posted_turn> to;
  event_observations observations;
  std::atomic<bool> stop_expected{false};

  void take(const event_batch& batch) {
    std::vector<turn_observation> made;
    observations.read(batch, std::chrono::steady_clock::now(), stop_expected, made);
    to->tell(std::move(made));
  }
};

class running_engine_turn final : public running_turn {
public:
  running_engine_turn(engine* home, std::shared_ptr<engine_turn> turn, std::string session_id)
      : home_{home}, turn_{std::move(turn)}, session_id_{std::move(session_id)} {}

  ~running_engine_turn() override {
    const bool over = turn_->to->over();
    turn_->to->let_go();
    if (!over && home_ != nullptr)
      home_->abort(session_id_);
  }
  running_engine_turn(const running_engine_turn&) = delete;
  running_engine_turn& operator=(const running_engine_turn&) = delete;

  bool cancel() override {
    if (turn_->to->over() || home_ == nullptr)
      return false;
    turn_->stop_expected = true;
    home_->abort(session_id_);
    return true;
  }

  /// An engine's callback is never made to wait.
  void pause() override {}
  void resume() override {}

private:
  engine* home_;
  std::shared_ptr<engine_turn> turn_;
  std::string session_id_;
};

turn_request request_of(const turn_ask& ask, const target_spec& to) {
  turn_request made;
  made.session_id = ask.session_id;
  made.options.model = to.model;
  made.options.parameters = to.parameters;
  chat_history before;
  if (ask.number == 0)
    before.make_up(ask.history);
  for (const auto& each : before.messages()) // made up, so that nothing in it is escaped
    made.messages.push_back({each.who, each.text, {}, {}, {}});
  made.replaces_history = !made.messages.empty();
  made.messages.push_back({role::user, ask.text, {}, {}, {}});
  return made;
}

class engine_target final : public target {
public:
  engine_target(engine* home, failure wrong, const target_spec& to, loop& lane)
      : home_{home}, wrong_{std::move(wrong)}, to_{to}, lane_{lane} {}

  std::unique_ptr<running_turn> start(const turn_ask& ask, watcher watch) override {
    auto turn = std::make_shared<engine_turn>();
    turn->to = std::make_shared<posted_turn>(lane_, std::move(watch));
    if (home_ != nullptr)
      home_->start_turn(request_of(ask, to_),
                        [turn](const event_batch& batch) { turn->take(batch); });
    else
      turn->to->tell({observation_of(wrong_)});
    return std::make_unique<running_engine_turn>(home_, std::move(turn), ask.session_id);
  }

private:
  engine* home_;
  failure wrong_;
  const target_spec& to_;
  loop& lane_;
};

/// Returns the observation of an event that has one and is not terminal.
std::optional<observed> observed_in(const event& what) {
  if (std::holds_alternative<text_delta>(what))
    return observed::text;
  if (std::holds_alternative<tool_args_complete>(what))
    return observed::arguments_end;
  if (std::holds_alternative<mcp_tool_start>(what))
    return observed::tool_start;
  if (std::holds_alternative<mcp_tool_success>(what) ||
      std::holds_alternative<mcp_tool_error>(what))
    return observed::tool_end;
  if (std::holds_alternative<model_response_waiting>(what))
    return observed::model_request;
  return std::nullopt;
}

/// Returns the last observation, if the event is the last one.
std::optional<turn_observation> last_observation(const event& what, bool ends_well) {
  turn_observation made;
  if (const auto* failed = std::get_if<session_error>(&what)) {
    made.what = observed::failed;
    made.code = failed->error;
    made.text = utf8_prefix(failed->error_text, max_observed_text_bytes);
    return made;
  }
  const auto* ended = std::get_if<session_end>(&what);
  if (ended == nullptr)
    return std::nullopt;
  made.used = ended->used;
  made.what = ends_well ? observed::end : observed::failed;
  made.code = ends_well ? errc::none : errc::aborted;
  return made;
}

} // namespace

failure read_target_config(const target_spec& target, engine_config& out) {
  if (target.config.empty())
    return {};
  return target.config.front() == '{' ? parse_config(target.config, out)
                                      : load_config(target.config, out);
}

std::unique_ptr<engine> make_engine(engine_config config, failure& why) {
  try {
    return std::make_unique<engine>(std::move(config));
  } catch (const std::exception& bad) {
    why = {errc::config_invalid, bad.what()};
    return nullptr;
  }
}

engine_targets::engine_targets(const bench_plan& plan) : plan_{plan} {
  engine_config config;
  wrong_ = read_target_config(plan.target, config);
  if (wrong_)
    wrong_.code = errc::config_invalid;
  else
    engine_ = make_engine(std::move(config), wrong_);
}

failure engine_targets::check() {
  if (engine_)
    engine_->wait_for_servers(servers_limit);
  return wrong_;
}

std::unique_ptr<target> engine_targets::make(loop& lane) {
  return std::make_unique<engine_target>(engine_.get(), wrong_, plan_.target, lane);
}

void event_observations::read(const event_batch& batch, time_point at, bool stop_expected,
                              std::vector<turn_observation>& out) {
  const auto add = [&](turn_observation made) {
    made.at = at;
    made.bytes = bytes_;
    out.push_back(std::move(made));
  };
  if (!begun_ && !batch.events.empty()) {
    begun_ = true;
    add({});
  }
  for (const auto& each : batch.events) {
    if (const auto* said = std::get_if<text_delta>(&each))
      bytes_ += said->text.size();
    aborted_ = aborted_ || std::holds_alternative<abort_event>(each);
    if (auto last = last_observation(each, !aborted_ || stop_expected)) {
      add(std::move(*last));
    } else if (auto what = observed_in(each)) {
      if (what == observed::text && !out.empty() && out.back().what == observed::text) {
        ++out.back().count;
        out.back().bytes = bytes_;
        continue;
      }
      turn_observation made;
      made.what = *what;
      add(std::move(made));
    }
  }
}

} // namespace troupe::bench

#include "apps/bench/target/http/http_target.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/target/environment_proxy.hpp"
#include "apps/bench/target/listening_process.hpp"
#include "apps/bench/target/target_address.hpp"

namespace troupe::bench {

namespace {

constexpr size_t max_chats = 200'000; ///< of one lane

/// How long the end of a body may take once the turn is over; then its connection is closed.
constexpr std::chrono::seconds end_of_body{1};

constexpr std::chrono::seconds probe_limit{10};

/// Collects the answer to a probe. A status of success is enough. Of any other status the body is
/// read, too, which may never end.
class probing {
public:
  void take(http_part&& part) {
    const std::lock_guard guard{mutex_};
    if (part.status != 0)
      status_ = part.status;
    body_ += part.bytes;
    is_over_ = is_over_ || part.last || (status_ >= 200 && status_ < 300);
    if (part.last && status_ == 0)
      error_ = {part.error, std::move(part.error_text)};
    changed_.notify_one();
  }

  /// Waits for the answer, at most probe_limit, and lets the dialect judge it.
  failure judge(const http_dialect& dialect, const std::string& url) {
    std::unique_lock guard{mutex_};
    changed_.wait_for(guard, probe_limit, [&] { return is_over_; });
    if (error_)
      return {errc::config_invalid, fmt::format("{}: {}", url, error_.text())};
    if (status_ == 0)
      return {errc::config_invalid,
              fmt::format("{} does not answer within {} s", url, probe_limit.count())};
    return dialect.judge(status_, body_);
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  uint16_t status_ = 0;
  std::string body_;
  failure error_;
};

} // namespace

/// The lane's owner object of a turn.
class http_target::handle final : public running_turn {
public:
  handle(http_target& home, std::shared_ptr<http_turn> turn, turn_place place)
      : home_{home}, turn_{std::move(turn)}, place_{std::move(place)} {}

  ~handle() override {
    turn_->let_go();
    if (!cancelled_ && !turn_->over())
      home_.forget(place_.session_id);
    if (!turn_->closed())
      home_.read_on(std::move(turn_));
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;

  bool cancel() override {
    if (turn_->over())
      return false;
    cancelled_ = true;
    const bool told = turn_->stop(home_.dialect_.stop(place_.session_id));
    if (!told)
      home_.settle(place_, turn_->reader(), true);
    return told;
  }

  void pause() override { turn_->pause(); }
  void resume() override { turn_->resume(); }

private:
  http_target& home_;
  std::shared_ptr<http_turn> turn_;
  turn_place place_;
  bool cancelled_ = false;
};

http_target::http_target(http_port& client, const http_dialect& dialect, uint32_t turns)
    : client_{client}, dialect_{dialect}, turns_{turns} {}

std::unique_ptr<running_turn> http_target::start(const turn_ask& ask, watcher watch) {
  auto history = history_of(ask);
  history->add_user(ask.text);
  const turn_place place{ask.session_id, ask.number};
  auto reader = dialect_.reader(keeps_chat(place) ? chat_history::max_text_bytes : 0);
  auto& read = *reader; // lives as long as the turn, which calls the lambda
  auto turn = std::make_shared<http_turn>(
      client_, std::move(reader),
      [this, &read, place, watch = std::move(watch)](const turn_observation& each) {
        if (is_last(each.what))
          settle(place, read, each.what == observed::end);
        watch(each);
      });
  turn->open(dialect_.ask(ask, *history));
  return std::make_unique<handle>(*this, std::move(turn), place);
}

/// Returns whether a later turn of the session will send this turn's messages.
bool http_target::keeps_chat(const turn_place& place) const {
  return dialect_.brings_history() && place.number + 1 < turns_;
}

std::shared_ptr<chat_history> http_target::history_of(const turn_ask& ask) {
  if (dialect_.brings_history() && turns_ > 1)
    if (auto known = chats_.find(ask.session_id); known != chats_.end() && ask.number > 0)
      return known->second;
  auto made = std::make_shared<chat_history>();
  if (ask.number == 0)
    made->make_up(ask.history);
  if (!keeps_chat({ask.session_id, ask.number}))
    return made;
  if (chats_.size() >= max_chats)
    chats_.erase(chats_.begin());
  chats_[ask.session_id] = made;
  return made;
}

/// Adds the answer of a turn that is over, or cancelled, to the chat.
void http_target::settle(const turn_place& place, answer_reader& said, bool well) {
  if (!well || !keeps_chat(place))
    return forget(place.session_id);
  auto text = said.take_text();
  if (auto known = chats_.find(place.session_id); known != chats_.end() && !text.empty())
    known->second->add_answer(std::move(text), said.message_id());
}

void http_target::forget(const std::string& session_id) {
  chats_.erase(session_id);
}

void http_target::read_on(std::shared_ptr<http_turn> turn) {
  const auto now = std::chrono::steady_clock::now();
  while (!ending_.empty() &&
         (ending_.front().second->closed() || ending_.front().first + end_of_body < now))
    ending_.pop_front();
  ending_.emplace_back(now, std::move(turn));
}

http_targets::http_targets(const bench_plan& plan, shards& lanes)
    : plan_{plan}, dialect_{make_dialect(plan.target)}, client_{lanes} {}

failure http_targets::check() {
  auto asked = std::make_shared<probing>();
  auto exchange = client_.open(dialect_->probe(), 0,
                               [asked](http_part&& part) { asked->take(std::move(part)); });
  return asked->judge(*dialect_, plan_.target.url);
}

std::unique_ptr<target> http_targets::make(loop&) {
  return std::make_unique<http_target>(client_, *dialect_, plan_.work.turns);
}

std::string http_targets::route_note() const {
  return proxy_note(plan_.target.url);
}

int http_targets::pid() const {
  return listening_process(loopback_port(plan_.target.url), host_of(plan_.target.url));
}

} // namespace troupe::bench

#include "apps/bench/target/http/http_target.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/target/listening_process.hpp"
#include "apps/bench/target/target_address.hpp"
#include "messages/ports/ports.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/provider/provider_error.hpp"

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

bool succeeded(uint16_t status) {
  return status >= 200 && status < 300;
}

} // namespace

/// One turn: reads the answer to one request and tells what it says. Lives on one loop; owned by
/// its handle, and after that by its target, until the body has ended, so that the connection can
/// be used again.
class http_turn : public std::enable_shared_from_this<http_turn> {
public:
  /// @param client must outlive the turn
  http_turn(http_port& client, std::unique_ptr<answer_reader> reader, target::watcher watch);

  /// Sends the request.
  void open(http_request request);

  /// Sends the request to stop the turn; the answer is then read to its end. Without a request
  /// closes the connection. @return whether a last observation follows
  bool stop(std::optional<http_request> request);

  void pause();
  void resume();

  /// Reports no more observations. A turn that is not over is cut off.
  void let_go();

  /// Returns whether the last observation was told.
  bool over() const noexcept { return told_last_; }

  /// Returns whether nothing is read any more: bodies have ended, or were cut off.
  bool closed() const noexcept { return exchange_ == nullptr && stop_ == nullptr; }

  answer_reader& reader() noexcept { return *reader_; }

private:
  void take(http_part&& part);
  void read(http_part& part);
  void read_refusal(http_part& part);
  void stop_answered(http_part&& part);
  void fail(errc code, std::string_view text);
  void tell(time_point at);
  void tell_last();

  http_port& client_;
  std::unique_ptr<answer_reader> reader_;
  target::watcher watch_;
  std::unique_ptr<http_exchange> exchange_;
  std::unique_ptr<http_exchange> stop_;
  answer_reader::observations observations_; ///< of the read at hand
  std::optional<turn_observation> held_; ///< the last observation, while the stop is not answered
  std::string refusal_;                  ///< body of an answer with an error status
  uint64_t bytes_ = 0;
  uint16_t status_ = 0;
  bool gone_ = false;
  bool told_last_ = false;
};

http_turn::http_turn(http_port& client, std::unique_ptr<answer_reader> reader,
                     target::watcher watch)
    : client_{client}, reader_{std::move(reader)}, watch_{std::move(watch)} {}

void http_turn::open(http_request request) {
  exchange_ = client_.open(std::move(request), 0, [this](http_part&& part) {
    auto self = shared_from_this();
    take(std::move(part));
  });
}

bool http_turn::stop(std::optional<http_request> request) {
  if (told_last_ || gone_)
    return false;
  if (!request) {
    gone_ = true;
    exchange_.reset();
    return false;
  }
  reader_->expect_stop();
  stop_ = client_.open(std::move(*request), 0, [this](http_part&& part) {
    auto self = shared_from_this();
    stop_answered(std::move(part));
  });
  return true;
}

/// A refused stop fails the turn, though the target goes on. A turn that ends meanwhile is held
/// until its stop is answered: a late stop would hit the chat's next turn.
void http_turn::stop_answered(http_part&& part) {
  const bool refused = part.status != 0 && !succeeded(part.status);
  if (!told_last_ && !held_ && (refused || part.error != errc::none)) {
    const auto why = refused ? refused_turn(part.status, part.bytes)
                             : failure{part.error, std::move(part.error_text)};
    fail(why.code, "the turn could not be stopped: " + why.text());
    tell(std::chrono::steady_clock::now());
  }
  if (!part.last)
    return;
  stop_.reset();
  if (held_)
    tell_last();
}

void http_turn::pause() {
  if (exchange_ && !told_last_)
    exchange_->pause();
}

void http_turn::resume() {
  if (exchange_)
    exchange_->resume();
}

void http_turn::let_go() {
  gone_ = true;
  watch_ = nullptr;
  if (!told_last_)
    exchange_.reset();
  else
    resume(); // a paused connection must read on to be used again
}

void http_turn::take(http_part&& part) {
  const auto now = std::chrono::steady_clock::now();
  if (part.status != 0)
    status_ = part.status;
  if (!held_) {
    if (bytes_ == 0 && !part.bytes.empty() && succeeded(status_))
      observations_.emplace_back();
    bytes_ += part.bytes.size();
    if (status_ == 0 || succeeded(status_))
      read(part);
    else
      read_refusal(part);
    tell(now);
  }
  if (part.last)
    exchange_.reset();
}

void http_turn::read(http_part& part) {
  reader_->feed(part.bytes, observations_);
  if (!part.last || reader_->over())
    return;
  if (part.error != errc::none)
    fail(part.error, part.error_text);
  else
    reader_->finish(observations_);
}

void http_turn::read_refusal(http_part& part) {
  if (refusal_.size() < max_error_body_bytes)
    refusal_ += part.bytes;
  if (!part.last)
    return;
  auto why = refused_turn(status_, refusal_);
  fail(why.code, why.text());
}

void http_turn::fail(errc code, std::string_view text) {
  auto& made = observations_.emplace_back();
  made.what = observed::failed;
  made.code = code;
  made.text = utf8_prefix(text, max_observed_text_bytes);
}

void http_turn::tell(time_point at) {
  for (auto& each : observations_) {
    if (gone_ || held_)
      break;
    each.at = at;
    each.bytes = bytes_;
    if (!is_last(each.what)) {
      watch_(each);
      continue;
    }
    held_ = std::move(each);
    if (!stop_)
      tell_last();
    break;
  }
  observations_.clear();
}

void http_turn::tell_last() {
  told_last_ = true;
  watch_(*held_);
}

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

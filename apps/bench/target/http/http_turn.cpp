#include "apps/bench/target/http/http_turn.hpp"

#include <utility>

#include "apps/bench/target/http/answer_failure.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::bench {

namespace {

bool succeeded(uint16_t status) {
  return status >= 200 && status < 300;
}

} // namespace

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

} // namespace troupe::bench

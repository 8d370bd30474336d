// The deadlines of a connection.
#include <algorithm>

#include "transport/http_server/server_connection.hpp"
#include "transport/http_server/server_shard.hpp"

namespace troupe {

namespace {

constexpr auto linger_time = std::chrono::milliseconds{2'000};

} // namespace

void server_connection::check_deadlines(clock::time_point now) {
  const auto lingered = phase_ == phase::lingering && now - since_ > linger_time;
  if (lingered || output_.is_stalled(socket_, now, home_.limits().stall_timeout))
    doomed_ = true;
  else if (phase_ == phase::answering)
    check_silence(now);
  else if (phase_ == phase::upgraded)
    doomed_ = !websocket_->check(now, receiving_) || (!receiving_ && socket_.is_left());
  else if (phase_ == phase::reading)
    check_request(now);
  if (doomed_)
    touch();
}

void server_connection::check_silence(clock::time_point now) {
  doomed_ = !receiving_ && socket_.is_left();
  if (!doomed_ && started_ && !comment_.empty() && is_flushed() &&
      now - std::max(since_, output_.moved()) >= home_.limits().keep_alive)
    write(comment_);
}

void server_connection::check_request(clock::time_point now) {
  if (!is_flushed()) { // an earlier answer is still being sent; is_stalled() watches it
    since_ = now;
    return;
  }
  const auto& limits = home_.limits();
  switch (reader_.now()) {
  case request_reader::state::idle:
    doomed_ = now - since_ > (served_ ? limits.idle_timeout : limits.header_timeout);
    break;
  case request_reader::state::head:
    if (now - since_ > limits.header_timeout)
      refuse(refusal::timeout);
    break;
  case request_reader::state::body:
    if (now - since_ > limits.body_timeout)
      refuse(refusal::timeout);
    break;
  }
}

} // namespace troupe

// The deadlines of a connection.
#include <algorithm>

#include "transport/http_server/server_connection.hpp"
#include "transport/http_server/server_shard.hpp"

namespace troupe {

namespace {

/// The limits for a client that was refused and still sends its body: for a silence, and for all of
/// it. A client on a slow line reads the answer only after it has sent everything.
constexpr auto linger_silence = std::chrono::milliseconds{2'000};
constexpr auto longest_linger = std::chrono::milliseconds{30'000};
/// The limit for the silence of an answer that began, while its client sends no more and may be
/// gone.
constexpr auto unheard_silence = std::chrono::milliseconds{2'000};

} // namespace

void server_connection::check_deadlines(clock::time_point now) {
  const auto lingered =
      phase_ == phase::lingering &&
      (now - std::max(since_, input_.moved()) > linger_silence || now - since_ > longest_linger);
  if (lingered || output_.is_stalled(socket_, now, home_.limits().stall_timeout))
    doomed_ = true;
  else if (phase_ == phase::answering)
    check_silence(now);
  else if (phase_ == phase::upgraded)
    check_websocket(now);
  else if (phase_ == phase::reading)
    check_request(now);
  if (doomed_)
    touch();
}

void server_connection::check_websocket(clock::time_point now) {
  const bool is_read = reading_.now() != client_reading::reader::nobody;
  doomed_ = !websocket_->check(now, is_read) || (!is_read && socket_.is_left());
}

void server_connection::check_silence(clock::time_point now) {
  const bool is_read = reading_.now() != client_reading::reader::nobody;
  const auto silence = now - std::max(since_, output_.moved());
  const bool unheard = now_.ended && now_.started && now_.comment.empty() && is_flushed() &&
                       silence > unheard_silence;
  doomed_ = unheard || (!is_read && socket_.is_gone());
  if (doomed_)
    return;
  if (!is_read && !now_.ended && is_flushed() && socket_.is_left())
    input_ended(false);
  if (now_.started && !now_.comment.empty() && is_flushed() && silence >= home_.limits().keep_alive)
    write(now_.comment);
}

void server_connection::check_request(clock::time_point now) {
  const auto& limits = home_.limits();
  if (!is_flushed()) // an earlier answer is still being sent; is_stalled() watches it
    input_.rest(now);
  else if (input_.is_idle())
    doomed_ =
        now - input_.moved() > (input_.has_served() ? limits.idle_timeout : limits.header_timeout);
  else if (input_.is_overdue(now))
    refuse(refusal::timeout);
}

} // namespace troupe

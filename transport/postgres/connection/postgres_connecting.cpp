// How a connection begins and ends.
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/connection/postgres_errors.hpp"
#include "transport/postgres/connection/postgres_target.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

constexpr int oldest_server = 130'000;
/// After a try that was in vain: who asks each second gets an answer.
constexpr milliseconds vain_pause{950};
/// A connection was of use if it was lost later than this.
constexpr std::chrono::seconds useful_time{15};

} // namespace

postgres_connection::postgres_connection(postgres_place at)
    : place_{std::move(at)}, hosts_{place_.url}, pauses_{std::random_device{}()} {}

postgres_connection::~postgres_connection() {
  drop();
  let_go();
}

void postgres_connection::let_go() {
  PQfinish(std::exchange(held_, nullptr)); // takes nullptr
}

void postgres_connection::drop() {
  PQfinish(std::exchange(handle_, nullptr)); // takes nullptr
  prepared_.clear();
}

/// Ends the connection and returns why it is of no use any more.
failure postgres_connection::lost() {
  std::string said = "the connection is lost";
  silent_ = handle_ != nullptr && deadline_.is_over();
  if (handle_ != nullptr && PQstatus(handle_) == CONNECTION_BAD && *PQerrorMessage(handle_) != '\0')
    said = PQerrorMessage(handle_);
  else if (silent_)
    said = "the database does not answer";
  if (silent_)
    pause_after_silence();
  const bool was_of_use = connected_ != clock::time_point::max();
  if (silent_ && holds_ && was_of_use && held_ == nullptr)
    held_ = std::exchange(handle_, nullptr);
  drop();
  state_.clear();
  const bool was_there = epoch_ > 0; // a program that has never reached it does not start
  auto out = postgres_failure({state_, said, doing_, place_.shown, was_there});
  if (silent_)
    last_loss_ = out;
  return out;
}

/// A server that took the connection and did not answer may be slow, and a new connection makes it
/// slower. One that TCP did not reach loses nothing by another try.
void postgres_connection::pause_after_silence() {
  const auto now = clock::now();
  if (now - connected_ >= useful_time)
    pauses_.forget();
  const bool had_been_there = connected_ != clock::time_point::max();
  const bool has_another = hosts_.go_on(*handle_) && !had_been_there;
  const auto status = PQstatus(handle_);
  const bool was_taken = status != CONNECTION_STARTED && status != CONNECTION_BAD;
  const auto pause = was_taken ? pauses_.after_silence() : pauses_.after_refusal();
  next_try_ = now + (has_another ? milliseconds{0} : pause);
}

failure postgres_connection::connect() {
  if (handle_ != nullptr && !(begun_ && sent_) && place_.node &&
      place_.node->incarnation() != named_)
    drop();
  if (handle_ != nullptr)
    return {};
  const auto now = clock::now();
  const auto until = in_vain_ ? now : now + place_.patience;
  if (next_try_ > until && last_loss_)
    return last_loss_;
  std::this_thread::sleep_until(next_try_);
  state_.clear();
  auto error = connect_within(until);
  last_loss_ = error;
  in_vain_ = static_cast<bool>(error);
  next_try_ = in_vain_ ? std::max(next_try_, clock::now() + vain_pause) : clock::time_point{};
  return error;
}

failure postgres_connection::connect_within(clock::time_point until) {
  for (pauses_.forget_refusals();;) {
    auto error = connect_once(clock::now() + place_.try_time);
    if (!error || !state_.empty())
      return error;
    if (!silent_)
      next_try_ = clock::now() + pauses_.after_refusal();
    if (std::max(next_try_, clock::now()) >= until)
      return error;
    // It has said no, unless it was only about to start, or to take the place of another one.
    if (!hosts_.has_choice() && !silent_ && hosts_.takes_connections())
      return connect_once(clock::now() + place_.try_time);
    std::this_thread::sleep_until(next_try_);
  }
}

failure postgres_connection::connect_once(clock::time_point until) {
  deadline_.set(until);
  connected_ = clock::time_point::max();
  handle_ = hosts_.start();
  if (handle_ == nullptr)
    return lost();
  PQsetNoticeProcessor(
      handle_, [](void*, const char*) {}, nullptr);
  for (auto next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK; next = PQconnectPoll(handle_)) {
    if (next == PGRES_POLLING_FAILED || PQstatus(handle_) == CONNECTION_BAD)
      return lost();
    pollfd at{PQsocket(handle_), next == PGRES_POLLING_READING ? short{POLLIN} : short{POLLOUT}, 0};
    const auto rest = std::chrono::ceil<milliseconds>(until - clock::now()).count();
    if (rest <= 0 || ::poll(&at, 1, static_cast<int>(rest)) == 0)
      return lost();
  }
  ++epoch_;
  auto error = greet();
  if (error)
    return error;
  connected_ = clock::now();
  hosts_.found(*handle_);
  return {};
}

/// Looks whom it speaks to, and makes the settings.
failure postgres_connection::greet() {
  std::string bad;
  const auto* encoding = PQparameterStatus(handle_, "server_encoding");
  if (PQserverVersion(handle_) < oldest_server)
    bad = fmt::format("the server has version {}; it must be 13 or newer",
                      PQserverVersion(handle_) / 10'000);
  else if (encoding != nullptr && std::string_view{encoding} != "UTF8")
    bad = fmt::format("the texts of the database are {}; make one with ENCODING 'UTF8'", encoding);
  failure error;
  if (!bad.empty())
    error = {errc::store_failed, fmt::format("cannot use {}: {}", place_.shown, bad)};
  if (!bad.empty())
    state_ = "0A000"; // trying again does not help
  if (!error)
    error = execute(greeting());
  if (!error && PQsetnonblocking(handle_, 1) != 0)
    error = lost();
  if (error)
    drop();
  return error;
}

std::string postgres_connection::greeting() {
  if (!place_.node)
    return place_.settings;
  named_ = place_.node->incarnation();
  return fmt::format("{}; SET application_name = '{}'", place_.settings,
                     postgres_node_name(named_));
}

failure postgres_connection::execute(const std::string& statements) {
  if (auto error = connect())
    return error;
  const auto longest = clock::now() + place_.longest * 3 / 2; // there may be several
  deadline_.set(std::max(deadline_.until(), longest));
  if (PQpipelineStatus(handle_) == PQ_PIPELINE_ON)
    PQexitPipelineMode(handle_);
  if (!statements.empty() && PQsendQuery(handle_, statements.c_str()) == 0)
    return lost();
  failure first;
  while (!statements.empty()) {
    if (auto error = wait())
      return error;
    auto* result = PQgetResult(handle_);
    if (result == nullptr)
      break;
    if (PQresultStatus(result) == PGRES_FATAL_ERROR && !first)
      first = failed(result);
    PQclear(result);
    if (handle_ == nullptr)
      return first;
  }
  return PQenterPipelineMode(handle_) == 1 ? first : lost();
}

bool postgres_connection::seems_alive() {
  if (handle_ == nullptr)
    return false;
  // Last words of the server may stand before the end of the connection.
  for (pollfd at{PQsocket(handle_), POLLIN, 0}; ::poll(&at, 1, 0) > 0;)
    if (PQconsumeInput(handle_) == 0) {
      drop();
      return false;
    }
  return true;
}

} // namespace troupe

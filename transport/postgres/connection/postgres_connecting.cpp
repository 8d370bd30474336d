// How a connection begins and ends.
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <memory>
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
/// The time of a single try, and between the tries of one call and of several ones.
constexpr milliseconds try_time{3000};
constexpr milliseconds first_pause{50};
constexpr milliseconds longest_pause{1000};

/// Of a URL the members that stand there win. A server that vanishes without a word is noticed
/// within some 20 s also by who only waits for it.
pg_conn* start_connecting(const std::string& url) {
  constexpr std::array<const char*, 8> names{"keepalives_idle",           "keepalives_interval",
                                             "keepalives_count",          "tcp_user_timeout",
                                             "fallback_application_name", "dbname",
                                             "client_encoding",           nullptr};
  const std::array<const char*, 8> values{"10",     "3",         "3",    "15000",
                                          "troupe", url.c_str(), "UTF8", nullptr};
  return PQconnectStartParams(names.data(), values.data(), 1);
}

/// Returns whether a server is there and takes connections: then another try fails as this one did.
bool takes_connections(const std::string& url) {
  constexpr std::array<const char*, 3> names{"dbname", "connect_timeout", nullptr};
  const std::array<const char*, 3> values{url.c_str(), "2", nullptr};
  return PQpingParams(names.data(), values.data(), 1) == PQPING_OK;
}

/// Returns whether another host, or this one in another role, may be what is wanted a moment later.
/// The environment counts, too.
bool has_choice(pg_conn* of) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> all{PQconninfo(of),
                                                                         &PQconninfoFree};
  bool out = false;
  for (const auto* each = all.get(); each != nullptr && each->keyword != nullptr; ++each) {
    const std::string_view name{each->keyword};
    const std::string_view value{each->val == nullptr ? "" : each->val};
    out = out || ((name == "host" || name == "hostaddr") && value.find(',') != value.npos) ||
          (name == "target_session_attrs" && !value.empty() && value != "any");
  }
  return out;
}

} // namespace

postgres_connection::postgres_connection(postgres_place at) : place_{std::move(at)} {}

postgres_connection::~postgres_connection() {
  drop();
}

void postgres_connection::drop() {
  if (handle_ == nullptr)
    return;
  PQfinish(handle_);
  handle_ = nullptr;
  prepared_.clear();
}

/// Ends the connection and returns why it is of no use any more.
failure postgres_connection::lost() {
  std::string said = "the connection is lost";
  if (handle_ != nullptr && PQstatus(handle_) == CONNECTION_BAD && *PQerrorMessage(handle_) != '\0')
    said = PQerrorMessage(handle_);
  else if (clock::now() >= until_)
    said = "the database does not answer";
  drop();
  state_.clear();
  return postgres_failure({state_, said, doing_, place_.shown});
}

failure postgres_connection::connect() {
  if (handle_ != nullptr && !(begun_ && sent_) && place_.node &&
      place_.node->incarnation() != named_)
    drop();
  if (handle_ != nullptr)
    return {};
  const auto now = clock::now();
  if (last_loss_ && now < next_try_)
    return last_loss_;
  state_.clear();
  auto error = connect_within(last_loss_ ? now : now + place_.patience);
  last_loss_ = error;
  next_try_ = clock::now() + longest_pause - first_pause; // who asks each second gets an answer
  return error;
}

failure postgres_connection::connect_within(clock::time_point until) {
  for (auto pause = first_pause;; pause = std::min(pause * 2, longest_pause)) {
    const auto late = clock::now() + try_time;
    auto error = connect_once(late);
    if (!error || !state_.empty() || clock::now() + pause >= until)
      return error;
    // It has said no, unless it was only about to start, or to take the place of another one.
    if (!has_choice_ && clock::now() < late && takes_connections(place_.url))
      return connect_once(clock::now() + try_time);
    std::this_thread::sleep_for(pause);
  }
}

failure postgres_connection::connect_once(clock::time_point until) {
  until_ = until;
  handle_ = start_connecting(place_.url);
  if (handle_ == nullptr)
    return lost();
  has_choice_ = has_choice(handle_);
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
  return greet();
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
  until_ = std::max(until_, clock::now() + try_time * 10);
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

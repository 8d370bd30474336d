#include "transport/postgres/connection/postgres_connection.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include "transport/postgres/connection/postgres_errors.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_refusal{50}, last_refusal{1000};
constexpr milliseconds first_silence{500}, last_silence{4000};

milliseconds grown(milliseconds last, milliseconds first, milliseconds most) {
  return std::clamp(last * 2, first, most);
}

} // namespace

milliseconds postgres_pauses::after_refusal() {
  return scattered(refused_ = grown(refused_, first_refusal, last_refusal));
}

milliseconds postgres_pauses::after_silence() {
  return scattered(silent_ = grown(silent_, first_silence, last_silence));
}

milliseconds postgres_pauses::scattered(milliseconds time) {
  return milliseconds{
      std::uniform_int_distribution<int64_t>{time.count() / 2, time.count()}(source_)};
}

namespace {

using std::chrono::milliseconds;

/// How long a cancelled statement may take to end.
constexpr milliseconds cancel_time{1000};

/// SQLSTATE of a write to a server that takes none: a standby.
constexpr std::string_view read_only_state = "25006";

} // namespace

void postgres_connection::add(const char* sql, postgres_values values) {
  waiting_.push_back({sql, std::move(values), false});
}

void postgres_connection::begin(const char* how) {
  begun_ = true;
  sent_ = false;
  how_ = how;
}

failure postgres_connection::commit() {
  if (!begun_)
    return {};
  if (!sent_ && waiting_.empty()) { // nothing was done in it
    begun_ = false;
    return {};
  }
  add("COMMIT");
  commits_ = true;
  auto error = run();
  commits_ = false;
  if (error)
    roll_back();
  begun_ = sent_ = false;
  return error;
}

/// The failure that it follows on is still what state() is about.
void postgres_connection::roll_back() {
  waiting_.clear();
  if (std::exchange(begun_, false) && std::exchange(sent_, false) && handle_ != nullptr) {
    const auto state = state_;
    add("ROLLBACK");
    if (run_once(nullptr))
      drop(); // its transaction ends with it
    waiting_.clear();
    state_ = state;
  }
  sent_ = false;
}

failure postgres_connection::ask(const char* sql, postgres_values values, postgres_rows& out) {
  add(sql, std::move(values));
  std::vector<postgres_rows> all;
  auto error = run(&all);
  if (!error)
    out = std::move(all.back());
  return error;
}

/// A statement that was lost with its connection is run again where that cannot do anything twice:
/// outside of a transaction, and with the beginning of one that does not end with it. The
/// transaction's maker knows whether a whole one may be repeated.
failure postgres_connection::run(std::vector<postgres_rows>* out) {
  const bool within = begun_ && sent_;
  if (within && handle_ == nullptr) {
    waiting_.clear();
    state_.clear();
    return last_loss_ ? last_loss_ : lost();
  }
  const bool fresh = handle_ == nullptr;
  auto refused = connect();
  if (!refused && deadline_.is_used_up()) {
    state_ = "57014";
    refused = postgres_failure({state_, "there is no time left", doing_, place_.shown});
  }
  if (refused) {
    waiting_.clear();
    return refused;
  }
  const bool repeats = !fresh && !within && !commits_;
  auto error = run_once(out);
  if (error && handle_ == nullptr && repeats && !cancelled_) {
    error = connect();
    if (!error)
      error = run_once(out);
  }
  waiting_.clear();
  return error;
}

failure postgres_connection::run_once(std::vector<postgres_rows>* out) {
  if (begun_ && !std::exchange(sent_, true))
    waiting_.insert(waiting_.begin(), {how_, {}, false});
  deadline_.begin(place_.longest);
  cancelled_ = false;
  state_.clear();
  std::vector<postgres_rows> rows;
  auto error = send_all();
  if (!error)
    error = collect(&rows);
  if (error || out == nullptr)
    return error;
  if (!waiting_.empty() && waiting_.front().sql == how_)
    rows.erase(rows.begin());
  *out = std::move(rows);
  return {};
}

failure postgres_connection::send_all() {
  for (auto& each : waiting_)
    if (auto error = send(each))
      return error;
  return PQpipelineSync(handle_) == 1 ? failure{} : lost();
}

failure postgres_connection::send(postgres_statement& what) {
  auto& name = prepared_[what.sql];
  const auto& types = what.values.types();
  const auto count = static_cast<int>(types.size());
  if (name.empty()) {
    name = fmt::format("s{}", ++names_);
    what.prepares = true;
    if (PQsendPrepare(handle_, name.c_str(), what.sql, count, types.data()) == 0)
      return lost();
  }
  std::vector<const char*> values;
  std::vector<int> sizes;
  for (size_t i = 0; i < types.size(); ++i) {
    values.push_back(what.values.bytes(i).data());
    sizes.push_back(static_cast<int>(what.values.bytes(i).size()));
  }
  const std::vector<int> binary(types.size(), 1);
  const auto sent = PQsendQueryPrepared(handle_, name.c_str(), count, values.data(), sizes.data(),
                                        binary.data(), 1);
  return sent == 1 ? failure{} : lost();
}

/// Takes all results, also those behind a failure: the connection is then free for the next.
failure postgres_connection::collect(std::vector<postgres_rows>* out) {
  failure first;
  for (const auto& each : waiting_) {
    auto error = collect_one(each, out);
    if (error && handle_ == nullptr)
      return error;
    if (error && !first)
      first = std::move(error);
  }
  if (auto error = wait())
    return error;
  PQclear(PQgetResult(handle_)); // of the sync
  return first;
}

/// A statement has its result and a nullptr behind it; with its preparation two of each.
failure postgres_connection::collect_one(const postgres_statement& what,
                                         std::vector<postgres_rows>* out) {
  failure first;
  for (int part = what.prepares ? 0 : 1; part < 2; ++part) {
    if (auto error = wait())
      return error;
    auto* result = PQgetResult(handle_);
    const auto status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
      if (part == 1)
        out->emplace_back(result);
      else
        PQclear(result);
    } else {
      if (part == 0)
        prepared_.erase(what.sql);
      auto error =
          status == PGRES_PIPELINE_ABORTED ? failure{errc::store_failed, ""} : failed(result);
      PQclear(result);
      if (handle_ == nullptr)
        return error;
      if (!first)
        first = std::move(error);
    }
    if (auto error = wait())
      return error;
    PQclear(PQgetResult(handle_)); // the end of the statement
  }
  return first;
}

/// Waits until a result can be taken. @return of a connection that is lost, or too slow
failure postgres_connection::wait() {
  for (;;) {
    const int flushed = PQflush(handle_);
    if (flushed < 0)
      return lost();
    if (PQisBusy(handle_) == 0)
      return PQstatus(handle_) == CONNECTION_BAD ? lost() : failure{};
    pollfd at{PQsocket(handle_), static_cast<short>(flushed == 1 ? POLLIN | POLLOUT : POLLIN), 0};
    const int ready = ::poll(&at, 1, deadline_.time_left());
    if (ready == 0 && deadline_.is_over() && !cancel_once())
      return lost();
    if (ready <= 0 || (at.revents & ~POLLOUT) == 0)
      continue;
    if (PQconsumeInput(handle_) == 0)
      return lost();
    deadline_.arrived();
  }
}

/// Asks the server to end what takes too long. @return false: it did not in time, or cannot be
/// asked
bool postgres_connection::cancel_once() {
  if (!deadline_.is_limited() || std::exchange(cancelled_, true))
    return false;
  deadline_.cancel(cancel_time);
  auto* request = PQgetCancel(handle_);
  std::array<char, 256> said{};
  const bool asked = request != nullptr && PQcancel(request, said.data(), said.size()) == 1;
  PQfreeCancel(request);
  return asked;
}

failure postgres_connection::failed(const void* result) {
  const auto* of = static_cast<const PGresult*>(result);
  const auto* state = PQresultErrorField(of, PG_DIAG_SQLSTATE);
  const auto* said = PQresultErrorField(of, PG_DIAG_MESSAGE_PRIMARY);
  if (state == nullptr || PQstatus(handle_) == CONNECTION_BAD)
    return lost();
  state_ = state;
  auto out = postgres_failure({state_, said == nullptr ? "" : said, doing_, place_.shown});
  // The words of 57P... are the last of a connection that the server is about to close.
  if (state_.starts_with("57P") || (state_ == read_only_state && hosts_.begin_anew()))
    drop();
  return out;
}

} // namespace troupe

#include "transport/http_client_shard.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Handles that are kept for the next exchange, about 5 KiB each.
constexpr size_t handles_kept = 128;

/// Idle connections that are kept beside those in use, in steps.
constexpr long connections_kept = 256;

} // namespace

http_client_shard::http_client_shard(loop& home) : home_{home} {}

http_client_shard::~http_client_shard() {
  close();
}

void http_client_shard::attach() {
  multi_ = curl_multi_init();
  if (multi_ == nullptr)
    throw std::bad_alloc{};
  wake_due_ = wake_armed_ = deadline_armed_ = time_point::max();
  wake_.emplace(home_, [this] { on_wake(); });
  deadline_.emplace(home_, [this] { check_deadlines(); });
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &http_client_shard::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &http_client_shard::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  bound_idle();
  home_.add(loop::stage::transfers, *this);
}

void http_client_shard::close() {
  if (multi_ == nullptr)
    return;
  home_.remove(loop::stage::transfers, *this);
  while (!active_.empty())
    cancel(*active_.begin()->second);
  for (auto* each : idle_handles_)
    curl_easy_cleanup(each);
  idle_handles_.clear();
  curl_multi_cleanup(std::exchange(multi_, nullptr)); // closes sockets: before what watches them
  for (auto& each : watched_)
    if (each != nullptr)
      ev_io_stop(home_.native(), &each->io);
  watched_.clear();
  wake_.reset();
  deadline_.reset();
  ready_.clear();
}

int http_client_shard::on_socket(CURL*, curl_socket_t socket, int what, void* shard,
                                 void* watch) noexcept {
  static_cast<http_client_shard*>(shard)->watch(socket, what, static_cast<watched*>(watch));
  return 0;
}

void http_client_shard::watch(curl_socket_t socket, int what, watched* known) {
  const auto index = static_cast<size_t>(socket);
  if (what == CURL_POLL_REMOVE) {
    if (known != nullptr)
      ev_io_stop(home_.native(), &known->io);
    return;
  }
  if (known == nullptr) {
    if (index >= watched_.size())
      watched_.resize(index + 1);
    if (watched_[index] == nullptr)
      watched_[index] = std::make_unique<watched>();
    known = watched_[index].get();
    known->shard = this;
    curl_multi_assign(multi_, socket, known);
  }
  ev_io_stop(home_.native(), &known->io);
  ev_io_init(&known->io, &http_client_shard::on_ready, socket,
             ((what & CURL_POLL_IN) != 0 ? EV_READ : 0) |
                 ((what & CURL_POLL_OUT) != 0 ? EV_WRITE : 0));
  known->io.data = known;
  ev_io_start(home_.native(), &known->io);
}

void http_client_shard::on_ready(struct ev_loop*, ev_io* io, int events) noexcept {
  const auto& which = *static_cast<watched*>(io->data);
  which.shard->act(io->fd, ((events & EV_READ) != 0 ? CURL_CSELECT_IN : 0) |
                               ((events & EV_WRITE) != 0 ? CURL_CSELECT_OUT : 0));
}

void http_client_shard::act(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, socket, events, &running);
  acted_ = true;
}

int http_client_shard::on_timer(CURLM*, long milliseconds, void* shard) noexcept {
  auto& self = *static_cast<http_client_shard*>(shard);
  self.run_now_ = milliseconds == 0;
  if (milliseconds <= 0)
    self.wake_due_ = time_point::max();
  else
    self.wake_at(std::chrono::steady_clock::now() + std::chrono::milliseconds{milliseconds});
  return 0;
}

/// libcurl moves its timeout with every step; the timer itself is only ever moved forward.
void http_client_shard::wake_at(time_point when) {
  wake_due_ = when;
  if (when >= wake_armed_)
    return;
  wake_armed_ = when;
  wake_->start(
      std::chrono::ceil<std::chrono::milliseconds>(when - std::chrono::steady_clock::now()));
}

void http_client_shard::on_wake() {
  wake_armed_ = time_point::max();
  if (wake_due_ <= std::chrono::steady_clock::now())
    run_now_ = true;
  else if (wake_due_ != time_point::max())
    wake_at(wake_due_);
}

CURL* http_client_shard::take_easy() {
  if (!idle_handles_.empty()) {
    auto* easy = idle_handles_.back();
    idle_handles_.pop_back();
    return easy;
  }
  auto* easy = curl_easy_init();
  if (easy == nullptr)
    throw std::bad_alloc{};
  http_transfer::prepare(easy);
  return easy;
}

void http_client_shard::start(std::shared_ptr<http_transfer> transfer) {
  auto& it = *transfer;
  if (multi_ == nullptr || it.state != http_transfer::phase::waiting)
    return;
  const auto now = std::chrono::steady_clock::now();
  it.started = it.last_read = now;
  it.state = http_transfer::phase::active;
  it.ready = &ready_;
  place(std::move(transfer), now);
  auto wrong = it.attach(take_easy());
  if (wrong.empty()) {
    if (const auto code = curl_multi_add_handle(multi_, it.easy); code != CURLM_OK)
      wrong = curl_multi_strerror(code);
    bound_idle();
  }
  if (!wrong.empty())
    finish(it, errc::connect_failed, "can not send the request: " + wrong);
  home_.again();
}

void http_client_shard::place(std::shared_ptr<http_transfer> transfer, time_point now) {
  const auto when = transfer->next_check(now);
  auto& it = *transfer;
  it.place = active_.emplace(when, std::move(transfer));
  if (when >= deadline_armed_)
    return;
  deadline_armed_ = when;
  deadline_->start(std::chrono::ceil<std::chrono::milliseconds>(when - now));
}

void http_client_shard::check_deadlines() {
  const auto now = std::chrono::steady_clock::now();
  deadline_armed_ = time_point::max();
  while (!active_.empty() && active_.begin()->first <= now) {
    auto transfer = active_.begin()->second;
    if (auto late = transfer->overdue(now)) {
      finish(*transfer, late.code, std::move(late.message));
      continue;
    }
    active_.erase(transfer->place);
    place(std::move(transfer), now);
  }
  if (active_.empty() || active_.begin()->first >= deadline_armed_)
    return;
  deadline_armed_ = active_.begin()->first;
  if (deadline_armed_ != time_point::max())
    deadline_->start(std::chrono::ceil<std::chrono::milliseconds>(deadline_armed_ - now));
}

/// Takes an exchange from libcurl: an answer that is not complete closes its connection.
void http_client_shard::end(http_transfer& transfer) {
  curl_multi_remove_handle(multi_, transfer.easy);
  auto* easy = transfer.detach();
  if (idle_handles_.size() < handles_kept)
    idle_handles_.push_back(easy);
  else
    curl_easy_cleanup(easy);
  transfer.state = http_transfer::phase::over;
  active_.erase(transfer.place); // may be the last that holds it
}

void http_client_shard::finish(http_transfer& transfer, errc error, std::string text) {
  transfer.queue();
  transfer.finish(error, std::move(text));
  end(transfer);
  bound_idle();
}

void http_client_shard::cancel(http_transfer& transfer) {
  auto receiver = std::exchange(transfer.deliver, nullptr); // may be running: let go last
  const auto before = std::exchange(transfer.state, http_transfer::phase::over);
  if (before == http_transfer::phase::active && multi_ != nullptr) {
    end(transfer);
    bound_idle();
  }
}

void http_client_shard::pause(http_transfer& transfer) {
  if (std::exchange(transfer.paused, true) || transfer.state != http_transfer::phase::active)
    return;
  if (transfer.head_complete) // before that the body's callback does it
    curl_easy_pause(transfer.easy, CURLPAUSE_RECV);
}

void http_client_shard::resume(http_transfer& transfer) {
  if (!std::exchange(transfer.paused, false) || transfer.state != http_transfer::phase::active)
    return;
  const auto now = std::chrono::steady_clock::now();
  transfer.last_read = now;
  auto self = transfer.place->second;
  active_.erase(transfer.place);
  place(std::move(self), now);
  curl_easy_pause(transfer.easy, CURLPAUSE_CONT);
  acted_ = true;
  home_.again();
}

bool http_client_shard::run() {
  bool progress = false;
  if (std::exchange(run_now_, false)) {
    act(CURL_SOCKET_TIMEOUT, 0);
    progress = true;
  }
  if (std::exchange(acted_, false))
    collect_finished();
  return deliver() || progress;
}

void http_client_shard::collect_finished() {
  int left = 0;
  while (auto* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE)
      continue;
    const auto result = message->data.result;
    http_transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    if (transfer->retry(result)) {
      curl_multi_remove_handle(multi_, transfer->easy);
      if (curl_multi_add_handle(multi_, transfer->easy) == CURLM_OK)
        continue;
    }
    auto failed = transfer->explain(result);
    finish(*transfer, failed.code, std::move(failed.message));
  }
}

bool http_client_shard::deliver() {
  if (ready_.empty())
    return false;
  const auto now = std::chrono::steady_clock::now();
  delivering_.swap(ready_); // receivers may open, pause and cancel
  for (auto& transfer : delivering_) {
    transfer->drop_sent_body();
    auto part = transfer->take(now);
    if (transfer->deliver == nullptr || transfer->cancelled.load(std::memory_order_relaxed))
      continue;
    // Its owner may destroy the exchange, and with it this function, from within.
    auto receiver = std::move(transfer->deliver);
    transfer->deliver = nullptr;
    const bool last = part.last;
    receiver(std::move(part));
    if (!last && transfer->state != http_transfer::phase::over)
      transfer->deliver = std::move(receiver);
  }
  delivering_.clear();
  return true;
}

void http_client_shard::bound_idle() {
  // libcurl counts those in use too, and drops one that is free for each that comes back above.
  const auto in_use = static_cast<long>(active_.size());
  const long limit = (in_use / connections_kept + 2) * connections_kept;
  if (std::exchange(connection_limit_, limit) != limit)
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, limit);
}

} // namespace troupe

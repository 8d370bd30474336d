#include "transport/http_client/http_client_shard.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace troupe {

// -- http client lanes ----------------------------------------------------------------------------

namespace {

/// Exchanges per lane, without and with TLS. Walking over a connection in use takes 0.09 us; a lane
/// takes 40 KiB. A lane with TLS reads the trusted certificates, which takes 20 ms and 1 MiB.
constexpr std::array<size_t, 2> room{64, 1024};

/// Lanes of a row that stay when they are empty, with their free connections.
constexpr std::array<size_t, 2> kept{4, 1};

/// Time between two searches for unused lanes.
constexpr std::chrono::seconds look_time{60};

} // namespace

http_client_lane& http_client_lanes::with_room(bool secure) {
  const auto kind = static_cast<size_t>(secure);
  auto& [lanes, first] = rows_[kind];
  while (first < lanes.size() && lanes[first] != nullptr && lanes[first]->is_full())
    ++first;
  if (first == lanes.size())
    lanes.emplace_back();
  if (lanes[first] == nullptr) {
    lanes[first] = std::make_unique<http_client_lane>(
        sockets_, home_, due_, http_client_lane::position{kind, first, room[kind]});
    look_later();
  }
  return *lanes[first];
}

void http_client_lanes::remove(http_client_lane& lane, CURL* easy) {
  lane.remove(easy);
  auto& first = rows_[lane.where().row].first;
  first = std::min(first, lane.where().index);
  if (lane.is_empty() && lane.where().index >= kept[lane.where().row])
    lane.touch();
}

/// Closes an empty lane, except the lane that gets the next exchange: otherwise it, and its
/// connection, would be made again for each exchange.
void http_client_lanes::tidy(http_client_lane& lane) {
  const auto where = lane.where();
  auto& mine = rows_[where.row];
  if (lane.is_empty() && where.index >= kept[where.row] && mine.first < where.index)
    mine.lanes[where.index].reset();
}

void http_client_lanes::look_later() {
  if (std::exchange(looking_, true))
    return;
  if (!look_)
    look_.emplace(home_, [this] {
      close_unused();
      looking_ = false;
      if (count() > 0)
        look_later();
    });
  look_->start(look_time);
}

void http_client_lanes::close_unused() {
  for (auto& [lanes, first] : rows_)
    for (auto& lane : lanes)
      if (lane != nullptr && lane->is_unused())
        lane.reset();
}

size_t http_client_lanes::count() const {
  size_t out = 0;
  for (const auto& each : rows_)
    out += each.lanes.size() -
           static_cast<size_t>(std::count(each.lanes.begin(), each.lanes.end(), nullptr));
  return out;
}

void http_client_lanes::clear() {
  look_.reset();
  looking_ = false;
  rows_ = {};
}

// -- http client urls -----------------------------------------------------------------------------

namespace {

constexpr size_t most_urls = 256; // URLs are few, unless they contain data of the request

// The flags with which libcurl reads CURLOPT_URL.
constexpr unsigned flags = CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME;

/// Returns whether the URL has an IPv6 zone, which libcurl's copies of a URL lose.
bool has_zone(CURLU* url) {
  char* zone = nullptr;
  const auto has = curl_url_get(url, CURLUPART_ZONEID, &zone, 0) == CURLUE_OK;
  curl_free(zone);
  return has;
}

} // namespace

CURLU* http_client_urls::find(const std::string& url) {
  if (auto known = known_.find(url); known != known_.end())
    return known->second.get();
  if (known_.size() >= most_urls)
    return nullptr;
  std::unique_ptr<CURLU, cleanup> read{curl_url()};
  if (!read || curl_url_set(read.get(), CURLUPART_URL, url.c_str(), flags) != CURLUE_OK ||
      has_zone(read.get()))
    return nullptr;
  return known_.emplace(url, std::move(read)).first->second.get();
}

// -- http client shard ----------------------------------------------------------------------------

namespace {

/// Idle handles to keep for later exchanges, about 5 KiB each.
constexpr size_t handles_kept = 128;

} // namespace

http_client_shard::http_client_shard(loop& home) : home_{home}, lanes_{home} {}

http_client_shard::~http_client_shard() {
  close();
}

void http_client_shard::attach() {
  deadline_.emplace(home_, [this] { check_deadlines(); });
  next_.emplace(home_, [this] { go_on(); });
  home_.add(loop::stage::transfers, *this);
  open_ = true;
}

void http_client_shard::close() {
  if (!std::exchange(open_, false))
    return;
  home_.remove(loop::stage::transfers, *this);
  while (!active_.empty())
    cancel(*active_.begin()->second);
  for (auto* each : idle_handles_)
    curl_easy_cleanup(each);
  idle_handles_.clear();
  lanes_.clear();
  deadline_.reset();
  next_.reset();
  ready_.clear();
  yielding_.clear();
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
  if (!open_ || it.state != http_transfer::phase::waiting)
    return;
  const auto now = std::chrono::steady_clock::now();
  it.started = it.last_read = now;
  it.state = http_transfer::phase::active;
  it.ready = &ready_;
  place(std::move(transfer), now);
  const auto& url = it.request.url;
  auto wrong = it.attach(take_easy(), buffers_.size_for(url), urls_.find(url));
  if (wrong.empty()) {
    it.lane = &lanes_.with_room(it.is_secure());
    wrong = it.lane->add(it.easy);
  }
  if (!wrong.empty())
    finish(it, errc::connect_failed, "cannot send the request: " + wrong);
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

/// Removes an exchange from libcurl; an incomplete answer closes its connection.
void http_client_shard::end(http_transfer& transfer) {
  if (transfer.lane != nullptr)
    lanes_.remove(*transfer.lane, transfer.easy);
  if (transfer.has_body)
    buffers_.learn(transfer.request.url, transfer.came_in_bulk());
  auto* easy = transfer.detach();
  if (idle_handles_.size() < handles_kept)
    idle_handles_.push_back(easy);
  else
    curl_easy_cleanup(easy);
  transfer.state = http_transfer::phase::over;
  active_.erase(transfer.place); // may destroy `transfer`
}

void http_client_shard::finish(http_transfer& transfer, errc error, std::string text) {
  transfer.queue();
  transfer.finish(error, std::move(text));
  end(transfer);
}

void http_client_shard::cancel(http_transfer& transfer) {
  auto receiver = std::exchange(transfer.deliver, nullptr); // may be running: destroyed last
  const auto before = std::exchange(transfer.state, http_transfer::phase::over);
  if (before == http_transfer::phase::active)
    end(transfer);
}

void http_client_shard::pause(http_transfer& transfer) {
  if (std::exchange(transfer.paused, true) || transfer.state != http_transfer::phase::active)
    return;
  if (transfer.head_complete) // earlier, on_body() pauses
    curl_easy_pause(transfer.easy, CURLPAUSE_RECV);
}

void http_client_shard::resume(http_transfer& transfer) {
  if (!std::exchange(transfer.paused, false) || transfer.state != http_transfer::phase::active)
    return;
  const auto now = std::chrono::steady_clock::now();
  transfer.last_read = now;
  auto self = transfer.shared_from_this();
  active_.erase(transfer.place);
  place(std::move(self), now);
  curl_easy_pause(transfer.easy, CURLPAUSE_CONT);
  transfer.lane->touch();
  home_.again();
}

bool http_client_shard::run() {
  bool progress = false;
  if (lanes_.any_due()) {
    lanes_.take_due(running_);
    for (auto* lane : running_) {
      progress = lane->run() || progress;
      collect_finished(*lane);
      lanes_.tidy(*lane);
    }
    running_.clear();
  }
  return deliver() || progress;
}

void http_client_shard::collect_finished(http_client_lane& lane) {
  CURLcode result = CURLE_OK;
  while (auto* easy = lane.next_finished(result)) {
    http_transfer* transfer = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    if (transfer->retry(result) && lane.repeat(easy))
      continue;
    auto failed = transfer->explain(result);
    finish(*transfer, failed.code, std::move(failed.message));
  }
}

/// Continues the exchanges that had their share of an iteration: libcurl reads up to a hundred
/// times in a row from one socket, and other sockets would wait.
void http_client_shard::go_on() {
  for (const auto& each : std::exchange(yielding_, {})) {
    if (each->paused || each->state != http_transfer::phase::active)
      continue;
    curl_easy_pause(each->easy, CURLPAUSE_CONT);
    each->lane->touch();
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
    if (std::exchange(transfer->yields, false)) {
      yielding_.push_back(transfer);
      next_->start(std::chrono::milliseconds{0});
    }
    if (transfer->deliver == nullptr || transfer->cancelled.load(std::memory_order_relaxed))
      continue;
    // The receiver may destroy the exchange, and with it `deliver`, while it runs.
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

} // namespace troupe

#include "apps/troupe/gathering_sink.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace troupe {

namespace {

/// How long lines wait for others after a write; the first one waits for nothing.
constexpr std::chrono::milliseconds gathering{5};

/// The most bytes that wait for a slow reader; beyond it the older half is lost.
constexpr size_t max_waiting_bytes = size_t{4} * 1024 * 1024;

/// How long the destructor waits for a reader that takes nothing; then the rest is lost.
constexpr std::chrono::seconds end_limit{1};

/// Milliseconds between two checks whether the destructor has begun.
constexpr int look_ms = 50;

} // namespace

gathering_sink::gathering_sink(int descriptor)
    : descriptor_{descriptor}, writer_{[this] { run(); }} {}

gathering_sink::~gathering_sink() {
  {
    std::lock_guard guard{waiting_mutex_};
    ended_at_ = clock::now();
    ended_ = true;
  }
  wake_.notify_one();
  writer_.join();
}

void gathering_sink::sink_it_(const spdlog::details::log_msg& line) {
  spdlog::memory_buf_t text;
  formatter_->format(line, text);
  bool is_first = false;
  {
    std::lock_guard guard{waiting_mutex_};
    is_first = waiting_.empty();
    if (waiting_.size() > max_waiting_bytes)
      waiting_.erase(0, waiting_.find('\n', waiting_.size() / 2) + 1);
    waiting_.append(text.data(), text.size());
  }
  if (is_first)
    wake_.notify_one();
}

/// Waits until the descriptor takes bytes. @return false: end_limit is over
bool gathering_sink::has_room() {
  for (;;) {
    if (ended_ && clock::now() - std::max(ended_at_, taken_at_) >= end_limit)
      return false;
    pollfd room{descriptor_, POLLOUT, 0};
    if (::poll(&room, 1, look_ms) > 0)
      return true;
  }
}

/// Writes at most PIPE_BUF bytes at a time: a pipe that has any room takes them without blocking,
/// and a blocked write could not be ended.
void gathering_sink::write_all(std::string_view text) {
  while (!text.empty() && has_room()) {
    auto written = ::write(descriptor_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
    if (written < 0 && errno != EINTR && errno != EAGAIN)
      return; // nobody is left to tell
    text.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
    if (written > 0)
      taken_at_ = clock::now();
  }
}

void gathering_sink::run() {
  std::string lines;
  std::unique_lock lock{waiting_mutex_};
  for (;;) {
    wake_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty())
      return;
    lines.swap(waiting_);
    lock.unlock();
    write_all(lines);
    lines.clear();
    lock.lock();
    wake_.wait_for(lock, gathering, [this] { return ended_.load(); });
  }
}

} // namespace troupe

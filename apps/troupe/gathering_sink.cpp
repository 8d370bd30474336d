#include "apps/troupe/gathering_sink.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>

namespace troupe {

namespace {

/// How long lines wait for others after a write; the first one waits for nothing.
constexpr std::chrono::milliseconds gathering{5};

/// What waits at most for a slow reader; then the older half is lost.
constexpr size_t max_waiting_bytes = size_t{4} * 1024 * 1024;

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EAGAIN) { // whoever shares the pipe has made it non-blocking
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
      continue;
    }
    if (written < 0 && errno != EINTR)
      return; // nobody is left to tell
    text.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
  }
}

} // namespace

gathering_sink::gathering_sink(int descriptor)
    : descriptor_{descriptor}, writer_{[this] { run(); }} {}

gathering_sink::~gathering_sink() {
  {
    std::lock_guard guard{waiting_mutex_};
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

void gathering_sink::run() {
  std::string lines;
  std::unique_lock lock{waiting_mutex_};
  for (;;) {
    wake_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty())
      return;
    lines.swap(waiting_);
    lock.unlock();
    write_all(descriptor_, lines);
    lines.clear();
    lock.lock();
    wake_.wait_for(lock, gathering, [this] { return ended_; });
  }
}

} // namespace troupe

#include "transport/pipe_writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace troupe {

namespace {

/// A queue that grew larger than this gives its memory back.
constexpr size_t kept_bytes = 256 * 1024;

} // namespace

std::shared_ptr<pipe_writer> pipe_writer::make(loop& home, descriptor pipe,
                                               std::function<void()> broken) {
  return std::shared_ptr<pipe_writer>{new pipe_writer{home, std::move(pipe), std::move(broken)}};
}

pipe_writer::pipe_writer(loop& home, descriptor pipe, std::function<void()> broken)
    : home_{home}, pipe_{std::move(pipe)}, broken_{std::move(broken)} {
  ev_io_init(
      &writable_,
      [](struct ev_loop*, ev_io* which, int) {
        const auto self = static_cast<pipe_writer*>(which->data)->shared_from_this();
        self->flush();
      },
      pipe_.get(), EV_WRITE);
  writable_.data = this;
}

pipe_writer::~pipe_writer() {
  close();
}

void pipe_writer::write(std::string_view bytes) {
  if (!pipe_ || finishing_)
    return;
  queue_.append(bytes);
  if (!std::exchange(flush_posted_, true))
    home_.post([self = shared_from_this()] {
      self->flush_posted_ = false;
      self->flush();
    });
}

void pipe_writer::flush() {
  while (sent_ < queue_.size()) {
    const auto count = ::write(pipe_.get(), queue_.data() + sent_, queue_.size() - sent_);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN) {
      ev_io_start(home_.native(), &writable_);
      return;
    }
    if (count < 0) {
      close();
      broken_();
      return;
    }
    sent_ += static_cast<size_t>(count);
  }
  ev_io_stop(home_.native(), &writable_);
  queue_.clear();
  sent_ = 0;
  if (queue_.capacity() > kept_bytes)
    queue_.shrink_to_fit();
  if (finishing_)
    close();
}

void pipe_writer::finish() {
  finishing_ = true;
  if (sent_ == queue_.size())
    close();
}

void pipe_writer::close() {
  if (!pipe_)
    return;
  ev_io_stop(home_.native(), &writable_);
  pipe_.reset();
  queue_.clear();
  sent_ = 0;
}

size_t pipe_writer::queued() const noexcept {
  return queue_.size() - sent_;
}

} // namespace troupe

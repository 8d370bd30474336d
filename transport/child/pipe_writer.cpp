#include "transport/child/pipe_writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace troupe {

namespace {

/// A buffer that grew larger than this gives its memory back.
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
  if (std::exchange(touched_, true))
    return;
  home_.add(loop::stage::writes, *this);
  home_.again();
}

bool pipe_writer::run() {
  const auto self = shared_from_this(); // a broken pipe may drop the last owner
  leave_stage();
  if (!ev_is_active(&writable_))
    flush();
  return true;
}

void pipe_writer::leave_stage() {
  if (std::exchange(touched_, false))
    home_.remove(loop::stage::writes, *this);
}

void pipe_writer::flush() {
  while (queued() > 0) {
    if (sent_ == sending_.size())
      take_queue();
    const auto count = ::write(pipe_.get(), sending_.data() + sent_, sending_.size() - sent_);
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
  if (finishing_)
    close();
}

void pipe_writer::take_queue() {
  sending_.clear();
  sent_ = 0;
  if (sending_.capacity() > kept_bytes)
    sending_.shrink_to_fit();
  sending_.swap(queue_);
}

void pipe_writer::finish() {
  finishing_ = true;
  if (queued() == 0)
    close();
}

void pipe_writer::close() {
  leave_stage();
  if (!pipe_)
    return;
  ev_io_stop(home_.native(), &writable_);
  pipe_.reset();
  queue_.clear();
  sending_.clear();
  sent_ = 0;
}

size_t pipe_writer::queued() const noexcept {
  return queue_.size() + sending_.size() - sent_;
}

} // namespace troupe

// How long a model request may take. Pure: the time comes from the caller.
#pragma once

#include <algorithm>
#include <chrono>

#include "messages/chat/model_config.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// The limits of one model request against the clock; a limit of zero never passes. Not thread
/// safe.
///
/// `total` runs from the start to the end. While an attempt runs there is `first_token`, until its
/// first event, and `idle`, from the first bytes of its body on. Once the model has said that it is
/// done, the answer has `end_grace`. These stand still while nothing is read because of flow
/// control. The limit of connecting is the transport's.
class model_deadlines {
public:
  using time_point = std::chrono::steady_clock::time_point;
  using milliseconds = std::chrono::milliseconds;

  static constexpr time_point never = time_point::max();

  /// How long the terminator and the usage of an answer may take once the model has said that it is
  /// done. Some servers send no terminator and keep the connection open, with comments now and
  /// then. Usage comes within the same second.
  static constexpr milliseconds end_grace{2000};

  /// @param limits of the model that was asked; their total counts for fallbacks, too
  model_deadlines(const model_timeouts& limits, time_point now)
      : limits_{limits}, total_at_{after(now, limits.total)} {}

  /// An attempt begins. @param limits of its model
  void begin(const model_timeouts& limits, time_point now) {
    limits_ = limits;
    began_ = now;
    running_ = true;
    has_body_ = has_event_ = is_done_ = false;
  }

  /// No attempt runs; only the total counts.
  void rest() noexcept { running_ = false; }

  void on_bytes(time_point now) noexcept {
    last_read_ = now;
    has_body_ = true;
  }

  void on_event() noexcept { has_event_ = true; }

  /// The model has said that it is done, or goes on nevertheless.
  void set_done(bool done, time_point now) noexcept {
    done_at_ = now;
    is_done_ = done;
  }

  bool is_done() const noexcept { return is_done_; }

  /// Returns whether the answer is over although its terminator did not come.
  bool is_over(time_point now) const noexcept { return now >= over_at(); }

  void pause(time_point now) noexcept {
    paused_at_ = now;
    paused_ = true;
  }

  void resume(time_point now) noexcept {
    paused_ = false;
    began_ += now - std::max(paused_at_, began_);
    last_read_ = done_at_ = now;
  }

  /// Returns the limit that has passed, the earliest of them, as model_timeout,
  /// model_first_token_timeout or model_idle_timeout; errc::none if all hold.
  errc passed(time_point now) const noexcept;

  /// Returns when to look again: no limit passes before, whatever comes until then. So one wake-up
  /// is enough, and none has to be moved with what is read.
  time_point next(time_point now) const noexcept;

  /// Returns what is left of the total; milliseconds::max() without a limit.
  milliseconds left(time_point now) const noexcept;

private:
  /// Longer limits are as good as none; a point in time must not overflow.
  static constexpr std::chrono::hours longest{24 * 365};

  static time_point after(time_point since, milliseconds limit) noexcept {
    return limit > milliseconds::zero() && limit < longest ? since + limit : never;
  }

  bool reads() const noexcept { return running_ && !paused_; }

  time_point over_at() const noexcept { return reads() && is_done_ ? done_at_ + end_grace : never; }

  model_timeouts limits_;
  time_point total_at_;
  time_point began_{};
  time_point last_read_{};
  time_point paused_at_{};
  time_point done_at_{};
  bool running_ = false;
  bool paused_ = false;
  bool has_body_ = false;
  bool has_event_ = false;
  bool is_done_ = false;
};

} // namespace troupe

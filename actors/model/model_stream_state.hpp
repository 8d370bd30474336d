// The state of a model_stream; its member functions are in model_stream.cpp (the answer) and
// model_stream_attempts.cpp (attempts, slots, deadlines). For these only.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "actors/alarm_clock.hpp"
#include "actors/model/model_attempts.hpp"
#include "actors/model/model_stream.hpp"
#include "actors/model/model_stream_intake.hpp"
#include "actors/monitors.hpp"
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

  /// The model has said that it is done, or continues nevertheless.
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

///     start --> [queued] --> attempt --first event--> telling --end--> over
///                  ^          |    ^
///                  | fallback |    | delay
///                  '----------+----'   a failure before the first event
struct model_stream_state {
  static inline const char* name = "troupe.model_stream";
  using time_point = model_deadlines::time_point;

  explicit model_stream_state(model_stream_actor::pointer ptr) : self{ptr} {}
  model_stream_actor::behavior_type make_behavior();

  time_point now() const { return self->clock().now(); }
  int64_t since(time_point start) const; ///< microseconds

  // -- attempts begin

  void start();
  void use_model();
  bool ask_for_slot(); ///< false: there is nobody who limits anything
  void on_slot(const slot_answer& answer);
  void on_limiter_lost();
  void leave_queue();
  void leave_slot(); ///< or the wish for one
  void begin_attempt();

  // -- the answer

  void on_part(const http_part& part);
  void on_flow(const flow_control& flow);
  void look_at_reads();
  model_end finish(const failure& cut, failure meaning, std::vector<event>& events);
  void take(model_end& end, std::vector<event>& events);
  void begin_telling();
  void tell(model_end& end, std::vector<event> events);
  model_report report_of(model_end& end);

  // -- an attempt failed, or time is over

  void fail(failure why);
  void try_again(std::chrono::milliseconds delay);
  bool ask_otherwise(const model_end& end);
  bool fall_back(); ///< false: there is no other model
  void on_fallback(fallback_request& made);
  void give_up(failure why);
  void on_tick();
  void on_deadline(errc code);
  void on_end_grace(); ///< the terminator did not come
  void wake_in_time();

  model_stream_actor::pointer self;
  model_reader_actor reader;
  model_stream_config spec; ///< its model and request are those of the moment
  shared_model asked_for;
  monitors watched{self};
  model_attempts attempts;
  model_deadlines deadlines{{}, {}};
  alarm_clock alarm;
  std::shared_ptr<model_stream_intake> intake; ///< of the attempt that runs
  std::unique_ptr<http_exchange> exchange;     ///< its end closes the connection
  time_point started{};
  time_point queued_at{};
  time_point seen_read{}; ///< of the last bytes that went by, as far as is known here
  time_point retry_at = model_deadlines::never;
  model_report report;
  std::string retry_after; ///< of the attempt's answer, as its status
  uint16_t status = 0;
  int8_t should_retry = -1;               ///< http_part::should_retry of that answer
  failure refused;                        ///< while the same request in another form is waited for
  bool sealed_reasoning_left_out = false; ///< the model was asked for that request, or given it
  bool learned = false;                   ///< the model is asked as its refusal has taught
  std::vector<std::string> taught;        ///< parameters that the model has refused
  bool queued = false;                    ///< waits for a slot
  bool telling = false;                   ///< the first event has come
  bool paused = false;
};

} // namespace troupe

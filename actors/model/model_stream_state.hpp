// The state of a model_stream; its member functions are in model_stream.cpp (the answer) and
// model_stream_attempts.cpp (attempts, slots, deadlines). For these only.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "actors/alarm_clock.hpp"
#include "actors/model/model_attempts.hpp"
#include "actors/model/model_deadlines.hpp"
#include "actors/model/model_stream.hpp"
#include "actors/model/model_stream_intake.hpp"
#include "actors/monitors.hpp"

namespace troupe {

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
  bool ask_otherwise(const failure& why);
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
  int8_t should_retry = -1;    ///< http_part::should_retry of that answer
  failure refused;             ///< while the same request in another form is waited for
  bool seals_left_out = false; ///< the model was asked for that request, or given it
  bool learned = false;        ///< the model is asked as its refusal has taught
  bool queued = false;         ///< waits for a slot
  bool telling = false;        ///< the first event has come
  bool paused = false;
};

} // namespace troupe

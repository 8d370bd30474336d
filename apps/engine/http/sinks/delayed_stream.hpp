// The events of a turn as a stream in a protocol of others.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>

#include "apps/engine/http/sinks/compat_answer.hpp"
#include "apps/engine/http/sinks/stream_keep_alive.hpp"
#include "messages/chat/events.hpp"
#include "messages/json.hpp"

namespace troupe {

/// A streamed answer that begins with the first bytes of its encoder or, if that takes long, with a
/// sign of life. A turn that fails before gets an error status. Has a lock because the keep-alive
/// timer may run on another thread than the turn. @tparam Encoder encode(event_batch, json_buffer&)
template <class Encoder>
class delayed_stream final : public held_back_stream {
public:
  delayed_stream(compat_answer to, Encoder encoder)
      : to_(std::move(to)), encoder_(std::move(encoder)) {}

  http_response& response() { return *to_.response; }

  void send_keep_alive() override {
    std::lock_guard guard{mutex_};
    if (!begun_) {
      begin();
      response().write(to_.sign_of_life);
    }
  }

  bool take(const event_batch& batch) {
    std::lock_guard guard{mutex_};
    if (const auto* failed = std::get_if<session_error>(&batch.events.back()); failed && !begun_) {
      fail(failed->why());
      return true;
    }
    return write(batch);
  }

  void refuse(const failure& why) {
    std::lock_guard guard{mutex_};
    if (!begun_)
      return fail(why);
    event_batch last;
    last.events.emplace_back(session_error::of(why));
    write(last);
  }

private:
  void begin() {
    begun_ = true;
    auto all = to_.head(to_.stream_type);
    all.push_back({"cache-control", "no-cache"});
    all.push_back({"x-accel-buffering", "no"});
    response().start(200, all);
    response().keep_alive(to_.sign_of_life);
  }

  /// Answers a turn that failed before anything was shown.
  void fail(const failure& why) {
    begun_ = true;
    to_.refuse(response(), why, to_.extra);
  }

  bool write(const event_batch& batch) {
    thread_local json_buffer bytes;
    bytes.clear();
    encoder_.encode(batch, bytes);
    const auto over = is_terminal(batch.events.back());
    if (bytes.size() == 0 && !over)
      return true;
    if (!begun_)
      begin();
    const auto wants_more = bytes.size() == 0 || response().write(view(bytes));
    if (over)
      response().finish();
    return wants_more;
  }

  std::mutex mutex_;
  compat_answer to_;
  Encoder encoder_;
  bool begun_ = false; ///< it has a head
};

template <class Encoder>
class delayed_stream_sink final : public event_sink {
public:
  explicit delayed_stream_sink(std::shared_ptr<delayed_stream<Encoder>> to) : to_{std::move(to)} {}

  void watch(std::function<void(response_signal)> watcher) override {
    to_->response().watch(std::move(watcher));
  }
  bool deliver(const event_batch& batch) override { return to_->take(batch); }
  void refuse(const failure& why) override { to_->refuse(why); }

private:
  std::shared_ptr<delayed_stream<Encoder>> to_;
};

/// Makes a sink. @param keep_alive the timer for the sign of life; nullptr: none
template <class Encoder>
std::unique_ptr<event_sink> make_delayed_stream(compat_answer answer, Encoder encoder,
                                                stream_keep_alive* keep_alive) {
  // Not make_shared: the timer's weak_ptr would keep the whole object's memory.
  std::shared_ptr to{
      std::make_unique<delayed_stream<Encoder>>(std::move(answer), std::move(encoder))};
  if (keep_alive != nullptr)
    keep_alive->add(to);
  return std::make_unique<delayed_stream_sink<Encoder>>(std::move(to));
}

} // namespace troupe

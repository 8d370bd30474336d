#include "apps/engine/http/completions_sink.hpp"

#include <mutex>
#include <utility>
#include <variant>

#include "apps/engine/http/response_sink.hpp"

namespace troupe {

namespace {

/// OpenAI's clients try again by the status: after 408, 409, 429 and 5xx.
uint16_t status_of(errc code) {
  switch (code) {
  case errc::model_overloaded:
  case errc::model_busy:
  case errc::model_rate_limited:
  case errc::model_quota_exhausted:
    return 429;
  case errc::model_timeout:
  case errc::model_first_token_timeout:
  case errc::model_idle_timeout:
    return 504;
  case errc::model_unreachable:
  case errc::model_refused:
  case errc::model_failed:
  case errc::model_answer_invalid:
  case errc::model_stream_cut:
    return 502;
  default:
    return http_status(code);
  }
}

/// Returns the head of a good answer.
headers head_of(headers extra, std::string_view content_type) {
  extra.push_back({"content-type", std::string{content_type}});
  return extra;
}

/// A streamed answer that begins with the turn's first event or, if that takes long, with a
/// comment. Has a lock because the keep-alive timer may run on another thread than the turn.
class late_stream final : public held_back_stream {
public:
  late_stream(std::shared_ptr<http_response> response, const completion_identity& identity,
              bool include_usage, headers extra)
      : response_(std::move(response)), extra_(std::move(extra)),
        encoder_(identity, include_usage) {}

  http_response& response() { return *response_; }

  void send_keep_alive() override {
    std::lock_guard guard{mutex_};
    if (!begun_) {
      begin();
      response_->write(comment);
    }
  }

  bool take(const event_batch& batch) {
    std::lock_guard guard{mutex_};
    if (const auto* failed = std::get_if<session_error>(&batch.events.back()); failed && !begun_) {
      fail({failed->error, failed->error_text});
      return true;
    }
    return write(batch);
  }

  void refuse(const failure& why) {
    std::lock_guard guard{mutex_};
    if (!begun_)
      return fail(why);
    event_batch last;
    last.events.emplace_back(session_error{why.code, why.text(), retryable(why.code)});
    write(last);
  }

private:
  static constexpr std::string_view comment = ": keep-alive\n\n";

  void begin() {
    begun_ = true;
    auto all = head_of(extra_, "text/event-stream");
    all.push_back({"cache-control", "no-cache"});
    all.push_back({"x-accel-buffering", "no"});
    response_->start(200, all);
    response_->keep_alive(comment);
  }

  /// Answers a turn that failed before anything was shown.
  void fail(const failure& why) {
    begun_ = true;
    send_completions_error(*response_, why, extra_);
  }

  bool write(const event_batch& batch) {
    thread_local json_buffer bytes;
    bytes.clear();
    encoder_.encode(batch, bytes);
    if (bytes.size() == 0)
      return true;
    if (!begun_)
      begin();
    auto wants_more = response_->write(view(bytes));
    if (is_terminal(batch.events.back()))
      response_->finish();
    return wants_more;
  }

  std::mutex mutex_;
  std::shared_ptr<http_response> response_;
  headers extra_;
  completions_stream encoder_;
  bool begun_ = false; ///< it has a head
};

class chunk_stream_sink final : public event_sink {
public:
  explicit chunk_stream_sink(std::shared_ptr<late_stream> to) : to_{std::move(to)} {}

  void watch(std::function<void(response_signal)> watcher) override {
    to_->response().watch(std::move(watcher));
  }
  bool deliver(const event_batch& batch) override { return to_->take(batch); }
  void refuse(const failure& why) override { to_->refuse(why); }

private:
  std::shared_ptr<late_stream> to_;
};

class whole_sink final : public event_sink {
public:
  whole_sink(std::shared_ptr<http_response> response, completion_identity identity, headers extra)
      : response_(std::move(response)), extra_(std::move(extra)), collector_(std::move(identity)) {}

  void watch(std::function<void(response_signal)> watcher) override {
    response_->watch(std::move(watcher));
  }

  bool deliver(const event_batch& batch) override {
    collector_.take(batch);
    if (!is_terminal(batch.events.back()))
      return true;
    if (collector_.error())
      refuse(collector_.error());
    else
      response_->send(200, head_of(extra_, "application/json"), collector_.body());
    return true;
  }

  void refuse(const failure& why) override { send_completions_error(*response_, why, extra_); }

private:
  std::shared_ptr<http_response> response_;
  headers extra_;
  completion_collector collector_;
};

} // namespace

std::unique_ptr<event_sink> completions_stream_sink(std::shared_ptr<http_response> response,
                                                    const completion_identity& identity,
                                                    bool include_usage, headers extra,
                                                    stream_keep_alive* keep_alive) {
  // Not make_shared: the timer's weak_ptr would keep the whole object's memory.
  std::shared_ptr<late_stream> to =
      std::make_unique<late_stream>(std::move(response), identity, include_usage, std::move(extra));
  if (keep_alive != nullptr)
    keep_alive->add(to);
  return std::make_unique<chunk_stream_sink>(std::move(to));
}

std::unique_ptr<event_sink> completion_sink(std::shared_ptr<http_response> response,
                                            completion_identity identity, headers extra) {
  return std::make_unique<whole_sink>(std::move(response), std::move(identity), std::move(extra));
}

void send_completions_error(http_response& response, const failure& why, headers extra) {
  extra.push_back({"content-type", "application/json"});
  // OpenAI's clients repeat a failed request by its status, or as this header says.
  extra.push_back({"x-should-retry", retryable(why.code) ? "true" : "false"});
  response.send(status_of(why.code), extra, completions_error(why));
}

} // namespace troupe

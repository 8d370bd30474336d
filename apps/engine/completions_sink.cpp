#include "apps/engine/completions_sink.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "apps/engine/response_sink.hpp"

namespace troupe {

namespace {

/// OpenAI's clients try again by the status: after 408, 409, 429 and 5xx.
uint16_t status_of(errc code) {
  switch (code) {
  case errc::model_overloaded:
  case errc::model_busy:
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

/// Both answers: who is told of the client, and what is done for a turn that was not accepted.
class completions_sink : public event_sink {
public:
  completions_sink(std::shared_ptr<http_response> response, headers extra)
      : response_(std::move(response)), extra_(std::move(extra)) {}

  void watch(std::function<void(response_signal)> watcher) final {
    response_->watch(std::move(watcher));
  }

  void refuse(const failure& why) final { send_completions_error(*response_, why, extra_); }

protected:
  /// Returns the head of a good answer.
  headers head(std::string_view content_type) const {
    auto all = extra_;
    all.push_back({"content-type", std::string{content_type}});
    return all;
  }

  std::shared_ptr<http_response> response_;

private:
  headers extra_;
};

class stream_sink final : public completions_sink {
public:
  stream_sink(std::shared_ptr<http_response> response, const completion_identity& identity,
              bool include_usage, headers extra)
      : completions_sink(std::move(response), std::move(extra)), encoder_(identity, include_usage) {
  }

  bool deliver(const event_batch& batch) final {
    if (!started_ && fails(batch))
      return true;
    thread_local json_buffer bytes;
    bytes.clear();
    encoder_.encode(batch, bytes);
    if (bytes.size() == 0)
      return true;
    if (!std::exchange(started_, true)) {
      auto all = head("text/event-stream");
      all.push_back({"cache-control", "no-cache"});
      all.push_back({"x-accel-buffering", "no"});
      response_->start(200, all);
      response_->keep_alive(": keep-alive\n\n");
    }
    auto wants_more = response_->write(view(bytes));
    if (is_terminal(batch.events.back()))
      response_->finish();
    return wants_more;
  }

private:
  /// Answers a turn that failed before anything was shown.
  bool fails(const event_batch& batch) {
    const auto* failed = std::get_if<session_error>(&batch.events.back());
    if (failed == nullptr)
      return false;
    refuse({failed->error, failed->error_text});
    return true;
  }

  completions_stream encoder_;
  bool started_ = false;
};

class whole_sink final : public completions_sink {
public:
  whole_sink(std::shared_ptr<http_response> response, completion_identity identity, headers extra)
      : completions_sink(std::move(response), std::move(extra)), collector_(std::move(identity)) {}

  bool deliver(const event_batch& batch) final {
    collector_.take(batch);
    if (!is_terminal(batch.events.back()))
      return true;
    if (collector_.error())
      refuse(collector_.error());
    else
      response_->send(200, head("application/json"), collector_.body());
    return true;
  }

private:
  completion_collector collector_;
};

} // namespace

std::unique_ptr<event_sink> completions_stream_sink(std::shared_ptr<http_response> response,
                                                    const completion_identity& identity,
                                                    bool include_usage, headers extra) {
  return std::make_unique<stream_sink>(std::move(response), identity, include_usage,
                                       std::move(extra));
}

std::unique_ptr<event_sink> completion_sink(std::shared_ptr<http_response> response,
                                            completion_identity identity, headers extra) {
  return std::make_unique<whole_sink>(std::move(response), std::move(identity), std::move(extra));
}

void send_completions_error(http_response& response, const failure& why, headers extra) {
  extra.push_back({"content-type", "application/json"});
  // OpenAI's clients repeat what failed, by its status or as this says.
  extra.push_back({"x-should-retry", retryable(why.code) ? "true" : "false"});
  response.send(status_of(why.code), extra, completions_error(why));
}

} // namespace troupe

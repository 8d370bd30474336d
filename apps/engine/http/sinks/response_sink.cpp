#include "apps/engine/http/sinks/response_sink.hpp"

#include <utility>

#include "messages/wire/clients/native_stream.hpp"

namespace troupe {

namespace {

/// The part that both formats share: the head, one write per batch, the end.
class stream_sink : public event_sink {
public:
  /// @param extra goes into the head of the answer, too
  stream_sink(std::shared_ptr<http_response> response, const headers& head, headers extra)
      : response_(std::move(response)), extra_(std::move(extra)), head_(head) {}

  void watch(std::function<void(response_signal)> watcher) final {
    response_->watch(std::move(watcher));
  }

  bool deliver(const event_batch& batch) final {
    thread_local json_buffer bytes;
    bytes.clear();
    encode(batch, bytes);
    if (!std::exchange(started_, true))
      start();
    auto wants_more = response_->write(view(bytes));
    if (!batch.events.empty() && is_terminal(batch.events.back()))
      response_->finish();
    return wants_more;
  }

  /// A client that resumes and finds no turn gets 204: it has made no mistake.
  void refuse(const failure& why) final {
    if (why.code == errc::turn_not_running)
      return response_->send(204, extra_, "");
    send_refusal(why);
  }

protected:
  virtual void encode(const event_batch& batch, json_buffer& out) = 0;
  virtual void send_refusal(const failure& why) { send_error(*response_, why, extra_); }

  std::shared_ptr<http_response> response_;
  headers extra_;

private:
  void start() {
    extra_.insert(extra_.end(), head_.begin(), head_.end());
    response_->start(200, extra_);
    response_->keep_alive(": keep-alive\n\n");
  }

  const headers& head_;
  bool started_ = false;
};

class ui_sink final : public stream_sink {
public:
  ui_sink(std::shared_ptr<http_response> response, ui_profile profile, headers extra)
      : stream_sink(std::move(response), ui_message_stream::head(), std::move(extra)),
        encoder_(profile) {}

private:
  void send_refusal(const failure& why) override {
    extra_.push_back({"content-type", "text/plain; charset=utf-8"});
    add_retry_after(extra_, why.code);
    response_->send(http_status(why.code), extra_, why.text());
  }

  void encode(const event_batch& batch, json_buffer& out) override { encoder_.encode(batch, out); }

  ui_message_stream encoder_;
};

class native_sink final : public stream_sink {
public:
  native_sink(std::shared_ptr<http_response> response, headers extra)
      : stream_sink(std::move(response), native_stream_head(), std::move(extra)) {}

private:
  void encode(const event_batch& batch, json_buffer& out) override {
    append_native_sse(out, batch);
  }
};

} // namespace

uint16_t http_status(errc code) {
  switch (code) {
  case errc::request_invalid:
  case errc::tool_arguments_invalid:
  case errc::config_invalid:
  case errc::model_request_invalid:
    return 400;
  case errc::session_unknown:
  case errc::model_unknown:
  case errc::tool_unknown:
  case errc::server_unknown:
  case errc::not_found:
  case errc::conversation_unknown:
  case errc::file_unknown:
    return 404;
  case errc::unauthorized:
    return 401;
  case errc::forbidden:
  case errc::origin_refused:
    return 403;
  case errc::conversation_changed:
    return 412;
  case errc::rate_limited:
  case errc::too_many_turns:
    return 429;
  case errc::method_not_allowed:
    return 405;
  case errc::session_busy:
  case errc::conversation_exists:
    return 409;
  case errc::request_too_large:
    return 413;
  case errc::encoding_unsupported:
    return 415;
  case errc::capability_missing:
    return 501;
  case errc::tool_failed:
  case errc::tool_result_invalid:
  case errc::server_lost:
  case errc::server_refused:
  case errc::server_protocol:
  case errc::server_start_failed:
  case errc::server_session_lost:
  case errc::outcome_unknown:
    return 502;
  case errc::shutting_down:
  case errc::too_many_sessions:
  case errc::too_many_connections:
  case errc::server_unavailable:
  case errc::store_full:
  case errc::store_read_only:
  case errc::store_locked:
  case errc::store_damaged:
  case errc::store_failed:
  case errc::store_timeout:
  case errc::turn_lost:
  case errc::store_unreachable:
  case errc::owner_unreachable:
    return 503;
  case errc::not_owner:
    return 421;
  case errc::tool_timeout:
    return 504;
  case errc::quota_used_up:
    return 507;
  default:
    return 500;
  }
}

void add_retry_after(headers& out, errc code) {
  if (code == errc::store_unreachable || code == errc::owner_unreachable)
    out.push_back({"retry-after", "1"});
}

void send_error(http_response& response, const failure& why, headers extra) {
  json_buffer body;
  append_raw(body, R"({"error":{"code":)");
  append_json(body, why.code);
  append_raw(body, R"(,"message":)");
  append_json(body, why.text());
  append_raw(body, R"(,"retryable":)");
  append_json(body, retryable(why.code));
  append_raw(body, "}}");
  extra.push_back({"content-type", "application/json"});
  add_retry_after(extra, why.code);
  response.send(http_status(why.code), extra, std::string{view(body)});
}

std::unique_ptr<event_sink> ui_stream_sink(std::shared_ptr<http_response> response,
                                           ui_profile profile, headers extra) {
  return std::make_unique<ui_sink>(std::move(response), profile, std::move(extra));
}

std::unique_ptr<event_sink> native_stream_sink(std::shared_ptr<http_response> response,
                                               headers extra) {
  return std::make_unique<native_sink>(std::move(response), std::move(extra));
}

} // namespace troupe

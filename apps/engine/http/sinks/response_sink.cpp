#include "apps/engine/http/sinks/response_sink.hpp"

#include <utility>

#include "messages/json_object.hpp"
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
    add_retry_after(extra_, why);
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

void add_retry_after(headers& out, const failure& why) {
  if (why.retry_after_ms > 0)
    out.push_back({"retry-after", std::to_string((why.retry_after_ms - 1) / 1000 + 1)});
  else if (why.code == errc::store_unreachable || why.code == errc::owner_unreachable)
    out.push_back({"retry-after", "1"});
}

void send_error(http_response& response, const failure& why, headers extra) {
  json_buffer body;
  append_error(json_object{body}.key("error"), why);
  extra.push_back({"content-type", "application/json"});
  add_retry_after(extra, why);
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

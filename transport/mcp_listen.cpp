#include "transport/mcp_listen.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

mcp_listen::mcp_listen(mcp_http_session& session, receiver received, std::function<void()> lost)
    : session_{session}, received_{std::move(received)}, lost_{std::move(lost)},
      answer_{session.limits.answer_bytes}, again_{session.home, [this] { start(); }} {}

void mcp_listen::start() {
  answer_.start_over();
  auto request = session_.request("GET", "text/event-stream");
  if (!answer_.last_event_id().empty())
    request.fields.push_back({"Last-Event-ID", answer_.last_event_id()});
  call_ = session_.open(std::move(request), [this](http_part&& part) { on_part(part); });
}

void mcp_listen::on_part(const http_part& part) {
  auto messages = answer_.take(part);
  if (!messages.empty()) {
    delay_ = delay_.zero();
    received_(std::move(messages));
  }
  if (answer_.overflowed())
    call_.reset();
  else if (part.last)
    on_last();
}

void mcp_listen::on_last() {
  call_.reset();
  offered_ = offered_ || answer_.is_event_stream();
  if (offered_ && session_.is_lost(answer_.status(), answer_.body())) {
    const auto lost = std::move(lost_); // it may destroy us
    return lost();
  }
  const bool unreachable = answer_.status() == 0 || answer_.status() >= 500;
  if (!unreachable && !answer_.is_event_stream())
    return; // not offered
  const auto& limits = session_.limits;
  const auto wish = answer_.retry() < answer_.retry().zero() ? limits.retry : answer_.retry();
  delay_ = std::min(std::max(wish, delay_ * 2), std::max(wish, limits.longest_retry));
  again_.start(delay_);
}

} // namespace troupe

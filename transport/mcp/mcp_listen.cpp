#include "transport/mcp/mcp_listen.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

/// A server that asks for less than this is reopened later and later, as if it had not asked.
constexpr std::chrono::milliseconds least_retry{100};

/// Failed openings in a row before a report: a server that restarts may be away for a moment.
constexpr int tries_before_unreachable = 3;

} // namespace

mcp_listen::mcp_listen(mcp_http_session& session, mcp_listen_listener& listener)
    : session_{session}, listener_{listener}, answer_{session.limits.answer_bytes},
      again_{session.home, [this] { start(); }} {}

void mcp_listen::start() {
  answer_.start_over();
  auto request = session_.request("GET", "text/event-stream");
  if (!answer_.last_event_id().empty())
    request.fields.push_back({"Last-Event-ID", answer_.last_event_id()});
  call_ = session_.open(std::move(request), [this](http_part&& part) { on_part(part); });
}

void mcp_listen::on_part(const http_part& part) {
  auto messages = answer_.take(part);
  call_->pace(part, messages.size());
  if (!messages.empty()) {
    delay_ = delay_.zero();
    listener_.listen_received(std::move(messages));
  }
  if (answer_.overflowed()) {
    call_.reset();
    listener_.listen_broken(fmt::format("MCP server '{}' sent a message of more than {} bytes",
                                        session_.config.name, session_.limits.answer_bytes));
  } else if (part.last) {
    on_last(part);
  }
}

void mcp_listen::on_last(const http_part& part) {
  call_.reset();
  offered_ = offered_ || answer_.is_event_stream();
  if (offered_ && session_.has_begun())
    if (const auto refusal = read_refusal(answer_.status(), answer_.body(), 0);
        shows_lost_session(refusal))
      return listener_.listen_lost(session_.describe_loss(refusal));
  const bool failed = answer_.status() == 0 || may_pass(answer_.status());
  if (!failed && !answer_.is_event_stream())
    return; // the server offers no stream
  delay_ = next_delay();
  again_.start(delay_);
  const bool unconnected =
      part.error == errc::connect_failed || part.error == errc::connect_timeout;
  unreachable_ = unconnected ? unreachable_ + 1 : 0;
  if (unreachable_ >= tries_before_unreachable)
    listener_.listen_unreachable(
        fmt::format("MCP server '{}': {}", session_.config.name, part.error_text));
}

std::chrono::milliseconds mcp_listen::next_delay() const {
  const auto& limits = session_.limits;
  const bool asked = answer_.retry() >= answer_.retry().zero();
  const auto wish = asked ? answer_.retry() : limits.retry;
  if (asked && answer_.is_event_stream() && wish >= least_retry)
    return wish;
  const auto least = std::max(wish, std::min(least_retry, limits.retry));
  return std::min(std::max(least, delay_ * 2), std::max(least, limits.longest_retry));
}

} // namespace troupe

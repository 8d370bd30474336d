#include "transport/mcp/mcp_sse.hpp"

#include <utility>

#include <fmt/format.h>

#include "transport/mcp/mcp_http_url.hpp"

namespace troupe {

mcp_sse::mcp_sse(mcp_http_session& session, mcp_sse_listener& listener)
    : session_{session}, listener_{listener}, answer_{session.limits.answer_bytes},
      patience_{session.home, [this] {
                  fail(errc::server_unavailable,
                       fmt::format("its event stream named no endpoint within {} ms",
                                   connect_limit(session_.config).count()));
                }} {}

void mcp_sse::start() {
  patience_.start(connect_limit(session_.config));
  call_ = session_.open(session_.request("GET", "text/event-stream"),
                        [this](http_part&& part) { on_part(part); });
}

void mcp_sse::on_part(const http_part& part) {
  auto messages = answer_.take(part);
  call_->pace(part, messages.size());
  if (!ready_ && answer_.is_event_stream() && !answer_.endpoint().empty())
    find_endpoint();
  if (over_)
    return;
  if (!messages.empty())
    listener_.sse_received(std::move(messages));
  if (answer_.overflowed())
    fail(errc::server_protocol,
         fmt::format("it sent an event of more than {} bytes", session_.limits.answer_bytes));
  else if (part.last)
    on_last(part);
}

void mcp_sse::find_endpoint() {
  const auto& named = answer_.endpoint();
  auto [url, same_origin] = resolve_url(session_.config.url, named);
  if (!same_origin)
    return fail(errc::server_protocol,
                fmt::format("its endpoint '{}' is not of its own origin {}", session_.quote(named),
                            origin_of(session_.config.url)));
  ready_ = true;
  patience_.stop();
  listener_.sse_ready(std::move(url));
}

void mcp_sse::on_last(const http_part& part) {
  if (!ready_ && answer_.status() >= 300)
    return end(errc::server_unavailable,
               session_.describe_refusal(answer_, "GET", part.error_text));
  if (part.error != errc::none)
    return fail(ready_ ? errc::server_lost : errc::server_unavailable, part.error_text);
  if (ready_)
    return fail(errc::server_lost, "its event stream ended");
  fail(errc::server_unavailable, answer_.is_event_stream()
                                     ? "its event stream ended before it named an endpoint"
                                     : "it answered GET with no event stream");
}

void mcp_sse::fail(errc error, std::string_view why) {
  end(error, fmt::format("MCP server '{}': {}", session_.config.name, why));
}

void mcp_sse::end(errc error, std::string text) {
  if (std::exchange(over_, true))
    return;
  call_.reset();
  patience_.stop();
  listener_.sse_ended(error, std::move(text));
}

} // namespace troupe

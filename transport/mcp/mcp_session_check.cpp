#include "transport/mcp/mcp_session_check.hpp"

#include <string>
#include <utility>

#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

namespace {

/// No other request gets so far. Numbers of JavaScript hold it.
constexpr int64_t ping_id = 9'000'000'000'000'000;

constexpr size_t answer_bytes = 256 * 1024;

} // namespace

mcp_session_check::mcp_session_check(mcp_http_session& session, mcp_refusal doubted, verdict tell)
    : session_{session}, doubted_{std::move(doubted)}, tell_{std::move(tell)},
      answer_{answer_bytes}, patience_{session.home, [this] { end(false); }} {}

void mcp_session_check::start() {
  auto request = session_.request("POST", "application/json, text/event-stream");
  request.fields.push_back({"Content-Type", "application/json"});
  request.body = jsonrpc::make_request(ping_id, "ping", "");
  patience_.start(session_.limits.check);
  call_ = session_.open(std::move(request), [this](http_part&& part) { on_part(part); });
}

void mcp_session_check::on_part(const http_part& part) {
  const auto messages = answer_.take(part);
  if (!messages.empty()) // a stream may stay open behind its answer
    return judge(read_refusal(answer_.status(), messages.front(), ping_id));
  if (part.error != errc::none || answer_.overflowed())
    return end(false);
  if (part.last)
    judge(read_refusal(answer_.status(), answer_.body(), ping_id));
}

void mcp_session_check::judge(const mcp_refusal& got) {
  const bool refused = got.status >= 300 || got.is_error;
  end(refused && (shows_lost_session(got) || got.same_as(doubted_)));
}

void mcp_session_check::end(bool lost) {
  patience_.stop();
  if (const auto tell = std::exchange(tell_, nullptr))
    tell(lost);
}

} // namespace troupe

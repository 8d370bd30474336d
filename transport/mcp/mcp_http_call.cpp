#include "transport/mcp/mcp_http_call.hpp"

#include <chrono>
#include <deque>
#include <string>
#include <utility>

#include "transport/loop/rest_timer.hpp"
#include "transport/mcp/mcp_http_session.hpp"
#include "transport/mcp/mcp_http_url.hpp"

namespace troupe {

namespace {

constexpr int most_redirects = 3;

/// The part of an event stream that is handled at once: other channels wait while its messages are
/// handled.
constexpr size_t slice_bytes = 2 * 1024;

} // namespace

/// The state that the parts need; it may outlive the call while a part is being handled.
struct mcp_http_call::route : std::enable_shared_from_this<route> {
  route(mcp_http_session& of, http_request what, handler then)
      : session{of}, request{std::move(what)}, handle{std::move(then)}, throttle{of.limits.flood} {}

  void open();
  void on_part(http_part&& part);
  bool redirected(http_part& part);
  void queue(http_part&& part);
  void handle_waiting();
  void rest(std::chrono::milliseconds time);

  mcp_http_session& session;
  http_request request; // until the head of the answer
  handler handle;
  uint64_t number = 0; // of the current exchange; parts of others are dropped
  int redirects = 0;
  bool opening = false;
  bool streams = false; // events
  bool paused = false;
  bool rests = false;   // no part is handled until goes_on fires
  bool brought = false; // the present slice contains the end of a message
  std::unique_ptr<http_exchange> exchange;
  mcp_throttle throttle; // one per stream: many short answers are no flood
  std::deque<http_part> waiting;
  std::unique_ptr<rest_timer> goes_on;
};

void mcp_http_call::route::open() {
  number = session.next_number();
  opening = true;
  auto deliver = [weak = weak_from_this(), &home = session.home](http_part&& part) {
    // A port may answer from another thread, or even before open() returns.
    const auto way = home.is_current() ? weak.lock() : nullptr;
    if (way && !way->opening)
      return way->on_part(std::move(part));
    home.post([weak, part = std::move(part)]() mutable {
      if (const auto later = weak.lock())
        later->on_part(std::move(part));
    });
  };
  exchange = session.port().open(http_request{request}, number, std::move(deliver));
  opening = false;
}

void mcp_http_call::route::on_part(http_part&& part) {
  if (part.exchange != number || redirected(part))
    return;
  if (part.status != 0) {
    request = {};
    streams = part.content_type.find("event-stream") != std::string::npos;
  }
  queue(std::move(part));
  if (!rests)
    handle_waiting();
}

/// Queues a part in slices: the first has the head, the last one the end.
void mcp_http_call::route::queue(http_part&& part) {
  if (!streams || part.bytes.size() <= slice_bytes)
    return waiting.push_back(std::move(part));
  const auto bytes = std::exchange(part.bytes, {});
  const auto last = std::exchange(part.last, false);
  const auto error = std::exchange(part.error, errc::none);
  auto error_text = std::exchange(part.error_text, {});
  for (size_t at = 0; at < bytes.size(); at += slice_bytes) {
    part.exchange = number;
    part.bytes = bytes.substr(at, slice_bytes);
    waiting.push_back(std::exchange(part, {}));
  }
  waiting.back().last = last;
  waiting.back().error = error;
  waiting.back().error_text = std::move(error_text);
}

/// Between two slices with messages the loop serves other channels.
void mcp_http_call::route::handle_waiting() {
  const auto self = shared_from_this(); // the handler may destroy the call
  rests = false;
  while (!rests && !waiting.empty()) {
    auto part = std::move(waiting.front());
    waiting.pop_front();
    brought = false;
    handle(std::move(part));
    if (number == 0)
      return;
    if (brought && !rests && !waiting.empty())
      rest({});
  }
  if (!rests && paused && exchange) {
    paused = false;
    exchange->resume();
  }
}

void mcp_http_call::route::rest(std::chrono::milliseconds time) {
  rests = true;
  if (exchange && !std::exchange(paused, true))
    exchange->pause();
  if (!goes_on)
    goes_on = std::make_unique<rest_timer>(session.home, [this] { handle_waiting(); });
  goes_on->start(time);
}

/// Follows a redirect. If it cannot, makes the target absolute for the error text.
bool mcp_http_call::route::redirected(http_part& part) {
  if (part.location.empty() || request.url.empty())
    return false;
  const auto target = resolve_url(request.url, part.location);
  if (!target.url.empty())
    part.location = target.url;
  if ((part.status != 307 && part.status != 308) || !target.same_origin ||
      redirects == most_redirects)
    return false;
  ++redirects;
  request.url = target.url;
  exchange.reset();
  open();
  return true;
}

mcp_http_call::mcp_http_call(mcp_http_session& session, http_request request, handler handle)
    : route_{std::make_shared<route>(session, std::move(request), std::move(handle))} {
  route_->open();
}

mcp_http_call::~mcp_http_call() {
  route_->number = 0;
  route_->goes_on.reset();
  route_->exchange.reset();
}

void mcp_http_call::pace(const http_part& part, size_t messages) {
  route_->brought = messages > 0;
  if (part.last || !route_->exchange)
    return;
  const auto rest = route_->throttle.take(messages, part.bytes.size(), mcp_throttle::clock::now());
  if (rest > rest.zero())
    route_->rest(rest);
}

} // namespace troupe

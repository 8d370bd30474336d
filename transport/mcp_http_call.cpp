#include "transport/mcp_http_call.hpp"

#include <chrono>
#include <utility>

#include "transport/mcp_http_session.hpp"
#include "transport/mcp_http_url.hpp"

namespace troupe {

namespace {

constexpr int most_redirects = 3;

} // namespace

/// What the parts find on their way; it may outlive the call by the part being handled.
struct mcp_http_call::route : std::enable_shared_from_this<route> {
  route(mcp_http_session& of, http_request what, handler then)
      : session{of}, request{std::move(what)}, handle{std::move(then)}, throttle{of.limits.flood} {}

  void open();
  void on_part(http_part&& part);
  bool redirected(http_part& part);

  mcp_http_session& session;
  http_request request; // until the head of the answer
  handler handle;
  uint64_t number = 0; // of the exchange that counts
  int redirects = 0;
  bool opening = false;
  std::unique_ptr<http_exchange> exchange;
  mcp_throttle throttle; // each stream its own: many short answers are no flood
  std::unique_ptr<timer> reads_on;
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
  if (part.status != 0)
    request = {};
  handle(std::move(part));
}

/// Follows a redirect, or makes its target absolute for those who explain why not.
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
  route_->reads_on.reset();
  route_->exchange.reset();
}

void mcp_http_call::pace(const http_part& part, size_t messages) {
  auto& it = *route_;
  if (part.last || !it.exchange)
    return;
  const auto rest = it.throttle.take(messages, part.bytes.size(), mcp_throttle::clock::now());
  if (rest == rest.zero())
    return;
  it.exchange->pause();
  if (!it.reads_on)
    it.reads_on = std::make_unique<timer>(it.session.home, [&it] {
      if (it.exchange)
        it.exchange->resume();
    });
  it.reads_on->start(rest);
}

} // namespace troupe

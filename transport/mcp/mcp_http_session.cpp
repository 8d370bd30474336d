#include "transport/mcp/mcp_http_session.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "transport/loop/rest_timer.hpp"
#include "transport/mcp/mcp_http_url.hpp"

namespace troupe {

// -- mcp http call --------------------------------------------------------------------------------

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

// -- mcp http session -----------------------------------------------------------------------------

namespace {

/// The part of a body that is searched for secrets before its beginning is quoted.
constexpr size_t quoted_bytes = 4096;

/// Shorter header values are not secret, and would be found everywhere.
constexpr size_t secret_bytes = 6;

void hide(std::string& in, std::string_view secret) {
  if (secret.size() < secret_bytes)
    return;
  for (auto at = in.find(secret); at != in.npos; at = in.find(secret, at + 3))
    in.replace(at, secret.size(), "***");
}

} // namespace

http_request mcp_http_session::request(std::string method, std::string accept) const {
  http_request out;
  out.method = std::move(method);
  out.url = config.url;
  out.proxy = config.proxy;
  out.deadlines = {connect_limit(config), {}, {}, {}};
  out.fields = config.http_headers;
  if (!accept.empty())
    out.fields.push_back({"Accept", std::move(accept)});
  if (!id.empty())
    out.fields.push_back({"Mcp-Session-Id", id});
  if (!version.empty())
    out.fields.push_back({"MCP-Protocol-Version", version});
  return out;
}

std::unique_ptr<mcp_http_call> mcp_http_session::open(http_request request,
                                                      mcp_http_call::handler handle) {
  return std::make_unique<mcp_http_call>(*this, std::move(request), std::move(handle));
}

void mcp_http_session::join(const std::string& session_id) {
  const auto visible = [](char c) { return c >= 0x21 && c <= 0x7E; };
  if (std::all_of(session_id.begin(), session_id.end(), visible))
    id = session_id;
}

std::string mcp_http_session::describe_loss(const mcp_refusal& refusal) const {
  return fmt::format("MCP server '{}': session expired (HTTP {}) {}", config.name, refusal.status,
                     quote(refusal.words));
}

std::string mcp_http_session::describe_refusal(const mcp_answer_reader& answer,
                                               std::string_view what, std::string_view why) const {
  const auto status = answer.status();
  auto text = fmt::format("MCP server '{}' answered {} with HTTP {}", config.name, what, status);
  const auto said = quote(answer.body());
  if (status >= 400 && status != 401 && status != 403 && said.empty() && why.empty())
    return text + ", without a word";
  text += ": ";
  if (status == 401 || status == 403)
    text += R"(it wants another authorization, to be set in `headers` of this server, as in )"
            R"({"Authorization": "Bearer ..."}. )";
  else if (status < 400)
    text += fmt::format("this redirect to '{}' is not followed; if it is right, make it the `url` "
                        "of this server. ",
                        quote(answer.location()));
  return fmt::format("{}{}{}{}", text, said, said.empty() || why.empty() ? "" : "; ", why);
}

std::string mcp_http_session::quote(std::string_view text) const {
  std::string out{text.substr(0, quoted_bytes)};
  for (const auto& each : config.http_headers) {
    hide(out, each.value);
    hide(out, std::string_view{each.value}.substr(each.value.find_last_of(' ') + 1));
  }
  return excerpt(out);
}

} // namespace troupe

#include "transport/mcp/mcp_http.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/mcp/jsonrpc_peek.hpp"
#include "transport/loop/timer.hpp"
#include "transport/mcp/mcp_listen.hpp"
#include "transport/mcp/mcp_post.hpp"
#include "transport/mcp/mcp_sse.hpp"

namespace troupe {

// -- mcp http posts -------------------------------------------------------------------------------

/// Owns the POSTs, all in parallel. Loop thread only, or any single thread after stop(). Destroying
/// it cancels them, which is not allowed from within one of them.
class mcp_http_posts {
public:
  /// @param session, listener must outlive this
  mcp_http_posts(mcp_http_session& session, mcp_post_listener& listener)
      : session_{session}, listener_{listener} {}

  void start(mcp_outbound message);

  /// The request needs no answer any more. Does nothing for 0 and for unknown requests.
  void settle(int64_t request_id);

  /// Removes a post that is over. It may be the caller, so it is destroyed later.
  void retire(mcp_post& post);

  /// Cancels all posts; one of them may be the caller.
  void drop();

  /// Returns the requests whose answers are still awaited, in their order.
  std::vector<int64_t> awaited() const;

  /// Returns whether another request than that of `post` is under way, and not about to be refused.
  bool run_beside(const mcp_post& post) const;

  bool empty() const noexcept { return posts_.empty(); }

private:
  mcp_http_session& session_;
  mcp_post_listener& listener_;
  std::list<std::unique_ptr<mcp_post>> posts_;
};

void mcp_http_posts::start(mcp_outbound message) {
  posts_.push_back(std::make_unique<mcp_post>(session_, std::move(message), listener_));
  posts_.back()->start();
}

void mcp_http_posts::settle(int64_t request_id) {
  if (request_id == 0)
    return;
  for (const auto& each : posts_)
    if (each->request_id() == request_id)
      return each->settle();
}

void mcp_http_posts::retire(mcp_post& post) {
  for (auto each = posts_.begin(); each != posts_.end(); ++each)
    if (each->get() == &post) {
      session_.home.post([done = std::shared_ptr<mcp_post>{std::move(*each)}] {});
      posts_.erase(each);
      return;
    }
}

void mcp_http_posts::drop() {
  if (!posts_.empty())
    session_.home.post([done = std::make_shared<decltype(posts_)>(std::move(posts_))] {});
  posts_.clear();
}

std::vector<int64_t> mcp_http_posts::awaited() const {
  std::vector<int64_t> out;
  for (const auto& each : posts_)
    if (each->is_awaited())
      out.push_back(each->request_id());
  return out;
}

bool mcp_http_posts::run_beside(const mcp_post& post) const {
  return std::ranges::any_of(posts_, [&post](const auto& each) {
    return each.get() != &post && each->is_awaited() && !each->is_checking();
  });
}

// -- mcp http -------------------------------------------------------------------------------------

namespace {

/// Statuses with which servers that only speak HTTP+SSE answer initialize.
bool may_be_legacy(uint16_t status) {
  return status == 400 || status == 404 || status == 405;
}

//                      initialized accepted
//   (sse: endpoint) --> open ----------------> listening
//                        |  session lost           |
//                        +--> expired <------------+      close(): goodbye (DELETE)
//                               |                           |
//                               +--------> closed <---------+
class http_link final : public mcp_link, mcp_post_listener, mcp_sse_listener, mcp_listen_listener {
public:
  http_link(loop& home, http_port& http, const mcp_server_config& config, mcp_reporter reports,
            const mcp_http_limits& limits)
      : reports_(std::move(reports)), session_(home, http, config, limits),
        posts_(session_, listener()), expiry_over_(home, [this] { give_up_expired(); }),
        farewell_over_(home, [this] { finish(errc::none, {}); }) {}

  void start() override;
  void send(mcp_outbound message) override;
  void close() override;
  bool leave() override;

private:
  mcp_post_listener& listener() { return *this; }

  void post(mcp_outbound message);
  void release_held();
  void listen();
  void open_sse();
  void expire(std::string text);
  void end_expired();
  void give_up_expired();
  void drop_streams();
  void finish(errc error, std::string text);

  void post_received(mcp_post& post, std::vector<std::string> messages) override;
  void post_accepted(mcp_post& post) override;
  void post_saw_response(int64_t request_id) override { posts_.settle(request_id); }
  bool posts_run_beside(const mcp_post& post) const override { return posts_.run_beside(post); }
  void post_ended(mcp_post& post, mcp_post_end end) override;

  void sse_ready(std::string url) override;
  void sse_received(std::vector<std::string> messages) override { heard(std::move(messages)); }
  void sse_ended(errc error, std::string text) override;

  void listen_received(std::vector<std::string> messages) override { heard(std::move(messages)); }
  void listen_lost(std::string text) override { expire(std::move(text)); }
  void listen_broken(std::string text) override { finish(errc::server_protocol, std::move(text)); }
  void listen_unreachable(std::string text) override;
  void heard(std::vector<std::string> messages);

  mcp_reporter reports_;
  mcp_http_session session_;
  mcp_http_posts posts_;
  std::optional<mcp_listen> listen_;
  std::unique_ptr<mcp_sse> sse_;
  std::string refusal_;            // the refusal of initialize, before HTTP+SSE was tried
  bool holding_ = false;           // until the endpoint is known, or `initialized` is accepted
  std::vector<mcp_outbound> held_; // messages that were sent meanwhile
  std::string expired_;            // why the session is lost; empty = it is not
  timer expiry_over_;
  std::unique_ptr<mcp_http_call> farewell_;
  timer farewell_over_;
  bool closing_ = false;
};

void http_link::start() {
  if (session_.config.type == "sse")
    open_sse();
  else
    reports_.opened();
}

void http_link::send(mcp_outbound message) {
  if (!expired_.empty())
    return reports_.failed(message.request_id, errc::server_session_lost, expired_, true);
  if (closing_ || reports_.is_closed())
    return reports_.failed(message.request_id, errc::server_unavailable,
                           fmt::format("MCP server '{}' is being closed", session_.config.name),
                           true);
  if (holding_)
    held_.push_back(std::move(message));
  else
    post(std::move(message));
}

void http_link::post(mcp_outbound message) {
  if (!message.protocol_version.empty())
    session_.version = message.protocol_version;
  if (message.method == "notifications/initialized")
    holding_ = true;
  else if (message.method == "notifications/cancelled")
    posts_.settle(jsonrpc::cancelled_request(message.json));
  posts_.start(std::move(message));
}

void http_link::release_held() {
  holding_ = false;
  for (auto& message : std::exchange(held_, {}))
    send(std::move(message));
}

void http_link::post_received(mcp_post& post, std::vector<std::string> messages) {
  reports_.received(std::move(messages), post.request_id());
  end_expired(); // it may have been the last answer
}

void http_link::post_accepted(mcp_post& post) {
  if (post.method() != "notifications/initialized" || !expired_.empty() || closing_)
    return;
  if (!session_.legacy)
    listen();
  release_held();
}

void http_link::post_ended(mcp_post& post, mcp_post_end end) {
  auto message = post.release();
  posts_.retire(post);
  const bool initializes = message.method == "initialize";
  if (initializes && !session_.legacy && may_be_legacy(end.refused_with)) {
    held_.insert(held_.begin(), std::move(message));
    refusal_ = std::move(end.text);
    return open_sse();
  }
  if (initializes && end.unreachable)
    return finish(errc::server_unavailable, std::move(end.text));
  if (end.error != errc::none)
    reports_.failed(message.request_id, end.error, end.text, end.not_run);
  if (end.session_lost)
    expire(std::move(end.text));
  else if (end.error != errc::none && message.method == "notifications/initialized")
    release_held();
  end_expired();
}

void http_link::listen() {
  mcp_listen_listener& to = *this;
  listen_.emplace(session_, to);
  listen_->start();
}

/// Notices a lost server before the next request, but not while answers are awaited.
void http_link::listen_unreachable(std::string text) {
  if (posts_.awaited().empty())
    finish(errc::server_lost, std::move(text));
}

/// The server's own stream brought messages; some servers also answer there.
void http_link::heard(std::vector<std::string> messages) {
  if (!posts_.empty())
    for (const auto& message : messages)
      for (const auto id : jsonrpc::response_ids(message))
        posts_.settle(id);
  reports_.received(std::move(messages));
  end_expired();
}

void http_link::open_sse() {
  session_.legacy = true;
  holding_ = true;
  mcp_sse_listener& to = *this;
  sse_ = std::make_unique<mcp_sse>(session_, to);
  sse_->start();
}

void http_link::sse_ready(std::string url) {
  session_.config.url = std::move(url);
  if (refusal_.empty())
    reports_.opened();
  refusal_.clear();
  release_held();
}

void http_link::sse_ended(errc error, std::string text) {
  if (!refusal_.empty())
    text = fmt::format("{}; nor is it one of HTTP+SSE: {}", refusal_, text);
  finish(error, std::move(text));
}

/// The session is lost: answers under way may still come, for a while.
void http_link::expire(std::string text) {
  if (closing_ || !expired_.empty())
    return;
  expired_ = std::move(text);
  listen_.reset();
  release_held();
  expiry_over_.start(session_.limits.expiry);
  end_expired();
}

void http_link::end_expired() {
  if (!expired_.empty() && posts_.awaited().empty())
    finish(errc::server_session_lost, expired_);
}

void http_link::give_up_expired() {
  for (const auto id : posts_.awaited())
    reports_.failed(id, errc::server_session_lost, expired_);
  finish(errc::server_session_lost, expired_);
}

void http_link::close() {
  if (closing_ || reports_.is_closed())
    return;
  closing_ = true;
  drop_streams();
  if (session_.id.empty() || !expired_.empty())
    return finish(errc::none, {});
  auto request = session_.request("DELETE", {});
  request.deadlines.total = session_.limits.farewell;
  farewell_over_.start(session_.limits.farewell);
  farewell_ = session_.open(std::move(request), [this](const http_part& part) {
    if (part.last)
      finish(errc::none, {});
  });
}

bool http_link::leave() {
  close();
  return true; // its end removes it later, after the exchanges that refer to it
}

void http_link::drop_streams() {
  posts_.drop();
  held_.clear();
  listen_.reset();
  expiry_over_.stop();
  if (sse_) // not at once: it may be the caller
    session_.home.post([done = std::shared_ptr<mcp_sse>{std::move(sse_)}] {});
}

void http_link::finish(errc error, std::string text) {
  drop_streams();
  farewell_.reset();
  farewell_over_.stop();
  reports_.closed(error, std::move(text));
}

} // namespace

std::shared_ptr<mcp_link> make_mcp_http(loop& home, http_port& http,
                                        const mcp_server_config& config, mcp_reporter reports,
                                        const mcp_http_limits& limits) {
  return std::make_shared<http_link>(home, http, config, std::move(reports), limits);
}

} // namespace troupe

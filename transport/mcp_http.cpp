#include "transport/mcp_http.hpp"

#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/jsonrpc_peek.hpp"
#include "transport/mcp_listen.hpp"
#include "transport/mcp_post.hpp"

namespace troupe {

namespace {

class http_link final : public mcp_link, mcp_post_listener {
public:
  http_link(loop& home, http_port& http, const mcp_server_config& config, mcp_reporter reports,
            const mcp_http_limits& limits)
      : reports_{std::move(reports)}, session_{home, http, config, limits},
        farewell_over_{home, [this] { finish(errc::none, {}); }} {}

  void start() override { reports_.opened(); }
  void send(mcp_outbound message) override;
  void close() override;

private:
  void post(mcp_outbound message);
  void settle(int64_t request_id);
  void heard(std::vector<std::string> messages);
  void listen();
  void release_held();
  void drop_streams();
  void finish(errc error, std::string text);

  void post_received(std::vector<std::string> messages) override {
    reports_.received(std::move(messages));
  }
  void post_saw_response(int64_t request_id) override { settle(request_id); }
  void post_ended(mcp_post& post, mcp_post_end end) override;
  void retire(mcp_post& post);

  mcp_reporter reports_;
  mcp_http_session session_;
  std::list<std::unique_ptr<mcp_post>> posts_;
  std::optional<mcp_listen> listen_;
  bool holding_ = false;           // until notifications/initialized is accepted
  std::vector<mcp_outbound> held_; // what was sent meanwhile
  std::unique_ptr<mcp_http_call> farewell_;
  timer farewell_over_;
  bool closing_ = false;
};

void http_link::send(mcp_outbound message) {
  if (closing_ || reports_.is_closed()) {
    reports_.failed(message.request_id, errc::server_unavailable,
                    fmt::format("MCP server '{}' is being closed", session_.config.name));
    return;
  }
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
    settle(jsonrpc::cancelled_request(message.json));
  mcp_post_listener& listener = *this;
  auto& made =
      posts_.emplace_back(std::make_unique<mcp_post>(session_, std::move(message), listener));
  made->start();
}

/// The request needs no answer any more.
void http_link::settle(int64_t request_id) {
  if (request_id == 0)
    return;
  for (const auto& each : posts_)
    if (each->request_id() == request_id)
      return each->settle();
}

/// The server's own stream brought messages; some servers also answer there.
void http_link::heard(std::vector<std::string> messages) {
  if (!posts_.empty())
    for (const auto& message : messages)
      for (const auto id : jsonrpc::response_ids(message))
        settle(id);
  reports_.received(std::move(messages));
}

void http_link::post_ended(mcp_post& post, mcp_post_end end) {
  const auto id = post.request_id();
  const auto method = post.method();
  retire(post);
  if (end.session_lost)
    return finish(errc::server_lost, std::move(end.text));
  if (method == "initialize" && end.unreachable)
    return finish(errc::server_unavailable, std::move(end.text));
  if (end.error != errc::none)
    reports_.failed(id, end.error, std::move(end.text));
  if (method == "notifications/initialized") {
    if (end.error == errc::none)
      listen();
    release_held();
  }
}

void http_link::listen() {
  listen_.emplace(
      session_, [this](auto messages) { heard(std::move(messages)); },
      [this] {
        finish(errc::server_lost,
               fmt::format("MCP server '{}': session expired", session_.config.name));
      });
  listen_->start();
}

/// Takes a post out; it is destroyed later, because it is the caller.
void http_link::retire(mcp_post& post) {
  for (auto each = posts_.begin(); each != posts_.end(); ++each)
    if (each->get() == &post) {
      session_.home.post([done = std::shared_ptr<mcp_post>{std::move(*each)}] {});
      posts_.erase(each);
      return;
    }
}

void http_link::release_held() {
  holding_ = false;
  for (auto& message : std::exchange(held_, {}))
    send(std::move(message));
}

void http_link::close() {
  if (closing_ || reports_.is_closed())
    return;
  closing_ = true;
  drop_streams();
  if (session_.id.empty())
    return finish(errc::none, {});
  auto request = session_.request("DELETE", {});
  request.deadlines.total = session_.limits.farewell;
  farewell_over_.start(session_.limits.farewell);
  farewell_ = session_.open(std::move(request), [this](const http_part& part) {
    if (part.last)
      finish(errc::none, {});
  });
}

void http_link::drop_streams() {
  // Not at once: one of them may be the caller.
  session_.home.post([done = std::make_shared<decltype(posts_)>(std::move(posts_))] {});
  posts_.clear();
  held_.clear();
  listen_.reset();
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

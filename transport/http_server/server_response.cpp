#include "transport/http_server/server_response.hpp"

#include "transport/http/response_head.hpp"
#include "transport/http_server/server_connection.hpp"
#include "transport/http_server/websocket_handle.hpp"
#include "transport/websocket/websocket_frames.hpp"
#include "transport/websocket/websocket_handshake.hpp"

namespace troupe {

namespace {

/// Does the work on the loop's thread, unless the connection is over: at once, or posted.
template <class Work>
void with_connection(const std::shared_ptr<response_link>& link, Work work) {
  const auto done = [work](response_link& of) {
    if (of.connection != nullptr)
      work(*of.connection);
  };
  if (link->is_direct())
    done(*link);
  else
    post_to(link, done);
}

} // namespace

void response_link::signal(response_signal what) {
  if (!watcher)
    return;
  // The watcher may end the answer, which drops the watcher.
  const auto told = watcher;
  told(what);
}

void response_link::end(bool client_left) {
  connection = nullptr;
  over.store(true, std::memory_order_relaxed);
  full.store(false, std::memory_order_relaxed);
  const auto last = std::move(watcher);
  watcher = nullptr;
  if (!client_left)
    return;
  if (last)
    last(response_signal::gone);
  else
    gone = true;
}

void response_link::check_drained() {
  if (connection != nullptr && take_drained())
    signal(response_signal::drained);
}

server_response::~server_response() {
  reset();
}

void server_response::watch(std::function<void(response_signal)> watcher) {
  const auto set = [](response_link& link, std::function<void(response_signal)>&& told) {
    if (std::exchange(link.gone, false))
      told(response_signal::gone);
    else if (link.connection != nullptr)
      link.watcher = std::move(told);
  };
  if (link_->is_direct())
    return set(*link_, std::move(watcher));
  post_to(link_, [set, watcher = std::move(watcher)](response_link& link) mutable {
    set(link, std::move(watcher));
  });
}

void server_response::send(uint16_t status, const headers& extra, std::string body) {
  if (ended_.exchange(true, std::memory_order_relaxed) || link_->is_over())
    return;
  if (link_->is_direct()) {
    if (link_->connection != nullptr)
      link_->connection->send(status, extra, body);
    return;
  }
  post_to(link_, [status, extra, body = std::move(body)](response_link& link) {
    if (link.connection != nullptr)
      link.connection->send(status, extra, body);
  });
}

void server_response::start(uint16_t status, const headers& extra) {
  if (link_->is_over())
    return;
  if (link_->is_direct()) {
    if (link_->connection != nullptr)
      link_->connection->start(status, extra);
    return;
  }
  post_to(link_, [status, extra](response_link& link) {
    if (link.connection != nullptr)
      link.connection->start(status, extra);
  });
}

void server_response::send_now() {
  if (!link_->is_over())
    with_connection(link_, [](server_connection& on) { on.send_now(); });
}

bool server_response::write(std::string_view bytes) {
  if (link_->is_over() || ended_.load(std::memory_order_relaxed))
    return true;
  const auto size = bytes.size();
  if (link_->is_direct()) {
    if (link_->connection == nullptr)
      return true;
    link_->connection->write(bytes);
    return link_->admit(0);
  }
  const bool more = link_->admit(size);
  post_to(link_, [kept = std::string{bytes}](response_link& link) {
    link.posted.fetch_sub(kept.size(), std::memory_order_relaxed);
    if (link.connection != nullptr)
      link.connection->write(kept);
  });
  return more;
}

void server_response::finish() {
  if (!ended_.exchange(true, std::memory_order_relaxed) && !link_->is_over())
    with_connection(link_, [](server_connection& on) { on.finish(); });
}

void server_response::reset() {
  if (ended_.exchange(true, std::memory_order_relaxed) || link_->is_over())
    return;
  // Posted even from the loop: the handler may still be running inside the connection.
  post_to(link_, [](response_link& link) {
    if (link.connection != nullptr)
      link.connection->reset();
  });
}

void server_response::keep_alive(std::string_view comment) {
  if (!link_->is_over())
    with_connection(link_, [comment](server_connection& on) { on.keep_alive(comment); });
}

std::unique_ptr<websocket> server_response::upgrade(const server_request& request,
                                                    std::string_view protocol) {
  if (ended_.load(std::memory_order_relaxed) || link_->is_over())
    return nullptr;
  headers answer;
  if (const auto refused = answer_handshake(request, protocol, answer)) {
    std::string body;
    append_refusal_body(body, refused);
    answer.push_back({"content-type", "application/json"});
    send(refused.status, answer, std::move(body));
    return nullptr;
  }
  ended_.store(true, std::memory_order_relaxed);
  auto link = std::make_shared<websocket_link>(link_->home, link_->high_water, link_->low_water);
  const auto take = [link, answer = std::move(answer)](response_link& from) {
    if (from.connection != nullptr)
      from.connection->upgrade(answer, link);
    else
      link->end(websocket_status::lost);
  };
  if (link_->is_direct())
    take(*link_);
  else
    post_to(link_, take);
  return std::make_unique<websocket_handle>(std::move(link));
}

} // namespace troupe

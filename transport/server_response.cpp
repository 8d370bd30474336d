#include "transport/server_response.hpp"

#include <utility>

#include "transport/loop.hpp"
#include "transport/server_connection.hpp"

namespace troupe {

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
  if (connection == nullptr || !full.load(std::memory_order_relaxed))
    return;
  if (waiting.load(std::memory_order_relaxed) + posted.load(std::memory_order_relaxed) > low_water)
    return;
  full.store(false, std::memory_order_relaxed);
  signal(response_signal::drained);
}

bool response_link::admit(size_t size) {
  const auto now = posted.fetch_add(size, std::memory_order_relaxed) + size +
                   waiting.load(std::memory_order_relaxed);
  if (now <= high_water)
    return true;
  // Before the bytes are posted: their flush comes after this, and looks at it.
  full.store(true, std::memory_order_relaxed);
  return false;
}

/// A call from the loop goes through at once, unless earlier ones from elsewhere are under way.
bool server_response::is_direct() const {
  return link_->home.is_current() && link_->queued.load(std::memory_order_acquire) == 0;
}

/// When nothing has any effect any more, the loop may be gone as well.
bool server_response::is_over() const {
  return link_->over.load(std::memory_order_relaxed);
}

template <class Call>
void server_response::post(Call call) {
  link_->queued.fetch_add(1, std::memory_order_relaxed);
  link_->home.post([link = link_, call = std::move(call)]() mutable {
    link->queued.fetch_sub(1, std::memory_order_release);
    call(*link);
  });
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
  if (is_direct())
    return set(*link_, std::move(watcher));
  post([set, watcher = std::move(watcher)](response_link& link) mutable {
    set(link, std::move(watcher));
  });
}

void server_response::send(uint16_t status, const headers& extra, std::string body) {
  if (ended_.exchange(true, std::memory_order_relaxed) || is_over())
    return;
  if (is_direct()) {
    if (link_->connection != nullptr)
      link_->connection->send(status, extra, body);
    return;
  }
  post([status, extra, body = std::move(body)](response_link& link) {
    if (link.connection != nullptr)
      link.connection->send(status, extra, body);
  });
}

void server_response::start(uint16_t status, const headers& extra) {
  if (is_over())
    return;
  if (is_direct()) {
    if (link_->connection != nullptr)
      link_->connection->start(status, extra);
    return;
  }
  post([status, extra](response_link& link) {
    if (link.connection != nullptr)
      link.connection->start(status, extra);
  });
}

bool server_response::write(std::string_view bytes) {
  if (is_over() || ended_.load(std::memory_order_relaxed))
    return true;
  const auto size = bytes.size();
  if (is_direct()) {
    if (link_->connection == nullptr)
      return true;
    link_->connection->write(bytes);
    return link_->admit(0);
  }
  const bool more = link_->admit(size);
  post([kept = std::string{bytes}](response_link& link) {
    link.posted.fetch_sub(kept.size(), std::memory_order_relaxed);
    if (link.connection != nullptr)
      link.connection->write(kept);
  });
  return more;
}

void server_response::finish() {
  if (ended_.exchange(true, std::memory_order_relaxed) || is_over())
    return;
  if (is_direct()) {
    if (link_->connection != nullptr)
      link_->connection->finish();
    return;
  }
  post([](response_link& link) {
    if (link.connection != nullptr)
      link.connection->finish();
  });
}

void server_response::reset() {
  if (ended_.exchange(true, std::memory_order_relaxed) || is_over())
    return;
  // Posted even from the loop: the handler may still be running inside the connection.
  post([](response_link& link) {
    if (link.connection != nullptr)
      link.connection->reset();
  });
}

} // namespace troupe

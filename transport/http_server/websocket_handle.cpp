#include "transport/http_server/websocket_handle.hpp"

#include <string>

#include "transport/http_server/server_websocket.hpp"
#include "transport/websocket/websocket_frames.hpp"

namespace troupe {

void websocket_link::tell(websocket_inbound&& what) {
  if (!receiver)
    return;
  // The receiver may destroy the handle, which drops the receiver.
  const auto told = receiver;
  told(std::move(what));
}

void websocket_link::end(uint16_t code) {
  if (over.exchange(true, std::memory_order_relaxed))
    return;
  socket = nullptr;
  full.store(false, std::memory_order_relaxed);
  if (const auto last = std::exchange(receiver, nullptr))
    last({websocket_inbound::kind::closed, {}, code});
  else
    end_code = code;
}

websocket_handle::~websocket_handle() {
  if (link_->is_over())
    return;
  const auto leave = [](websocket_link& link) {
    link.receiver = nullptr;
    if (link.socket != nullptr)
      link.socket->close(websocket_status::going_away, {});
  };
  if (link_->is_direct())
    leave(*link_);
  else
    post_to(link_, leave);
}

void websocket_handle::watch(std::function<void(websocket_inbound&&)> receiver) {
  // Posted even from the loop: watch() delivers earlier input at once.
  post_to(link_, [receiver = std::move(receiver)](websocket_link& link) mutable {
    if (link.socket != nullptr)
      link.socket->watch(std::move(receiver));
    else if (const auto code = std::exchange(link.end_code, uint16_t{0}); code != 0)
      receiver({websocket_inbound::kind::closed, {}, code});
  });
}

bool websocket_handle::send(std::string_view text) {
  if (link_->is_over())
    return true;
  if (link_->is_direct()) {
    if (link_->socket == nullptr)
      return true;
    link_->socket->send(text);
    return link_->admit(0);
  }
  const bool more = link_->admit(text.size());
  post_to(link_, [kept = std::string{text}](websocket_link& link) {
    link.posted.fetch_sub(kept.size(), std::memory_order_relaxed);
    if (link.socket != nullptr)
      link.socket->send(kept);
  });
  return more;
}

void websocket_handle::close(uint16_t code, std::string_view reason) {
  if (link_->is_over())
    return;
  // Posted even from the loop: `closed` must not come from within close().
  post_to(link_, [code, reason = std::string{reason}](websocket_link& link) {
    if (link.socket != nullptr)
      link.socket->close(code, reason);
  });
}

} // namespace troupe

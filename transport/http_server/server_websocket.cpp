#include "transport/http_server/server_websocket.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "transport/http_server/server_connection.hpp"

namespace troupe {

server_websocket::server_websocket(server_connection& home, std::shared_ptr<websocket_link> link,
                                   const server_limits& limits)
    : home_{home}, link_{std::move(link)}, limits_{limits}, reader_{websocket_side::client,
                                                                    limits.max_body_bytes},
      heard_{clock::now()}, pinged_{heard_} {
  link_->socket = this;
}

server_websocket::~server_websocket() {
  lost();
}

void server_websocket::receive(std::string_view bytes) {
  heard_ = clock::now();
  std::vector<websocket_message> messages;
  const bool was_in_message = reader_.kept_bytes() > 0;
  if (state_ != state::over)
    reader_.feed(bytes, messages);
  if (!was_in_message || !messages.empty())
    message_since_ = heard_;
  for (auto& each : messages)
    if (state_ != state::over)
      take(std::move(each));
  if (state_ != state::over && reader_.error() != 0)
    fail(reader_.error(), reader_.error_text());
}

void server_websocket::take(websocket_message&& message) {
  switch (message.what) {
  case websocket_opcode::text:
    if (state_ == state::open)
      deliver(std::move(message.payload));
    break;
  case websocket_opcode::binary:
    fail(websocket_status::unsupported_data, "sent a binary message; only texts are understood");
    break;
  case websocket_opcode::ping:
    if (state_ == state::open)
      append_frame(home_.outgoing(), websocket_opcode::pong, message.payload, nullptr);
    break;
  case websocket_opcode::close:
    if (state_ == state::open)
      append_close(home_.outgoing(), message.status, {}, nullptr);
    end(message.status);
    break;
  default:
    break;
  }
}

void server_websocket::deliver(std::string&& text) {
  try {
    link_->tell({websocket_inbound::kind::text, std::move(text), 0});
  } catch (...) { // the callers are C frames, which no exception may cross
    fail(websocket_status::internal, "could not be answered");
  }
}

/// Ends the connection because of a fault of the client, without waiting for its close frame.
void server_websocket::fail(uint16_t code, std::string_view reason) {
  if (state_ == state::open)
    append_close(home_.outgoing(), code, reason, nullptr);
  end(code);
}

void server_websocket::end(uint16_t code) {
  if (std::exchange(state_, state::over) == state::over)
    return;
  home_.touch();
  link_->end(code);
}

void server_websocket::refuse_message() {
  fail(websocket_status::try_again_later, "sent more than there is room for; try again later");
  reader_ = websocket_reader{websocket_side::client, limits_.max_body_bytes}; // frees the message
}

void server_websocket::sent() {
  link_->waiting.store(home_.pending(), std::memory_order_relaxed);
  if (state_ == state::open && link_->take_drained())
    link_->tell({websocket_inbound::kind::drained, {}, 0});
}

void server_websocket::lost() {
  end(websocket_status::lost);
}

bool server_websocket::check(clock::time_point now, bool reading) {
  if (state_ == state::closing)
    return now - closing_since_ <= limits_.websocket_close_timeout;
  if (!reading)
    heard_ = now;
  if (state_ == state::over || !is_watched_)
    return true;
  if (now - heard_ > limits_.websocket_silence)
    return false;
  if (const auto since = message_since(); since && now - *since > limits_.body_total)
    fail(websocket_status::policy_violation, "took too long for one message");
  if (now - std::max(heard_, pinged_) >= limits_.websocket_ping) {
    pinged_ = now;
    append_frame(home_.outgoing(), websocket_opcode::ping, {}, nullptr);
  }
  return true;
}

void server_websocket::watch(std::function<void(websocket_inbound&&)> receiver) {
  link_->receiver = std::move(receiver);
  is_watched_ = true;
  home_.touch(); // delivers input that came before
}

void server_websocket::send(std::string_view text) {
  if (state_ != state::open)
    return;
  append_frame(home_.outgoing(), websocket_opcode::text, text, nullptr);
  link_->waiting.store(home_.pending(), std::memory_order_relaxed);
}

void server_websocket::close(uint16_t code, std::string_view reason) {
  if (state_ != state::open)
    return;
  append_close(home_.outgoing(), code, reason, nullptr);
  state_ = state::closing;
  closing_since_ = clock::now();
  is_watched_ = true; // reads the client's close frame, also without a receiver
}

} // namespace troupe

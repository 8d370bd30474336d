#include "transport/websocket/websocket_client.hpp"

#include <unistd.h>

#include <array>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;

constexpr size_t max_head_bytes = 64 * 1024;

/// No more pongs are queued above this: the peer pings but does not read.
constexpr size_t max_queued_for_pong = 64 * 1024;

/// Masks per system call; getentropy gives at most 256 bytes.
constexpr size_t masks_at_once = 64;

template <class Bytes>
void fill_randomly(Bytes* to, size_t bytes) {
  if (::getentropy(to, bytes) != 0)
    throw std::bad_alloc{}; // only a kernel without random numbers
}

} // namespace

websocket_client::websocket_client(loop& home, websocket_listener& listener,
                                   const websocket_limits& limits)
    : listener_{listener}, limits_{limits}, reader_{websocket_side::server, limits.message_bytes},
      watch_{home, [this] { on_watch(); }}, socket_{home, *this} {}

void websocket_client::start(const websocket_target& target) {
  target_ = target;
  std::array<unsigned char, 16> nonce{};
  fill_randomly(nonce.data(), nonce.size());
  key_ = websocket_key(nonce);
  websocket_address address;
  wrong_ = read_websocket_url(target_.url, address);
  if (!wrong_)
    wrong_ = make_handshake(address, key_, target_.subprotocol, target_.fields, head_);
  if (wrong_)
    return watch_.start(0ms);
  if (target_.connect_timeout > 0ms)
    watch_.start(target_.connect_timeout);
  socket_.connect({address.http_url, target_.proxy, target_.connect_timeout + 1s});
}

void websocket_client::stream_connected() {
  now_ = phase::shaking;
  socket_.outgoing() += std::exchange(head_, {});
}

void websocket_client::stream_read(std::string_view bytes) {
  heard_ = true;
  if (now_ == phase::shaking)
    read_handshake(bytes);
  else
    read_frames(bytes);
}

void websocket_client::read_handshake(std::string_view bytes) {
  constexpr std::string_view empty_line = "\r\n\r\n";
  const auto from = head_.size() < empty_line.size() ? 0 : head_.size() - empty_line.size();
  head_ += bytes;
  const auto end_of_head = head_.find(empty_line, from);
  if (end_of_head == std::string::npos && head_.size() <= max_head_bytes)
    return;
  if (end_of_head == std::string::npos)
    return end(errc::server_protocol, "answered the WebSocket handshake with an endless head");
  const auto head = std::exchange(head_, {});
  auto wrong =
      check_handshake(std::string_view{head}.substr(0, end_of_head), key_, target_.subprotocol);
  if (wrong)
    return end(wrong.code, std::move(wrong.message));
  now_ = phase::open;
  watch_.start(limits_.ping_interval);
  listener_.websocket_opened();
  read_frames(std::string_view{head}.substr(end_of_head + empty_line.size()));
}

void websocket_client::read_frames(std::string_view bytes) {
  std::vector<websocket_message> messages;
  const auto before = reader_.frames();
  reader_.feed(bytes, messages);
  batch_ = {{}, reader_.frames() - before, bytes.size()};
  for (auto& each : messages)
    if (now_ != phase::ended)
      take(std::move(each));
  if (now_ == phase::ended)
    return;
  deliver();
  if (reader_.error() != 0 && now_ != phase::ended)
    refuse(reader_.error(), reader_.error_text());
}

void websocket_client::take(websocket_message&& message) {
  switch (message.what) {
  case websocket_opcode::text:
    batch_.texts.push_back(std::move(message.payload));
    break;
  case websocket_opcode::ping:
    if (now_ == phase::open && socket_.queued() <= max_queued_for_pong)
      append(websocket_opcode::pong, message.payload);
    break;
  case websocket_opcode::pong:
    if (now_ == phase::open && std::exchange(pinged_, false))
      watch_.start(limits_.ping_interval);
    break;
  case websocket_opcode::close:
    deliver();
    on_close_frame(message);
    break;
  case websocket_opcode::binary:
    deliver();
    refuse(websocket_status::unsupported_data, "sent a binary message");
    break;
  case websocket_opcode::continuation:
    break;
  }
}

void websocket_client::deliver() {
  listener_.websocket_received(std::exchange(batch_, {}));
}

void websocket_client::on_close_frame(const websocket_message& message) {
  if (now_ == phase::closing)
    return end(errc::none, {});
  append_close(socket_.outgoing(), message.status, {}, next_mask());
  auto text = message.status == websocket_status::none
                  ? std::string{"closed the WebSocket"}
                  : fmt::format("closed the WebSocket with status {}", message.status);
  if (!message.payload.empty())
    text += fmt::format(": {}", message.payload);
  end(errc::server_lost, std::move(text));
}

void websocket_client::stream_ended(failure why) {
  if (now_ == phase::closing)
    end(errc::none, {});
  else if (now_ == phase::open)
    end(errc::server_lost, fmt::format("broke the WebSocket: {}", why.message));
  else
    end(errc::server_unavailable, fmt::format("cannot be reached: {}", why.message));
}

/// The time of the present phase is over.
void websocket_client::on_watch() {
  if (wrong_)
    return end(wrong_.code, wrong_.message);
  switch (now_) {
  case phase::connecting:
  case phase::shaking:
    return end(errc::server_unavailable, fmt::format("did not open the WebSocket within {} ms",
                                                     target_.connect_timeout.count()));
  case phase::open:
    return on_ping_time();
  case phase::closing:
    return end(errc::none, {});
  case phase::ended:
    return;
  }
}

void websocket_client::on_ping_time() {
  const bool silent = pinged_ && !heard_;
  if (silent && reading_)
    return end(errc::server_lost,
               fmt::format("did not answer a ping within {} ms", limits_.pong_deadline.count()));
  pinged_ = silent || !pinged_; // while we do not read, wait for the pong once more
  if (pinged_ && !silent) {
    heard_ = false;
    append(websocket_opcode::ping, {});
  }
  watch_.start(pinged_ ? limits_.pong_deadline : limits_.ping_interval);
}

void websocket_client::append(websocket_opcode what, std::string_view payload) {
  append_frame(socket_.outgoing(), what, payload, next_mask());
}

void websocket_client::send(std::string_view text) {
  if (now_ == phase::open)
    append(websocket_opcode::text, text);
}

void websocket_client::set_reading(bool on) {
  reading_ = on;
  socket_.set_reading(on);
}

void websocket_client::close() {
  if (now_ == phase::closing || now_ == phase::ended)
    return;
  const bool was_open = std::exchange(now_, phase::closing) == phase::open;
  if (!was_open) {
    socket_.close();
    return watch_.start(0ms);
  }
  append_close(socket_.outgoing(), websocket_status::normal, {}, next_mask());
  set_reading(true);
  watch_.start(limits_.close_grace);
}

/// Tells the peer its fault, as far as the kernel takes the frame, and ends.
void websocket_client::refuse(uint16_t status, std::string_view text) {
  append_close(socket_.outgoing(), status, text, next_mask());
  if (now_ == phase::closing)
    end(errc::none, {});
  else
    end(errc::server_protocol, std::string{text});
}

void websocket_client::end(errc code, std::string text) {
  if (std::exchange(now_, phase::ended) == phase::ended)
    return;
  watch_.stop();
  socket_.close();
  listener_.websocket_ended({code, std::move(text)});
}

const websocket_mask* websocket_client::next_mask() {
  if (masks_.size() <= 1) {
    masks_.resize(masks_at_once);
    fill_randomly(masks_.data(), masks_.size() * sizeof(websocket_mask));
  } else {
    masks_.pop_back();
  }
  return &masks_.back();
}

} // namespace troupe

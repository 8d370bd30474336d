#include "transport/websocket/websocket_frames.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr size_t max_control_bytes = 125;

bool is_control(websocket_opcode what) {
  return static_cast<uint8_t>(what) >= 0x8;
}

bool is_known(uint8_t opcode) {
  return opcode <= 0x2 || (opcode >= 0x8 && opcode <= 0xA);
}

/// Returns whether a peer may send that status (RFC 6455, section 7.4, and the IANA registry).
bool is_sendable(uint16_t status) {
  return (status >= 1000 && status <= 1014 && status != 1004 && status != 1005 && status != 1006) ||
         (status >= 3000 && status <= 4999);
}

uint64_t big_endian(const unsigned char* from, size_t bytes) {
  uint64_t out = 0;
  for (size_t i = 0; i < bytes; ++i)
    out = out << 8 | from[i];
  return out;
}

/// @param offset of the first byte in its payload
void apply_mask(char* bytes, size_t size, const unsigned char* mask, uint64_t offset) {
  std::array<unsigned char, 8> turned{};
  for (size_t i = 0; i < turned.size(); ++i)
    turned[i] = mask[(offset + i) % 4];
  uint64_t wide = 0;
  std::memcpy(&wide, turned.data(), sizeof wide);
  size_t at = 0;
  for (; at + sizeof wide <= size; at += sizeof wide) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + at, sizeof word);
    word ^= wide;
    std::memcpy(bytes + at, &word, sizeof word);
  }
  for (size_t i = 0; at < size; ++at, ++i)
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ turned[i]);
}

} // namespace

void websocket_reader::feed(std::string_view bytes, std::vector<websocket_message>& out) {
  while (error_ == 0 && !bytes.empty()) {
    if (phase_ == phase::head)
      bytes.remove_prefix(take_head(bytes));
    else
      bytes.remove_prefix(take_payload(bytes));
    if (error_ == 0 && phase_ == phase::payload && left_ == 0)
      end_frame(out);
  }
}

size_t websocket_reader::take_head(std::string_view bytes) {
  size_t taken = 0;
  while (taken < bytes.size() && head_size_ < head_bytes())
    head_[head_size_++] = static_cast<unsigned char>(bytes[taken++]);
  if (head_size_ == head_bytes())
    read_head();
  return taken;
}

/// Returns the length of the head, as far as it is known.
size_t websocket_reader::head_bytes() const noexcept {
  if (head_size_ < 2)
    return 2;
  const auto size = head_[1] & 0x7F;
  return size_t{2} + (size == 126 ? 2 : size == 127 ? 8 : 0) + ((head_[1] & 0x80) != 0 ? 4 : 0);
}

void websocket_reader::read_head() {
  uint64_t size = head_[1] & 0x7F;
  if (size >= 126)
    size = big_endian(&head_[2], size == 126 ? 2 : 8);
  if (!is_head_valid(size))
    return;
  final_ = (head_[0] & 0x80) != 0;
  frame_ = static_cast<websocket_opcode>(head_[0] & 0x0F);
  if (!is_control(frame_) && frame_ != websocket_opcode::continuation)
    message_what_ = frame_;
  phase_ = phase::payload;
  left_ = size;
  masked_ = 0;
}

bool websocket_reader::is_head_valid(uint64_t size) {
  const uint8_t opcode = head_[0] & 0x0F;
  const auto what = static_cast<websocket_opcode>(opcode);
  const bool begun = message_what_ != websocket_opcode::continuation;
  std::string_view wrong;
  if ((head_[0] & 0x70) != 0)
    wrong = "sent a frame with reserved bits";
  else if (!is_known(opcode))
    wrong = "sent a frame of an unknown kind";
  else if (((head_[1] & 0x80) != 0) != (sender_ == websocket_side::client))
    wrong = sender_ == websocket_side::client ? "sent a frame without a mask" : "masked a frame";
  else if (is_control(what) && (size > max_control_bytes || (head_[0] & 0x80) == 0))
    wrong = "sent a control frame that is too long or in pieces";
  else if (!is_control(what) && begun != (what == websocket_opcode::continuation))
    wrong = begun ? "began a message within another" : "continued a message that was not begun";
  if (!wrong.empty())
    fail(websocket_status::protocol_error, wrong);
  else if (!is_control(what) && size > max_message_bytes_ - message_.size())
    fail(websocket_status::too_large, "sent a message that is too large");
  return error_ == 0;
}

size_t websocket_reader::take_payload(std::string_view bytes) {
  const auto count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), left_));
  auto& to = is_control(frame_) ? control_ : message_;
  to.append(bytes.substr(0, count));
  if (sender_ == websocket_side::client)
    apply_mask(to.data() + to.size() - count, count, &head_[head_size_ - 4], masked_);
  masked_ += count;
  left_ -= count;
  return count;
}

void websocket_reader::end_frame(std::vector<websocket_message>& out) {
  phase_ = phase::head;
  head_size_ = 0;
  ++frames_;
  if (is_control(frame_))
    end_control(out);
  else if (final_)
    end_message(out);
}

void websocket_reader::end_control(std::vector<websocket_message>& out) {
  websocket_message made{frame_, std::exchange(control_, {})};
  if (frame_ == websocket_opcode::close && !made.payload.empty()) {
    if (made.payload.size() < 2)
      return fail(websocket_status::protocol_error, "sent a close frame with half a status");
    const auto* bytes = reinterpret_cast<const unsigned char*>(made.payload.data());
    made.status = static_cast<uint16_t>(big_endian(bytes, 2));
    made.payload.erase(0, 2);
    if (!is_sendable(made.status))
      return fail(websocket_status::protocol_error, "sent a close frame with a reserved status");
    if (!is_utf8(made.payload))
      return fail(websocket_status::not_utf8, "sent a reason that is not UTF-8");
  }
  out.push_back(std::move(made));
}

void websocket_reader::end_message(std::vector<websocket_message>& out) {
  if (message_what_ == websocket_opcode::text && !is_utf8(message_))
    return fail(websocket_status::not_utf8, "sent a text that is not UTF-8");
  out.push_back({std::exchange(message_what_, websocket_opcode::continuation),
                 std::exchange(message_, {}), websocket_status::none});
}

void websocket_reader::fail(uint16_t status, std::string_view text) {
  error_ = status;
  error_text_ = text;
  std::string{}.swap(message_);
  std::string{}.swap(control_);
}

void append_frame(std::string& out, websocket_opcode what, std::string_view payload,
                  const websocket_mask* mask) {
  const auto size = payload.size();
  const auto mask_bit = mask != nullptr ? 0x80U : 0U;
  out += static_cast<char>(0x80U | static_cast<unsigned>(what));
  const size_t long_size = size <= max_control_bytes ? 0 : size <= 0xFFFF ? 2 : 8;
  const auto short_size = long_size == 0 ? size : long_size == 2 ? 126 : 127;
  out += static_cast<char>(mask_bit | short_size);
  for (auto i = long_size; i > 0; --i)
    out += static_cast<char>(static_cast<uint64_t>(size) >> (8 * (i - 1)));
  if (mask != nullptr)
    out.append(mask->begin(), mask->end());
  out.append(payload);
  if (mask != nullptr)
    apply_mask(out.data() + out.size() - size, size, mask->data(), 0);
}

void append_close(std::string& out, uint16_t status, std::string_view reason,
                  const websocket_mask* mask) {
  if (status == websocket_status::none)
    return append_frame(out, websocket_opcode::close, {}, mask);
  std::string payload{static_cast<char>(status >> 8), static_cast<char>(status & 0xFF)};
  payload += utf8_prefix(reason, max_control_bytes - 2);
  append_frame(out, websocket_opcode::close, payload, mask);
}

bool is_utf8(std::string_view text) noexcept {
  constexpr uint64_t high_bits = 0x8080808080808080U;
  for (size_t at = 0; at < text.size();) {
    uint64_t word = 0;
    if (at + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & high_bits) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const auto unit = utf8_at(text, at);
    if (!unit.valid)
      return false;
    at += unit.bytes;
  }
  return true;
}

} // namespace troupe

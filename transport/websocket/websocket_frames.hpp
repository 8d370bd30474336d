// WebSocket frames (RFC 6455, section 5): reading a peer's frames, and making ours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The type of a frame (RFC 6455, section 5.2).
enum class websocket_opcode : uint8_t {
  continuation = 0x0,
  text = 0x1,
  binary = 0x2,
  close = 0x8,
  ping = 0x9,
  pong = 0xA,
};

/// Why a connection is closed (RFC 6455, section 7.4.1).
namespace websocket_status {
inline constexpr uint16_t normal = 1000;
inline constexpr uint16_t going_away = 1001;
inline constexpr uint16_t protocol_error = 1002;
inline constexpr uint16_t unsupported_data = 1003;
inline constexpr uint16_t none = 1005; ///< a close frame without a status; never sent
inline constexpr uint16_t lost = 1006; ///< no close frame came; never sent
inline constexpr uint16_t not_utf8 = 1007;
inline constexpr uint16_t policy_violation = 1008;
inline constexpr uint16_t too_large = 1009;
inline constexpr uint16_t internal = 1011;
inline constexpr uint16_t try_again_later = 1013;
} // namespace websocket_status

/// The sender of frames: a client masks them, a server does not (RFC 6455, section 5.1).
enum class websocket_side { client, server };

/// A whole message, its fragments joined, or a control frame.
struct websocket_message {
  websocket_opcode what = websocket_opcode::text; ///< never continuation
  std::string payload;                            ///< of close: the reason, without the status
  uint16_t status = websocket_status::none;       ///< of close
};

/// Reads the frames of one peer, for every way of cutting the bytes. Checks that texts and reasons
/// are UTF-8; knows no extensions. Holds at most one message and the reserve of its string. Pure.
class websocket_reader {
public:
  /// @param sender the side whose frames are read
  /// @param max_message_bytes longest message; a longer one is refused when its length is read
  websocket_reader(websocket_side sender, size_t max_message_bytes)
      : sender_{sender}, max_message_bytes_{max_message_bytes} {}

  /// Appends the messages that `bytes` completes to `out`. After an error nothing more is read.
  void feed(std::string_view bytes, std::vector<websocket_message>& out);

  /// Returns how much memory the message in the making takes; 0: none is, or nothing of it came.
  size_t kept_bytes() const noexcept { return message_.empty() ? 0 : message_.capacity(); }

  /// Returns the number of frames that have ended, of any kind.
  uint64_t frames() const noexcept { return frames_; }

  /// Returns the status to close with, or 0 as long as the peer follows the protocol.
  uint16_t error() const noexcept { return error_; }

  /// Returns the fault of the peer, as the end of a sentence about it: "sent ...".
  std::string_view error_text() const noexcept { return error_text_; }

private:
  enum class phase { head, payload };

  size_t take_head(std::string_view bytes);
  size_t head_bytes() const noexcept;
  void read_head();
  bool is_head_valid(uint64_t size);
  size_t take_payload(std::string_view bytes);
  void end_frame(std::vector<websocket_message>& out);
  void end_control(std::vector<websocket_message>& out);
  void end_message(std::vector<websocket_message>& out);
  void fail(uint16_t status, std::string_view text);

  websocket_side sender_;
  size_t max_message_bytes_;
  phase phase_ = phase::head;
  std::array<unsigned char, 14> head_{};
  size_t head_size_ = 0; // bytes of the head that were read
  uint64_t left_ = 0;    // bytes of the payload that are not
  uint64_t masked_ = 0;  // bytes of the payload that were
  bool final_ = false;
  websocket_opcode frame_ = websocket_opcode::text;
  websocket_opcode message_what_ = websocket_opcode::continuation; // continuation: none is open
  std::string message_;
  std::string control_;
  uint64_t frames_ = 0;
  uint16_t error_ = 0;
  std::string_view error_text_;
};

/// The mask of a client's frame: four unpredictable bytes.
using websocket_mask = std::array<unsigned char, 4>;

/// Appends one whole frame. @param mask of a client's frame; nullptr for a server's
void append_frame(std::string& out, websocket_opcode what, std::string_view payload,
                  const websocket_mask* mask);

/// Appends a close frame. @param status as it is sent; none = an empty frame
/// @param reason cut to the 123 bytes that a close frame has room for
void append_close(std::string& out, uint16_t status, std::string_view reason,
                  const websocket_mask* mask);

/// Returns whether `text` is UTF-8.
bool is_utf8(std::string_view text) noexcept;

} // namespace troupe

// Any bytes, in any pieces, are the same frames, and what is read is what was written. The last
// byte chooses how they are cut, and who sends them.
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"
#include "transport/websocket/websocket_frames.hpp"

using namespace troupe;

namespace {

constexpr size_t max_message_bytes = 300;
constexpr websocket_mask mask{0x00, 0xFF, 0x5A, 0x81};

class collector {
public:
  explicit collector(websocket_side sender) : reader_{sender, max_message_bytes} {}

  void feed(std::string_view bytes) {
    reader_.feed(bytes, messages_);
    require(messages_.size() <= reader_.frames(), "a message is at least one frame");
  }

  std::string outcome() const {
    std::string out;
    for (const auto& each : messages_) {
      require(each.what != websocket_opcode::continuation, "messages are whole");
      require(each.what == websocket_opcode::binary || holds_utf8(each.payload) ||
                  each.what == websocket_opcode::ping || each.what == websocket_opcode::pong,
              "texts and reasons are UTF-8");
      require(each.payload.size() <= max_message_bytes, "messages are bounded");
      out += std::to_string(static_cast<int>(each.what)) + ":" + std::to_string(each.status) + ":" +
             each.payload + "\n";
    }
    return out + std::to_string(reader_.error());
  }

  const std::vector<websocket_message>& messages() const { return messages_; }

private:
  websocket_reader reader_;
  std::vector<websocket_message> messages_;
};

/// Writes what was read, as the side that it came from, and reads it again.
void round_trip(const std::vector<websocket_message>& messages, websocket_side sender) {
  std::string bytes;
  const auto* with = sender == websocket_side::client ? &mask : nullptr;
  for (const auto& each : messages)
    if (each.what == websocket_opcode::close)
      append_close(bytes, each.status, each.payload, with);
    else
      append_frame(bytes, each.what, each.payload, with);
  collector again{sender};
  again.feed(bytes);
  require(again.messages().size() == messages.size(), "what was written is read");
  for (size_t i = 0; i < messages.size(); ++i)
    require(again.messages()[i].payload == messages[i].payload &&
                again.messages()[i].status == messages[i].status,
            "as it was");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto bytes = text_of(data, size - 1);
  const auto sender = data[size - 1] % 2 == 0 ? websocket_side::client : websocket_side::server;
  collector whole{sender};
  whole.feed(bytes);
  collector cut{sender};
  feed_in_pieces(bytes, data[size - 1], [&cut](std::string_view piece) { cut.feed(piece); });
  require(whole.outcome() == cut.outcome(), "the messages do not depend on the pieces");
  round_trip(whole.messages(), sender);
  return 0;
}

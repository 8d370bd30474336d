#include "transport/websocket/websocket_frames.hpp"

#include <random>

#include "tests/support/catch.hpp"

namespace websocket_frames_test {

using namespace troupe;

namespace {

constexpr websocket_mask mask{0x12, 0x34, 0x56, 0x78};

std::string as_text(const websocket_message& message) {
  return std::to_string(static_cast<int>(message.what)) + ":" + message.payload +
         (message.what == websocket_opcode::close ? ":" + std::to_string(message.status) : "");
}

/// A text in three pieces with a ping within, an empty text, a pong, a long text and the end.
std::string conversation(const websocket_mask* with) {
  std::string out;
  append_frame(out, websocket_opcode::text, "{\"caf", with);
  out[0] &= 0x7F;
  const auto second = out.size();
  append_frame(out, websocket_opcode::continuation, "\xC3", with);
  out[second] &= 0x7F;
  append_frame(out, websocket_opcode::ping, "are you there", with);
  append_frame(out, websocket_opcode::continuation, "\xA9\":1}", with);
  append_frame(out, websocket_opcode::text, "", with);
  append_frame(out, websocket_opcode::pong, "", with);
  append_frame(out, websocket_opcode::text, std::string(200, 'x'), with);
  append_close(out, 1001, "going away", with);
  return out;
}

const std::vector<std::string> meaning{
    "9:are you there",  "1:{\"caf\xC3\xA9\":1}", "1:", "10:", "1:" + std::string(200, 'x'),
    "8:going away:1001"};

struct outcome {
  std::vector<std::string> messages;
  uint16_t error = 0;
};

outcome read(const std::string& bytes, size_t cut, websocket_side sender = websocket_side::server,
             size_t limit = 1000) {
  websocket_reader reader{sender, limit};
  std::vector<websocket_message> got;
  reader.feed(std::string_view{bytes}.substr(0, cut), got);
  reader.feed(std::string_view{bytes}.substr(std::min(cut, bytes.size())), got);
  outcome out;
  for (const auto& each : got)
    out.messages.push_back(as_text(each));
  out.error = reader.error();
  return out;
}

uint16_t error_of(const std::string& bytes, size_t limit = 1000) {
  return read(bytes, 0, websocket_side::server, limit).error;
}

} // namespace

TEST_CASE("WebSocket frames mean the same wherever the reads cut them",
          "[transport][websocket_frames]") {
  for (const auto sender : {websocket_side::server, websocket_side::client}) {
    const auto bytes = conversation(sender == websocket_side::client ? &mask : nullptr);
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
      const auto got = read(bytes, cut, sender);
      REQUIRE(got.messages == meaning);
      REQUIRE(got.error == 0);
    }
    websocket_reader by_byte{sender, 1000};
    std::vector<websocket_message> got;
    for (const char each : bytes)
      by_byte.feed({&each, 1}, got);
    CHECK(got.size() == meaning.size());
  }
}

TEST_CASE("WebSocket frames are the bytes of RFC 6455's examples",
          "[transport][websocket_frames]") {
  std::string plain;
  append_frame(plain, websocket_opcode::text, "Hello", nullptr);
  CHECK(plain == "\x81\x05Hello");
  std::string masked;
  const websocket_mask key{0x37, 0xFA, 0x21, 0x3D};
  append_frame(masked, websocket_opcode::text, "Hello", &key);
  CHECK(masked == "\x81\x85\x37\xFA\x21\x3D\x7F\x9F\x4D\x51\x58");
}

TEST_CASE("WebSocket frames of every form of length are read back",
          "[transport][websocket_frames]") {
  for (const size_t size : {0, 1, 125, 126, 127, 65535, 65536, 100'000}) {
    const std::string payload(size, 'y');
    for (const auto* with : {static_cast<const websocket_mask*>(nullptr), &mask}) {
      std::string bytes;
      append_frame(bytes, websocket_opcode::text, payload, with);
      const auto got =
          read(bytes, bytes.size() / 2,
               with == nullptr ? websocket_side::server : websocket_side::client, 100'000);
      REQUIRE((got.messages == std::vector<std::string>{"1:" + payload}));
    }
  }
}

TEST_CASE("a WebSocket message beyond the limit is refused by its length alone",
          "[transport][websocket_frames]") {
  CHECK(error_of(std::string{"\x81\x7E\x03\xE9", 4}) == websocket_status::too_large);
  CHECK(error_of(std::string{"\x81\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 10}) ==
        websocket_status::too_large);
  std::string pieces;
  append_frame(pieces, websocket_opcode::text, std::string(60, 'x'), nullptr);
  pieces[0] &= 0x7F;
  append_frame(pieces, websocket_opcode::continuation, std::string(60, 'x'), nullptr);
  CHECK(error_of(pieces, 120) == 0);
  CHECK(error_of(pieces, 119) == websocket_status::too_large);
}

TEST_CASE("a WebSocket text that is not UTF-8 is refused, wherever its fragments are cut",
          "[transport][websocket_frames]") {
  const std::string half_character{"\x01\x02x\xC3\x80\x01y", 7};
  CHECK(error_of(half_character) == websocket_status::not_utf8);
  for (const std::string_view bad :
       {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\xC3"}) {
    std::string bytes;
    append_frame(bytes, websocket_opcode::text, bad, nullptr);
    CHECK(error_of(bytes) == websocket_status::not_utf8);
    std::string long_one;
    append_frame(long_one, websocket_opcode::text, "0123456789abcdef" + std::string{bad}, nullptr);
    CHECK(error_of(long_one) == websocket_status::not_utf8);
    std::string binary;
    append_frame(binary, websocket_opcode::binary, bad, nullptr);
    CHECK(error_of(binary) == 0);
  }
}

TEST_CASE("WebSocket frames that break the protocol are refused", "[transport][websocket_frames]") {
  using namespace std::string_literals;
  const auto wrong = GENERATE(as<std::string>{}, "\xC1\x00"s, // a reserved bit
                              "\x83\x00"s,                    // an unknown data frame
                              "\x8B\x00"s,                    // an unknown control frame
                              "\x81\x80"s,                    // a server that masks
                              "\x09\x00"s,                    // a ping in pieces
                              "\x89\x7E\x00\x7E"s,            // a long ping
                              "\x80\x00"s,                    // nothing to continue
                              "\x01\x00\x81\x00"s,            // a message within another
                              "\x88\x01x"s,                   // half a status
                              "\x88\x02\x03\xED"s,            // status 1005
                              "\x88\x02\x00\x00"s);           // status 0
  // "\x81\x80" is whole only with its mask.
  CHECK(error_of(wrong + std::string(4, '\0')) == websocket_status::protocol_error);
  std::string unmasked;
  append_frame(unmasked, websocket_opcode::text, "{}", nullptr);
  CHECK(read(unmasked, 0, websocket_side::client).error == websocket_status::protocol_error);
}

TEST_CASE("nothing is read after a WebSocket error", "[transport][websocket_frames]") {
  std::string bytes{"\x83\x00", 2};
  append_frame(bytes, websocket_opcode::text, "{}", nullptr);
  CHECK(read(bytes, 2).messages.empty());
}

TEST_CASE("a close reason is cut to what the frame has room for", "[transport][websocket_frames]") {
  std::string bytes;
  append_close(bytes, 1002, std::string(122, 'x') + "\xC3\xA9", nullptr);
  CHECK(read(bytes, 0).messages ==
        std::vector<std::string>{"8:" + std::string(122, 'x') + ":1002"});
}

TEST_CASE("any bytes give the same messages and error wherever they are cut",
          "[transport][websocket_frames]") {
  std::minstd_rand random{7};
  const auto below = [&random](size_t bound) { return random() % bound; };
  size_t broken = 0;
  for (int round = 0; round < 5000; ++round) {
    const auto sender = round % 2 == 0 ? websocket_side::server : websocket_side::client;
    auto bytes = conversation(sender == websocket_side::client ? &mask : nullptr);
    for (size_t changes = below(3); changes > 0; --changes)
      bytes[below(bytes.size())] = static_cast<char>(below(256));
    const auto whole = read(bytes, bytes.size(), sender);
    const auto cut = read(bytes, below(bytes.size()), sender);
    REQUIRE(cut.messages == whole.messages);
    REQUIRE(cut.error == whole.error);
    broken += whole.error != 0 ? 1 : 0;
  }
  CHECK(broken > 500); // it was worth it
  CHECK(broken < 4500);
}

TEST_CASE("WebSocket frames are counted, whatever they are", "[transport][websocket_frames]") {
  websocket_reader reader{websocket_side::server, 1000};
  std::vector<websocket_message> got;
  reader.feed(conversation(nullptr), got);
  CHECK(reader.frames() == 8);
}

} // namespace websocket_frames_test

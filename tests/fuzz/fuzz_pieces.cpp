// Texts that come in pieces give the same, however they are cut. The last byte chooses the reader:
// 0 thoughts in tags, 1 the same where the model begins inside, 2 JSON strings that were cut inside
// a character, 3 lines of JSON, 4 the ids in JSON-RPC. It also chooses the cuts.
#include <string>
#include <vector>

#include "messages/json.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"
#include "messages/wire/json_lines.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"
#include "messages/wire/mcp/jsonrpc_peek.hpp"
#include "messages/wire/provider/think_tags.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

/// Reads texts and joins those of the same kind.
class thoughts {
public:
  explicit thoughts(bool opened) : tags_{opened} {}

  void read(std::string_view piece) {
    if (tags_.active())
      tags_.read(piece, events_);
    else
      events_.emplace_back(text_delta{std::string{piece}});
  }

  std::string finish() {
    tags_.flush(events_);
    std::string thought, text;
    for (const auto& each : events_)
      if (const auto* reasoning = std::get_if<reasoning_delta>(&each)) {
        require(!reasoning->text.empty() && text.empty(), "thoughts come before the text");
        thought += reasoning->text;
      } else {
        text += std::get<text_delta>(each).text;
      }
    return thought + "|" + text;
  }

private:
  think_tags tags_;
  std::vector<event> events_;
};

void read_thoughts(std::string_view text, uint8_t seed, bool opened) {
  thoughts whole{opened};
  whole.read(text);
  thoughts cut{opened};
  feed_in_pieces(text, seed, [&cut](std::string_view piece) { cut.read(piece); });
  const auto outcome = whole.finish();
  require(outcome == cut.finish(), "thoughts do not depend on the pieces");
  require(outcome.size() <= text.size() + 1, "nothing is added");
}

/// Writes UTF-16 units as the escapes of JSON strings, a string for each piece.
std::vector<std::string> literals(std::string_view units, uint8_t seed) {
  std::vector<std::string> out;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string now = "\"";
  for (size_t at = 0; at + 1 < units.size(); at += 2) {
    now += "\\u";
    for (const auto byte : {units[at], units[at + 1]}) {
      now += digits[static_cast<uint8_t>(byte) >> 4];
      now += digits[static_cast<uint8_t>(byte) & 15];
    }
    seed = static_cast<uint8_t>(seed * 5 + 1);
    if (seed % 3 == 0) {
      out.push_back(now + "\"");
      now = "\"";
    }
  }
  out.push_back(now + "\"");
  return out;
}

/// The pieces of a text are the text, wherever it was cut.
void join(std::string_view units, uint8_t seed) {
  std::string whole_literal = "\"";
  surrogate_joiner pieces;
  std::string joined;
  for (const auto& each : literals(units, seed)) {
    require(json_fault(each).empty(), "a piece is JSON");
    joined += pieces.read(each);
    whole_literal.append(each, 1, each.size() - 2);
  }
  pieces.flush(joined);
  surrogate_joiner one;
  auto whole = one.read(whole_literal + "\"");
  one.flush(whole);
  require(holds_utf8(joined), "what was joined is UTF-8");
  require(joined == whole, "the text does not depend on the pieces");
}

void read_lines(std::string_view text, uint8_t seed) {
  constexpr size_t max_line_bytes = 100;
  json_lines whole{max_line_bytes};
  const auto lines = whole.feed(text);
  json_lines cut{max_line_bytes};
  std::vector<std::string> same;
  feed_in_pieces(text, seed, [&](std::string_view piece) {
    for (auto& each : cut.feed(piece))
      same.push_back(std::move(each));
  });
  for (const auto& each : lines)
    require(!each.empty() && each.size() <= max_line_bytes && each.find('\n') == each.npos &&
                (each.front() == '{' || each.front() == '['),
            "a line is one of JSON");
  require(lines == same && whole.lines() == cut.lines() && whole.skipped() == cut.skipped() &&
              whole.overflowed() == cut.overflowed(),
          "the lines do not depend on the pieces");
}

/// A transport that only looks at a message sees the answer in it. Of a message with two ids it may
/// take the first one, because it does not read to the end.
void peek(std::string_view text) {
  static_cast<void>(jsonrpc::response_ids(text));
  static_cast<void>(jsonrpc::cancelled_request(text));
  for (const auto& each : jsonrpc::parse(text))
    if (const auto* got = std::get_if<jsonrpc::response>(&each); got != nullptr && got->id > 0) {
      const auto id = std::to_string(got->id);
      const auto again = got->is_error ? jsonrpc::make_error(id, got->error_code, "m")
                                       : jsonrpc::make_result(id, got->result);
      require(jsonrpc::response_ids(again) == std::vector<int64_t>{got->id}, "an answer is seen");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto [text, seed, choice] = choose(data, size, 5);
  if (choice < 2)
    read_thoughts(text, seed, choice == 1);
  else if (choice == 2)
    join(text, seed);
  else if (choice == 3)
    read_lines(text, seed);
  else
    peek(text);
  return 0;
}

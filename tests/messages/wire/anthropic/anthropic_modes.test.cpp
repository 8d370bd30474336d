// A stream and a whole message of Anthropic give the same events, once adjacent deltas are merged.
#include "tests/messages/wire/provider/decoded_body.hpp"
#include "tests/messages/wire/provider/random_server.hpp"

namespace anthropic_modes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// A block as a whole message has it, and the events that stream it.
struct made_block {
  std::string whole;
  std::string start; ///< what content_block_start has
  std::vector<std::string> deltas;
};

/// Makes answers, and streams of them.
class server : public random_server {
public:
  explicit server(uint32_t seed) : random_server{seed} {
    for (auto left = below(6); left > 0; --left)
      add_block();
    static constexpr std::string_view reasons[] = {"end_turn", "tool_use",   "max_tokens",
                                                   "refusal",  "pause_turn", "stop_sequence"};
    reason_ = reasons[below(std::size(reasons))];
    usage_ = fmt::format(
        R"({{"input_tokens":{},"cache_read_input_tokens":{},"cache_creation_input_tokens":{},)"
        R"("output_tokens":{}}})",
        1 + below(1000), below(1000), below(1000), 1 + below(1000));
  }

  std::string document() const {
    std::string content;
    for (const auto& each : blocks_)
      content += (content.empty() ? "" : ",") + each.whole;
    return fmt::format(R"({{"id":"msg_1","type":"message","role":"assistant","content":[{}],)"
                       R"("stop_reason":"{}","stop_sequence":null,"usage":{}}})",
                       content, reason_, usage_);
  }

  std::string stream() {
    auto out = event("message_start",
                     fmt::format(R"("message":{{"id":"msg_1","content":[],"usage":{}}})",
                                 one_in(2) ? usage_ : R"({"input_tokens":1,"output_tokens":1})"));
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const auto index = fmt::format(R"("index":{})", i);
      out += event("content_block_start", index + R"(,"content_block":)" + blocks_[i].start);
      for (const auto& each : blocks_[i].deltas)
        out += event("content_block_delta", index + R"(,"delta":)" + each);
      out += event("content_block_stop", index);
    }
    out += event("message_delta",
                 fmt::format(R"("delta":{{"stop_reason":"{}","stop_sequence":null}},"usage":{})",
                             reason_, usage_));
    return out + event("message_stop", "");
  }

private:
  std::string event(std::string_view type, std::string_view members) {
    auto json = fmt::format(R"({{"type":"{}"{}{}{}}})", type, members.empty() ? "" : ",", members,
                            std::string(one_in(3) ? below(9) : 0, ' '));
    auto ping = one_in(6) ? "event: ping\ndata: {\"type\": \"ping\"}\n\n" : "";
    return ping + fmt::format("event: {}\ndata: {}\n\n", type, json);
  }

  void add_deltas(made_block& into, std::string_view type, std::string_view key,
                  const std::string& text) {
    for (const auto& each : pieces(text))
      into.deltas.push_back(fmt::format(R"({{"type":"{}","{}":{}}})", type, key, to_json(each)));
  }

  void add_block() {
    switch (below(6)) {
    case 0:
    case 1:
      return add_text();
    case 2:
      return add_thought();
    case 3:
    case 4:
      return add_call(one_in(3) ? "server_tool_use" : "tool_use");
    default:
      blocks_.push_back({R"({"type":"redacted_thinking","data":"cmVk"})",
                         R"({"type":"redacted_thinking","data":"cmVk"})",
                         {}});
    }
  }

  void add_text() {
    const auto text = words(below(10));
    auto& made = blocks_.emplace_back();
    made.whole = R"({"type":"text","text":)" + to_json(text) + "}";
    made.start = R"({"type":"text","text":""})";
    add_deltas(made, "text_delta", "text", text);
  }

  void add_thought() {
    const auto text = one_in(4) ? std::string{} : words(below(10));
    const auto signature = one_in(5) ? "" : "c2ln";
    auto& made = blocks_.emplace_back();
    made.whole = fmt::format(R"({{"type":"thinking","thinking":{},"signature":"{}"}})",
                             to_json(text), signature);
    made.start = R"({"type":"thinking","thinking":"","signature":""})";
    add_deltas(made, "thinking_delta", "thinking", text);
    if (*signature != '\0')
      made.deltas.push_back(R"({"type":"signature_delta","signature":"c2ln"})");
  }

  void add_call(std::string_view type) {
    const auto input = one_in(3) ? std::string{"{}"} : R"({"q":)" + to_json(words(below(10))) + "}";
    const auto head =
        fmt::format(R"({{"type":"{}","id":"call_{}","name":"get","input":)", type, blocks_.size());
    auto& made = blocks_.emplace_back();
    made.whole = head + input + "}";
    made.start = head + "{}}";
    made.deltas.push_back(R"({"type":"input_json_delta","partial_json":""})");
    if (input != "{}")
      add_deltas(made, "input_json_delta", "partial_json", input);
  }

  std::vector<made_block> blocks_;
  std::string reason_;
  std::string usage_;
};

} // namespace

TEST_CASE("an answer of Anthropic gives the same events as a stream and as one message",
          "[messages][anthropic]") {
  const body_frame plain{200, "application/json", {}, {}};
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    server made{seed};
    const auto document = made.document();
    const auto stream = made.stream();
    const auto whole = merged_lines(decode_body("anthropic", plain, made.cut(document)));
    const auto streamed = merged_lines(decode_body("anthropic", {}, made.cut(stream)));
    if (whole != streamed) {
      INFO("seed " << seed << "\n" << stream << document);
      CHECK(whole == streamed);
      break;
    }
  }
}

} // namespace anthropic_modes_test

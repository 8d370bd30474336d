#include "messages/wire/clients/claude/claude_tokens.hpp"

#include <algorithm>
#include <string_view>

namespace troupe {

namespace {

constexpr uint64_t tokens_of_file = 1'600; // what Anthropic says of a large image
constexpr uint64_t tokens_of_message = 4;  // its role and its ends
constexpr uint64_t ascii_per_token = 4;

/// Counts characters; a text without spaces is as good as one with them.
class character_count {
public:
  void add(std::string_view text) {
    for (unsigned char c : text)
      if (c < 0x80)
        ++ascii_;
      else if (c >= 0xc0) // the first byte of a character
        ++others_;
  }

  uint64_t tokens() const { return (ascii_ + ascii_per_token - 1) / ascii_per_token + others_; }

private:
  uint64_t ascii_ = 0;
  uint64_t others_ = 0;
};

} // namespace

uint64_t estimated_tokens(const turn_request& asked) {
  character_count count;
  uint64_t more = 0;
  for (const auto& each : asked.messages) {
    count.add(each.text);
    count.add(each.reasoning);
    for (const auto& call : each.tool_calls) {
      count.add(call.name);
      count.add(call.arguments);
    }
    more += tokens_of_message + tokens_of_file * each.files.size();
  }
  for (const auto& tool : asked.options.tools) {
    count.add(tool.name);
    count.add(tool.description);
    count.add(tool.input_schema);
    more += tokens_of_message;
  }
  return std::max<uint64_t>(count.tokens() + more, 1);
}

} // namespace troupe

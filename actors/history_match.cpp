#include "actors/history_match.hpp"

#include <algorithm>
#include <string_view>

namespace troupe {

namespace {

/// A JSON text without the white space between its tokens, byte by byte.
class json_bytes {
public:
  explicit json_bytes(std::string_view text) : text_{text} {}

  /// Returns the next byte; 0 at the end.
  char next() {
    while (!in_string_ && at_ < text_.size() && is_space(text_[at_]))
      ++at_;
    if (at_ == text_.size())
      return 0;
    auto byte = text_[at_++];
    if (!escaped_ && byte == '"')
      in_string_ = !in_string_;
    escaped_ = in_string_ && !escaped_ && byte == '\\';
    return byte;
  }

private:
  static bool is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
  }

  std::string_view text_;
  size_t at_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

/// Clients send arguments as they have parsed them.
bool same_json(std::string_view known, std::string_view sent) {
  if (known == sent)
    return true;
  json_bytes a{known}, b{sent};
  while (true) {
    auto byte = a.next();
    if (byte != b.next())
      return false;
    if (byte == 0)
      return true;
  }
}

template <class Value>
bool same_or_left_out(const Value& known, const Value& sent) {
  return sent.empty() || sent == known;
}

bool same_call(const tool_call& known, const tool_call& sent) {
  return known.id == sent.id && known.name == sent.name &&
         same_or_left_out(known.provider_metadata, sent.provider_metadata) &&
         same_json(known.arguments, sent.arguments);
}

bool same_message(const chat_message& known, const chat_message& sent) {
  auto same_files = known.files == sent.files || (sent.who == role::tool && sent.files.empty());
  return known.who == sent.who && known.text == sent.text &&
         known.tool_call_id == sent.tool_call_id && same_files &&
         same_or_left_out(known.id, sent.id) && same_or_left_out(known.extras, sent.extras) &&
         same_or_left_out(known.reasoning, sent.reasoning) &&
         same_or_left_out(known.provider_metadata, sent.provider_metadata) &&
         std::ranges::equal(known.tool_calls, sent.tool_calls, same_call);
}

} // namespace

size_t same_messages(const std::vector<chat_message>& known,
                     const std::vector<chat_message>& sent) {
  auto differ = std::mismatch(known.begin(), known.end(), sent.begin(), sent.end(), same_message);
  return static_cast<size_t>(differ.first - known.begin());
}

} // namespace troupe

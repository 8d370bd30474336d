#include "actors/turn/history_match.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "actors/turn/history.hpp"
#include "actors/turn/tool_output.hpp"
#include "messages/chat/tool_name.hpp"
#include "messages/wire/json/json_tree.hpp"

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

/// Compares JSON without white space: clients parse arguments and write them again.
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

bool same_node(const json_node& known, const json_node& sent);

/// Returns whether the object `in` has this member, at any place.
bool same_member(const json_node& known, const json_node& in) {
  const auto* sent = in.find(known.key);
  return sent != nullptr && same_node(known, *sent);
}

/// Numbers are equal when they are equal as doubles, the only numbers of JavaScript.
bool same_node(const json_node& known, const json_node& sent) {
  const auto& children = known.children;
  if (known.kind != sent.kind || children.size() != sent.children.size())
    return false;
  if (known.kind == json_kind::object)
    return std::ranges::all_of(children, [&](const auto& each) { return same_member(each, sent); });
  if (known.kind == json_kind::array)
    return std::ranges::equal(children, sent.children, same_node);
  const auto a = static_cast<double>(wide_number(known));
  return known.text == sent.text || a == static_cast<double>(wide_number(sent));
}

/// Compares values: JavaScript writes numbers, escapes and the order of members its own way.
bool same_value(std::string_view known, std::string_view sent) {
  constexpr size_t max_values = 100'000;
  if (same_json(known, sent))
    return true;
  if (!known.starts_with('{') && !known.starts_with('['))
    return false;
  const auto a = read_json_tree(known, max_values);
  const auto b = a ? read_json_tree(sent, max_values) : std::nullopt;
  return b && same_node(*a, *b);
}

/// A client has seen the whole result and sends it whole, where the model got its start and a note.
bool same_output(std::string_view known, std::string_view sent) {
  const auto note = known.rfind(cut_note_head);
  const auto cut = note != known.npos && note > 0 && sent.size() > note;
  return (known == no_output_text && sent.empty()) ||
         (cut && sent.substr(0, note) == known.substr(0, note)) || same_value(known, sent);
}

template <class Value>
bool same_or_left_out(const Value& known, const Value& sent) {
  return sent.empty() || sent == known;
}

/// A client was shown the model's own name of an unknown tool, the history has a valid one.
bool same_name(std::string_view known, const std::string& sent) {
  return known == sent || known == model_tool_name(sent);
}

/// Older databases have no text_behind, so 0 matches any value.
bool same_file(const message_file& known, const message_file& sent) {
  return known.media_type == sent.media_type && known.url == sent.url &&
         known.filename == sent.filename && same_or_left_out(known.detail, sent.detail) &&
         (known.text_behind == sent.text_behind || known.text_behind == 0);
}

bool same_message(const chat_message& known, const chat_message& sent) {
  auto same_files = std::ranges::equal(known.files, sent.files, same_file) ||
                    (sent.who == role::tool && sent.files.empty());
  auto same_text =
      sent.who == role::tool ? same_output(known.text, sent.text) : known.text == sent.text;
  return known.who == sent.who && same_text && known.tool_call_id == sent.tool_call_id &&
         same_files && same_or_left_out(known.id, sent.id) &&
         same_or_left_out(known.extras, sent.extras) &&
         same_or_left_out(known.reasoning, sent.reasoning) &&
         same_or_left_out(known.provider_metadata, sent.provider_metadata) &&
         std::ranges::equal(known.tool_calls, sent.tool_calls, same_call);
}

} // namespace

bool same_call(const tool_call& known, const tool_call& sent) {
  return known.id == sent.id && same_name(known.name, sent.name) &&
         same_or_left_out(known.provider_metadata, sent.provider_metadata) &&
         same_value(known.arguments, sent.arguments);
}

size_t same_messages(const std::vector<chat_message>& known,
                     const std::vector<chat_message>& sent) {
  auto differ = std::mismatch(known.begin(), known.end(), sent.begin(), sent.end(), same_message);
  return static_cast<size_t>(differ.first - known.begin());
}

} // namespace troupe

#include "messages/wire/clients/conversation/ui_conversation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"

namespace troupe {

namespace {

using stored_messages = std::vector<stored_message>;

/// Returns the end of the UI message that begins at `from`. Results belong to their calls, also
/// with another id.
size_t end_of_message(const stored_messages& all, size_t from) {
  const auto& first = all[from].message;
  auto end = from + 1;
  if (first.who != role::assistant && first.who != role::tool)
    return end;
  auto belongs = [&first](const chat_message& next) {
    return next.who == role::tool || (next.who == role::assistant && next.id == first.id);
  };
  while (end < all.size() && belongs(all[end].message))
    ++end;
  return end;
}

/// The place of the note for an image: the text ends at `begin` and continues at `end`.
struct note_place {
  size_t begin;
  size_t end;
};

/// Finds the note of mcp::read_content() for an image, on a line of its own. Without a note the
/// image goes behind the text.
note_place find_note(std::string_view text, const message_file& file) {
  const auto head = fmt::format("[image {}, ", file.media_type);
  for (auto at = text.find(head); at != text.npos; at = text.find(head, at + 1)) {
    const auto close = text.find(" bytes]", at);
    const auto end = close == text.npos ? close : close + std::string_view{" bytes]"}.size();
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (begins && end != text.npos && (end == text.size() || text[end] == '\n'))
      return {at == 0 ? 0 : at - 1, end == text.size() ? end : end + 1};
  }
  return {text.size(), text.size()};
}

/// Writes the parts of one UI message.
class part_writer {
public:
  explicit part_writer(json_buffer& out) : out_{out} {}

  void text(std::string_view type, std::string_view text) {
    begin(type);
    member("text", text);
    raw("}");
  }

  void file(const message_file& file) {
    begin("file");
    member("mediaType", file.media_type);
    member("url", file.url);
    if (!file.filename.empty())
      member("filename", file.filename);
    if (!file.detail.empty()) {
      raw(R"(,"providerMetadata":{"openai":{"imageDetail":)");
      append_json(out_, file.detail);
      raw("}}");
    }
    raw("}");
  }

  /// A resource of an MCP server that goes with a user's message; the model sees its content, too.
  void extra(const message_extra& extra) {
    begin("data-mcp-resource");
    raw(R"(,"data":)");
    append_json(out_, extra);
    raw("}");
  }

  void step_start() {
    begin("step-start");
    raw("}");
  }

  /// @param result of the call; nullptr: it has none yet
  void call(const tool_call& call, const chat_message* result);

private:
  void raw(std::string_view text) { append_raw(out_, text); }

  void begin(std::string_view type) {
    raw(first_ ? R"({"type":)" : R"(,{"type":)");
    first_ = false;
    append_json(out_, type);
  }

  void member(std::string_view name, std::string_view value) {
    raw(",\"");
    raw(name);
    raw("\":");
    append_json(out_, value);
  }

  void output(const chat_message& result);
  void output_text(std::string_view text, bool& first);
  void output_image(const message_file& file, bool& first);

  json_buffer& out_;
  bool first_ = true;
};

/// Appends the output of a call: its text, or an MCP result if there are images. Each image
/// replaces its note in the text; reading the output back gives the same text again.
void part_writer::output(const chat_message& result) {
  raw(R"(,"output":)");
  if (result.files.empty())
    return append_json(out_, result.text);
  raw(R"({"content":[)");
  bool first = true;
  std::string_view rest{result.text};
  for (const auto& file : result.files) {
    const auto note = find_note(rest, file);
    output_text(rest.substr(0, note.begin), first);
    rest.remove_prefix(note.end);
    output_image(file, first);
  }
  output_text(rest, first);
  raw("]}");
}

/// @param first whether the text is the first part
void part_writer::output_text(std::string_view text, bool& first) {
  if (text.empty())
    return;
  raw(std::exchange(first, false) ? R"({"type":"text","text":)" : R"(,{"type":"text","text":)");
  append_json(out_, text);
  raw("}");
}

void part_writer::output_image(const message_file& file, bool& first) {
  constexpr std::string_view mark = ";base64,";
  auto data = file.url.find(mark);
  raw(std::exchange(first, false) ? R"({"type":"image","mimeType":)"
                                  : R"(,{"type":"image","mimeType":)");
  append_json(out_, file.media_type);
  member("data", data == std::string::npos ? file.url : file.url.substr(data + mark.size()));
  raw("}");
}

void part_writer::call(const tool_call& call, const chat_message* result) {
  begin("dynamic-tool");
  member("toolName", call.name);
  member("toolCallId", call.id);
  const auto asks = result == nullptr && !call.approval.id.empty();
  member("state", result != nullptr ? "output-available"
                  : asks            ? "approval-requested"
                                    : "input-available");
  raw(R"(,"input":)");
  raw(call.arguments.empty() ? "{}" : std::string_view{call.arguments});
  if (result != nullptr)
    output(*result);
  if (!call.provider_metadata.empty()) {
    raw(R"(,"callProviderMetadata":)");
    raw(call.provider_metadata);
  }
  if (asks) {
    raw(R"(,"approval":{"id":)");
    append_json(out_, call.approval.id);
    raw("}");
  }
  raw("}");
}

/// Returns the result of a call among the messages behind the message of the call.
const chat_message* result_of(const tool_call& call, const stored_messages& all, size_t at,
                              size_t end) {
  for (; at < end && all[at].message.who == role::tool; ++at)
    if (all[at].message.tool_call_id == call.id)
      return &all[at].message;
  return nullptr;
}

/// One step of an answer; its results follow it.
void write_step(part_writer& parts, const stored_messages& all, size_t at, size_t end) {
  const auto& step = all[at].message;
  parts.step_start();
  if (!step.reasoning.empty())
    parts.text("reasoning", step.reasoning);
  if (!step.text.empty())
    parts.text("text", step.text);
  for (const auto& call : step.tool_calls)
    parts.call(call, result_of(call, all, at + 1, end));
}

void write_plain(part_writer& parts, const chat_message& message) {
  for (const auto& each : message.extras)
    parts.extra(each);
  if (message.text.empty() && message.files.empty() && message.extras.empty())
    parts.text("text", message.text);
  for (const auto& piece : pieces_of(message.text, message.files))
    if (piece.file != nullptr)
      parts.file(*piece.file);
    else
      parts.text("text", piece.text);
}

void append_ui_message(json_buffer& out, const stored_messages& all, size_t from, size_t end) {
  const auto& first = all[from];
  auto answers = first.message.who == role::tool;
  append_raw(out, R"({"id":)");
  append_json(out, first.message.id.empty() ? fmt::format("message-{}", from) : first.message.id);
  append_raw(out, R"(,"role":)");
  append_json(out, answers ? role::assistant : first.message.who);
  fmt::format_to(std::back_inserter(out), R"(,"metadata":{{"createdAt":{}}},"parts":[)",
                 first.created_ms);
  part_writer parts{out};
  for (auto i = from; i < end; ++i)
    if (all[i].message.who == role::assistant)
      write_step(parts, all, i, end);
    else if (all[i].message.who != role::tool)
      write_plain(parts, all[i].message);
  append_raw(out, "]}");
}

void append_ui_messages(json_buffer& out, const stored_messages& all) {
  out.push_back('[');
  for (size_t i = 0; i < all.size();) {
    if (i > 0)
      out.push_back(',');
    auto end = end_of_message(all, i);
    append_ui_message(out, all, i, end);
    i = end;
  }
  out.push_back(']');
}

void append_turn(json_buffer& out, const turn_record& turn) {
  char before = '{';
  for_each_field(turn, [&](std::string_view name, const auto& member) {
    out.push_back(before);
    before = ',';
    append_json(out, name);
    out.push_back(':');
    if (name != "error")
      append_json(out, member);
    else if (turn.error)
      append_json(out, failure{turn.error.code, turn.error.text()});
    else
      append_raw(out, "null");
  });
  out.push_back('}');
}

} // namespace

std::string ui_conversation_json(const conversation& what) {
  json_buffer out;
  out.push_back('{');
  append_members(out, what.info);
  append_raw(out, R"(,"overrides":)");
  append_raw(out, overrides_json(what.overrides));
  append_raw(out, R"(,"messages":)");
  append_ui_messages(out, what.messages);
  append_raw(out, R"(,"lastTurn":)");
  if (what.turns.empty())
    append_raw(out, "null");
  else
    append_turn(out, what.turns.back());
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe

#include "messages/wire/clients/ui/ui_tool_output.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view base64_mark = ";base64,";

/// The place of the note for an image: the text ends at `begin` and continues at `end`.
struct note_place {
  size_t begin;
  size_t end;
};

/// A text, or an image, of a server's output.
struct output_piece {
  std::string_view text = {};
  const message_file* image = nullptr;
};

/// Finds the note of mcp::read_content() for an image, on a line of its own. Without a note the
/// image goes after the text.
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

std::vector<output_piece> output_pieces(std::string_view text,
                                        const std::vector<message_file>& files) {
  std::vector<output_piece> out;
  auto add_text = [&out](std::string_view piece) {
    if (!piece.empty())
      out.push_back({piece});
  };
  for (const auto& file : files) {
    const auto note = find_note(text, file);
    add_text(text.substr(0, note.begin));
    text.remove_prefix(note.end);
    out.push_back({{}, &file});
  }
  add_text(text);
  return out;
}

std::string_view base64_of(const message_file& file) {
  const auto mark = file.url.find(base64_mark);
  return std::string_view{file.url}.substr(mark == file.url.npos ? 0 : mark + base64_mark.size());
}

/// Returns whether a part of an MCP result is written for that piece again, member by member.
bool same_piece(std::string_view part, const output_piece& piece) {
  std::string_view type, text, data, media;
  if (piece.image == nullptr)
    return !read_only_members(part, {{"type", &type}, {"text", &text}}) &&
           json_string(type) == "text" && json_string(text) == piece.text;
  return !read_only_members(part, {{"type", &type}, {"data", &data}, {"mimeType", &media}}) &&
         json_string(type) == "image" && json_string(media) == piece.image->media_type &&
         json_string(data) == base64_of(*piece.image);
}

bool same_content(std::string_view content, const std::vector<output_piece>& pieces) {
  size_t count = 0;
  auto same = kind_of(content) == json_kind::array;
  for_each_element(same ? content : std::string_view{}, [&](json_value part) {
    same = count < pieces.size() && same_piece(part, pieces[count]);
    ++count;
    return same;
  });
  return same && count == pieces.size();
}

void append_content(json_buffer& out, const chat_message& result) {
  append_raw(out, R"({"content":[)");
  bool first = true;
  for (const auto& piece : output_pieces(result.text, result.files)) {
    append_raw(out, std::exchange(first, false) ? "" : ",");
    append_raw(out, piece.image == nullptr ? R"({"type":"text","text":)"
                                           : R"({"type":"image","mimeType":)");
    append_json(out, piece.image == nullptr ? piece.text : piece.image->media_type);
    if (piece.image != nullptr) {
      append_raw(out, R"(,"data":)");
      append_json(out, base64_of(*piece.image));
    }
    out.push_back('}');
  }
  out.push_back(']');
}

} // namespace

std::optional<shown_part> shown_output(std::string_view output, std::string_view text,
                                       const std::vector<message_file>& files) {
  if (text.empty() && files.empty()) // a note will stand in its place, and is nobody's output
    return make_shown("output", output.empty() ? "null" : std::string{output});
  if (kind_of(output) == json_kind::string && files.empty() && json_string(output) == text)
    return std::nullopt;
  if (output == text && !output.empty())
    return make_shown("json");
  std::string_view content;
  json_buffer more;
  for_each_member(output, [&](std::string_view key, json_value value) {
    if (key == "content") {
      content = value;
      return true;
    }
    more.push_back(more.size() == 0 ? '{' : ',');
    append_json(more, key);
    more.push_back(':');
    append_raw(more, value);
    return true;
  });
  if (!same_content(content, output_pieces(text, files)))
    return make_shown("output", output.empty() ? "null" : std::string{output});
  if (more.size() > 0)
    more.push_back('}');
  return make_shown("content", std::string{view(more)});
}

void append_output(json_buffer& out, const chat_message& result) {
  if (const auto* whole = find_shown(result.shown, "output"))
    return append_raw(out, whole->value);
  if (find_shown(result.shown, "json") != nullptr)
    return append_raw(out, result.text);
  const auto* content = find_shown(result.shown, "content");
  if (content == nullptr && result.files.empty())
    return append_json(out, result.text);
  append_content(out, result);
  if (content != nullptr && !content->value.empty()) {
    out.push_back(',');
    append_raw(out, std::string_view{content->value}.substr(1)); // with its closing brace
  } else {
    out.push_back('}');
  }
}

std::string broken_call_part(const tool_call& call, std::string_view title,
                             std::string_view error_text) {
  json_buffer out;
  out.push_back('{');
  append_tool_head(out, call, call.name);
  if (!title.empty()) {
    append_raw(out, R"(,"title":)");
    append_json(out, title);
  }
  append_raw(out, R"(,"state":"output-error","input":"","errorText":)");
  append_json(out, error_text);
  out.push_back('}');
  return std::string{view(out)};
}

void append_tool_head(json_buffer& out, const tool_call& call, std::string_view name) {
  if (call.client_side) {
    append_raw(out, R"("type":"tool-)");
    append_escaped(out, name);
    out.push_back('"');
  } else {
    append_raw(out, R"("type":"dynamic-tool","toolName":)");
    append_json(out, name);
  }
  append_raw(out, R"(,"toolCallId":)");
  append_json(out, call.id);
}

} // namespace troupe

#include "messages/wire/clients/ui/ui_parts.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/chat/shown_layout.hpp"
#include "messages/json.hpp"
#include "messages/store/stored_file.hpp"
#include "messages/wire/clients/ui/ui_step_reader.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// What an MCP server gave to a message; the chat has it itself, and a client only shows it.
constexpr std::string_view resource_part = "data-mcp-resource";

std::string file_note(const ui_part& part) {
  std::string note = "[file";
  for (auto member : {part.filename, part.media_type})
    if (auto text = json_string(member); !text.empty())
      note += ' ' + text;
  return note + ']';
}

/// Returns the detail of an image, at the place where the AI SDK's OpenAI provider reads it.
std::string image_detail(std::string_view metadata) {
  std::string_view openai, detail;
  read_members(metadata, {{"openai", &openai}});
  read_members(openai, {{"imageDetail", &detail}});
  return json_string(detail);
}

/// Reads the parts of a user's or system message.
class plain_reader {
public:
  plain_reader(role who, const std::vector<ui_part>& parts)
      : lists_{parts.size() != 1 || !parts[0].has_only({"type", "text"})} {
    message_.who = who;
  }

  void add(const ui_part& part, std::string_view type);

  /// Appends the message, if there is something for a model.
  void end(std::vector<chat_message>& out, ui_rest& rest);

private:
  void text(std::string text, std::string members);

  bool lists_; ///< it may be shown otherwise than in the plain way
  bool has_text_ = false;
  chat_message message_;
  piece_collector texts_{message_.text, message_.files};
};

void plain_reader::add(const ui_part& part, std::string_view type) {
  if (type == "text")
    return text(json_string(part.text), part.others({"type", "text"}));
  if (type == resource_part)
    return;
  if (type == "file" && message_.who == role::user) {
    auto& made = message_.files.emplace_back(file_of(part));
    message_.shown.push_back(make_shown("file", other_file_members(part, made)));
    return;
  }
  if (type == "file") {
    texts_.line(file_note(part));
    has_text_ = true;
  }
  message_.shown.push_back(make_shown("part", part.whole()));
}

void plain_reader::text(std::string text, std::string members) {
  texts_.line(text);
  has_text_ = true;
  if (!lists_)
    return;
  const auto at = message_.text.size() - std::min(text.size(), message_.text.size());
  message_.shown.push_back({"text", at, text.size(), std::move(members)});
}

void plain_reader::end(std::vector<chat_message>& out, ui_rest& rest) {
  texts_.end();
  if (!has_text_ && message_.files.empty()) {
    rest.silent = std::move(message_.shown);
    return;
  }
  if (lists_ && message_.shown == plain_layout(message_))
    message_.shown.clear();
  out.push_back(std::move(message_));
}

constexpr size_t max_file_name = 128; // of what names an uploaded file

/// A file's URL goes to the model, where only these schemes have the same meaning.
bool is_file_url(std::string_view slice) {
  for (std::string_view scheme : {"\"data:", "\"http:", "\"https:"})
    if (slice.starts_with(scheme)) // may be megabytes long, so it is not unescaped for this
      return true;
  return slice.size() < 2 * max_file_name && !file_id_in(json_string(slice)).empty();
}

/// Checks what every part with this type must have.
failure check_part(const ui_part& part, std::string_view type, size_t index) {
  if (type.empty())
    return invalid_part(index, "type must be a string");
  if ((type == "text" || type == "reasoning") && kind_of(part.text) != json_kind::string)
    return invalid_part(index, "text must be a string");
  if (type != "file")
    return {};
  if (json_string(part.media_type).empty())
    return invalid_part(index, "mediaType must be a string that is not empty");
  if (!is_file_url(part.url))
    return invalid_part(index,
                        "url must be a data:, http: or https: URL, or that of an uploaded file");
  if (!is_nothing(part.filename) && kind_of(part.filename) != json_kind::string)
    return invalid_part(index, "filename must be a string");
  return {};
}

} // namespace

failure invalid_part(size_t index, std::string_view what) {
  return {errc::request_invalid, fmt::format(".parts[{}].{}", index, what)};
}

message_file file_of(const ui_part& part) {
  return {json_string(part.media_type), file_url(json_string(part.url)), json_string(part.filename),
          image_detail(part.metadata)};
}

std::string other_file_members(const ui_part& part, const message_file& file) {
  auto others = part.others({"type", "mediaType", "url", "filename"});
  const auto usual = fmt::format(R"({{"providerMetadata":{{"openai":{{"imageDetail":{}}}}}}})",
                                 to_json(file.detail));
  return others == usual ? std::string{} : others;
}

failure append_ui_parts(role who, const std::vector<ui_part>& parts, std::vector<chat_message>& out,
                        ui_rest& rest) {
  rest = {};
  ui_step_reader steps{out};
  plain_reader plain{who, parts};
  for (size_t i = 0; i < parts.size(); ++i) {
    auto type = json_string(parts[i].type);
    if (auto bad = check_part(parts[i], type, i))
      return bad;
    if (who != role::assistant)
      plain.add(parts[i], type);
    else if (auto bad = steps.add(parts[i], type, i, rest))
      return bad;
  }
  if (who == role::assistant)
    steps.end(rest);
  else
    plain.end(out, rest);
  return {};
}

} // namespace troupe

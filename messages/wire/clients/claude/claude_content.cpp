#include "messages/wire/clients/claude/claude_content.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/wire/clients/claude/claude_tools.hpp"
#include "messages/wire/clients/content_parts.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/sent_files.hpp"

namespace troupe {

namespace {

/// Where blocks of one message are collected.
struct content_place {
  std::string place;
  chat_message& out;
  piece_collector& texts;
};

/// The members of an image's or a document's `source`.
struct file_source {
  std::string type;
  std::string_view media_type, data, url, content, file_id;

  explicit file_source(std::string_view source) {
    std::string_view kind;
    read_members(source, {{"type", &kind},
                          {"media_type", &media_type},
                          {"data", &data},
                          {"url", &url},
                          {"content", &content},
                          {"file_id", &file_id}});
    type = json_string(kind);
  }
};

/// Reads a file that is given as base64, as a URL, or by the id of an upload.
/// @param unknown the media type of a URL
failure read_file_source(const file_source& from, std::string_view unknown, std::string name,
                         const content_place& into) {
  if (from.type == "base64") {
    if (kind_of(from.media_type) != json_kind::string || kind_of(from.data) != json_kind::string)
      return invalid_request(into.place + ".source must have media_type and data, strings");
    auto type = json_string(from.media_type);
    auto url = "data:" + type + ";base64," + json_string(from.data);
    into.out.files.push_back({std::move(type), std::move(url), std::move(name)});
    return {};
  }
  if (from.type == "url") {
    auto url = json_string(from.url);
    if (!is_web_address(url))
      return invalid_request(into.place + ".source.url must be an http: or https: URL");
    into.out.files.push_back({std::string{unknown}, std::move(url), std::move(name)});
    return {};
  }
  if (from.type == "file")
    return add_stored_file(json_string(from.file_id), std::move(name),
                           into.place + ".source.file_id", into.out);
  return invalid_request(into.place + ".source.type must be base64, url or file");
}

void add_line(const content_place& into, std::string_view text) {
  if (!text.empty())
    into.texts.line(text);
}

failure read_image(std::string_view block, const content_place& into) {
  std::string_view source;
  read_members(block, {{"source", &source}});
  return read_file_source(file_source{source}, "image/*", {}, into);
}

/// Adds a string, or a list of blocks of texts and images. @param key the member that holds it
failure add_inner(std::string_view content, std::string_view key, const content_place& into) {
  if (kind_of(content) == json_kind::string)
    add_line(into, json_string(content));
  failure bad;
  size_t index = 0;
  for_each_element(content, [&](std::string_view each) {
    std::string_view type, text;
    read_members(each, {{"type", &type}, {"text", &text}});
    const auto place = index++;
    if (json_string(type) == "image")
      bad = read_image(each,
                       {fmt::format("{}.{}[{}]", into.place, key, place), into.out, into.texts});
    else
      add_line(into, json_string(text));
    return !bad;
  });
  return bad;
}

failure read_document(std::string_view block, const content_place& into) {
  std::string_view source, title, context;
  read_members(block, {{"source", &source}, {"title", &title}, {"context", &context}});
  const file_source from{source};
  add_line(into, json_string(context));
  if (from.type != "text" && from.type != "content")
    return read_file_source(from, "application/pdf", json_string(title), into);
  const auto text = from.type == "text" ? from.data : from.content;
  if (kind_of(text) != json_kind::string && kind_of(text) != json_kind::array)
    return invalid_request(into.place + ".source must have a text");
  add_line(into, json_string(title));
  return add_inner(text, "source.content", into);
}

failure read_search_result(std::string_view block, const content_place& into) {
  std::string_view source, title, content;
  read_members(block, {{"source", &source}, {"title", &title}, {"content", &content}});
  add_line(into, json_string(title));
  add_line(into, json_string(source));
  return add_inner(content, "content", into);
}

failure read_block(const claude_block& block, const content_place& into) {
  if (block.type == "text") {
    std::string_view text;
    read_members(block.slice, {{"text", &text}});
    if (kind_of(text) != json_kind::string)
      return invalid_request(into.place + ".text must be a string");
    into.texts.line(json_string(text)); // blocks are apart from each other
    return {};
  }
  if (block.type == "image")
    return read_image(block.slice, into);
  if (block.type == "document")
    return read_document(block.slice, into);
  if (block.type == "search_result")
    return read_search_result(block.slice, into);
  if (const auto told = told_tool_change(block.type, block.slice); !told.empty()) {
    add_line(into, told);
    return {};
  }
  return invalid_request(into.place + " is a '" + block.type +
                         "', which cannot be read here; send a text, an image or a document");
}

failure read_result(std::string_view block, const std::string& place,
                    std::vector<chat_message>& results) {
  if (results.size() >= max_request_messages)
    return invalid_request(place + " is one message too many: a request may have 10000");
  std::string_view id, content, failed;
  read_members(block, {{"tool_use_id", &id}, {"content", &content}, {"is_error", &failed}});
  auto& made = results.emplace_back();
  made.who = role::tool;
  made.tool_call_id = json_string(id);
  if (made.tool_call_id.empty())
    return invalid_request(place + ".tool_use_id must be a string that is not empty");
  if (auto bad = read_flag(failed, place + ".is_error", made.failed))
    return bad;
  return is_nothing(content) ? failure{} : read_claude_content(content, place + ".content", made);
}

} // namespace

failure read_claude_block(std::string_view slice, const std::string& place, claude_block& out) {
  if (kind_of(slice) != json_kind::object)
    return invalid_request(place + " must be an object");
  std::string_view type;
  read_members(slice, {{"type", &type}});
  out = {json_string(type), slice};
  return out.type.empty() ? invalid_request(place + ".type must be a string") : failure{};
}

failure read_claude_content(std::string_view content, const std::string& place, chat_message& out,
                            std::vector<chat_message>* results) {
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of blocks");
  return read_part_list(content, place, out,
                        [&](std::string_view each, const std::string& at, piece_collector& texts) {
                          claude_block block;
                          if (auto bad = read_claude_block(each, at, block))
                            return bad;
                          if (results != nullptr && block.type == "tool_result")
                            return read_result(each, at, *results);
                          return read_block(block, {at, out, texts});
                        });
}

} // namespace troupe

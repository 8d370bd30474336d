#include "messages/wire/clients/claude/claude_content.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"

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
  std::string_view media_type, data, url, content;

  explicit file_source(std::string_view source) {
    std::string_view kind;
    read_members(source, {{"type", &kind},
                          {"media_type", &media_type},
                          {"data", &data},
                          {"url", &url},
                          {"content", &content}});
    type = json_string(kind);
  }
};

bool is_web_url(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

/// Reads a file that is given as base64 or as a URL.
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
    if (!is_web_url(url))
      return invalid_request(into.place + ".source.url must be an http: or https: URL");
    into.out.files.push_back({std::string{unknown}, std::move(url), std::move(name)});
    return {};
  }
  if (from.type == "file")
    return invalid_request(into.place + ".source is a file that was uploaded to another server; "
                                        "send it as base64 or as a URL");
  return invalid_request(into.place + ".source.type must be base64 or url");
}

void add_line(const content_place& into, std::string_view text) {
  if (!text.empty())
    into.texts.line(text);
}

/// Adds the texts of a list of text blocks, or a string.
void add_texts(std::string_view content, const content_place& into) {
  if (kind_of(content) == json_kind::string)
    return add_line(into, json_string(content));
  for_each_element(content, [&into](std::string_view each) {
    std::string_view text;
    read_members(each, {{"text", &text}});
    add_line(into, json_string(text));
    return true;
  });
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
  add_texts(text, into);
  return {};
}

failure read_image(std::string_view block, const content_place& into) {
  std::string_view source;
  read_members(block, {{"source", &source}});
  return read_file_source(file_source{source}, "image/*", {}, into);
}

void read_search_result(std::string_view block, const content_place& into) {
  std::string_view source, title, content;
  read_members(block, {{"source", &source}, {"title", &title}, {"content", &content}});
  add_line(into, json_string(title));
  add_line(into, json_string(source));
  add_texts(content, into);
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
  if (block.type == "search_result") {
    read_search_result(block.slice, into);
    return {};
  }
  return invalid_request(into.place + " is a '" + block.type +
                         "', which cannot be read here; send a text, an image or a document");
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

failure read_claude_content(std::string_view content, const std::string& place, chat_message& out) {
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of blocks");
  failure bad;
  size_t index = 0;
  piece_collector texts{out.text, out.files};
  for_each_element(content, [&](std::string_view each) {
    content_place into{fmt::format("{}[{}]", place, index++), out, texts};
    claude_block block;
    bad = read_claude_block(each, into.place, block);
    if (!bad && block.type != "tool_result")
      bad = read_block(block, into);
    return !bad;
  });
  texts.end();
  return bad;
}

} // namespace troupe

#include "messages/wire/openai_chat/openai_files.hpp"

#include <fmt/format.h>

#include "messages/wire/data_url.hpp"

namespace troupe {

namespace {

bool is_text(std::string_view media_type) {
  return media_type.starts_with("text/") || media_type.starts_with("application/json");
}

/// Returns "image/png photo.png"; unknown parts are left out.
std::string title_of(const message_file& file) {
  const auto& type = file.media_type.empty() ? std::string{"file"} : file.media_type;
  return file.filename.empty() ? type : type + ' ' + file.filename;
}

} // namespace

bool is_image(const message_file& file) {
  return file.media_type.starts_with("image/");
}

std::string file_text(const message_file& file, bool images) {
  if (is_text(file.media_type))
    if (auto bytes = data_url_bytes(file.url))
      return fmt::format("[{}]\n{}", title_of(file), *bytes);
  return fmt::format("[{} was attached; this model takes no {}]", title_of(file),
                     is_image(file) && !images ? "images" : "such files");
}

void append_image_part(json_buffer& out, const message_file& file) {
  append_raw(out, R"({"type":"image_url","image_url":{"url":)");
  append_json(out, file.url);
  if (!file.detail.empty()) {
    append_raw(out, R"(,"detail":)");
    append_json(out, file.detail);
  }
  append_raw(out, "}}");
}

void append_text_part(json_buffer& out, std::string_view text) {
  append_raw(out, R"({"type":"text","text":)");
  append_json(out, text);
  out.push_back('}');
}

} // namespace troupe

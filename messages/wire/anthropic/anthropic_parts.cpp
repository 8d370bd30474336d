#include "messages/wire/anthropic/anthropic_parts.hpp"

#include <fmt/format.h>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr size_t max_title_bytes = 200;

} // namespace

void append_anthropic_text(json_buffer& out, std::string_view text) {
  append_raw(out, R"({"type":"text","text":)");
  append_json(out, text);
  out.push_back('}');
}

bool takes_anthropic_file(const model_file& file) noexcept {
  return file.is_taken() && !file.url.starts_with("http:");
}

void append_anthropic_file(json_buffer& out, const model_file& file, const message_file& from) {
  append_raw(out, file.is_image ? R"({"type":"image","source":{"type":)"
                                : R"({"type":"document","source":{"type":)");
  if (file.type().empty()) {
    append_raw(out, R"("url","url":)");
    append_json(out, file.url);
  } else {
    append_raw(out, R"("base64","media_type":)");
    append_json(out, file.type());
    append_raw(out, R"(,"data":)");
    append_json(out, file.data());
  }
  out.push_back('}');
  if (file.is_document && !lacks_text(from.filename)) {
    append_raw(out, R"(,"title":)");
    append_json(out, utf8_prefix(from.filename, max_title_bytes));
  }
  out.push_back('}');
}

void append_anthropic_file_or_note(json_buffer& out, const model_file& file,
                                   const message_file& from) {
  if (takes_anthropic_file(file))
    append_anthropic_file(out, file, from);
  else
    append_anthropic_text(out, fmt::format("[{} at {}; this model takes files from https: only]",
                                           file.is_image ? "image" : "document", from.url));
}

} // namespace troupe

#include "messages/wire/openai_chat/openai_files.hpp"

#include <algorithm>
#include <array>

#include "messages/wire/history/media_type.hpp"

namespace troupe {

bool is_image_detail(std::string_view word) {
  constexpr std::array<std::string_view, 4> words{"auto", "high", "low", "original"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

void append_image_part(json_buffer& out, std::string_view url, std::string_view detail) {
  append_raw(out, R"({"type":"image_url","image_url":{"url":)");
  append_json(out, url);
  if (is_image_detail(detail)) {
    append_raw(out, R"(,"detail":)");
    append_json(out, detail);
  }
  append_raw(out, "}}");
}

void append_file_part(json_buffer& out, std::string_view url, std::string_view filename) {
  append_raw(out, R"({"type":"file","file":{"filename":)");
  append_json(out, filename.empty() ? std::string_view{"document.pdf"} : filename);
  append_raw(out, R"(,"file_data":)");
  append_json(out, url);
  append_raw(out, "}}");
}

void append_audio_part(json_buffer& out, std::string_view type, std::string_view data) {
  append_raw(out, R"({"type":"input_audio","input_audio":{"data":)");
  append_json(out, data);
  append_raw(out, type == mp3_type ? R"(,"format":"mp3"}})" : R"(,"format":"wav"}})");
}

void append_text_part(json_buffer& out, std::string_view text) {
  append_raw(out, R"({"type":"text","text":)");
  append_json(out, text);
  out.push_back('}');
}

} // namespace troupe

#include "messages/wire/gemini/gemini_files.hpp"

#include <string>

#include "messages/wire/history/media_type.hpp"

namespace troupe {

namespace {

constexpr std::string_view gif_type = "image/gif";
constexpr std::string_view own_mp3_type = "audio/mp3"; ///< as its documentation names it

/// Returns the type of a file that lies elsewhere; "" if it is not to be seen.
std::string type_of(const model_file& file, const message_file& from) {
  auto type = plain_media_type(from.media_type);
  return is_vague(type) ? std::string{media_type_of_path(file.url)} : type;
}

} // namespace

bool append_gemini_file(json_buffer& out, const model_file& file, const message_file& from) {
  const auto is_inline = !file.type().empty();
  auto type = is_inline ? std::string{file.type()} : type_of(file, from);
  if (type == mp3_type)
    type = own_mp3_type;
  if (type == gif_type)
    return false;
  append_raw(out, is_inline ? R"({"inlineData":{)" : R"({"fileData":{)");
  if (!type.empty()) {
    append_raw(out, R"("mimeType":)");
    append_json(out, type);
    out.push_back(',');
  }
  append_raw(out, is_inline ? R"("data":)" : R"("fileUri":)");
  append_json(out, is_inline ? file.data() : file.url);
  append_raw(out, "}}");
  return true;
}

} // namespace troupe

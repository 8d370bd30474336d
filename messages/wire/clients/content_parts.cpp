#include "messages/wire/clients/content_parts.hpp"

#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/clients/sent_files.hpp"

namespace troupe {

namespace {

failure read_image(std::string_view image, const std::string& place, chat_message& out) {
  std::string_view url, detail;
  if (kind_of(image) == json_kind::string) // as many programs write it
    return add_image(json_string(image), {}, place + ".image_url", out);
  read_members(image, {{"url", &url}, {"detail", &detail}});
  if (!is_nothing(detail) && kind_of(detail) != json_kind::string)
    return invalid_request(place + ".image_url.detail must be a string");
  return add_image(json_string(url), json_string(detail), place + ".image_url.url", out);
}

failure read_file_part(std::string_view file, const std::string& place, chat_message& out) {
  std::string_view data, name, id;
  read_members(file, {{"file_data", &data}, {"filename", &name}, {"file_id", &id}});
  if (!is_nothing(name) && kind_of(name) != json_kind::string)
    return invalid_request(place + ".file.filename must be a string");
  if (!is_nothing(id))
    return add_stored_file(json_string(id), json_string(name), place + ".file.file_id", out);
  return add_file(json_string(data), json_string(name), place + ".file.file_data", out);
}

/// @param texts collects the texts of `out`; texts without a file between them are joined
failure read_part(std::string_view part, const std::string& place, chat_message& out,
                  piece_collector& texts) {
  std::string_view type, text, image, file, audio, refusal;
  if (kind_of(part) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(part, {{"type", &type},
                      {"text", &text},
                      {"image_url", &image},
                      {"file", &file},
                      {"input_audio", &audio},
                      {"refusal", &refusal}});
  const auto kind = json_string(type);
  const auto said = kind == "text" ? text : kind == "refusal" ? refusal : std::string_view{};
  if (kind_of(said) == json_kind::string) {
    texts.text(json_string(said));
    return {};
  }
  const auto may_have_files = out.who == role::user || out.who == role::tool;
  if (kind == "image_url" && may_have_files)
    return read_image(image, place, out);
  if (kind == "file" && may_have_files)
    return read_file_part(file, place, out);
  if (kind == "input_audio" && may_have_files)
    return add_audio(audio, place + ".input_audio", out);
  return invalid_request(place + " must be a text, or in a message of a user or a tool an "
                                 "image_url, a file or an input_audio");
}

} // namespace

failure read_content_parts(std::string_view content, const std::string& place, chat_message& out) {
  return read_part_list(content, place, out,
                        [&out](std::string_view part, const std::string& at,
                               piece_collector& texts) { return read_part(part, at, out, texts); });
}

} // namespace troupe

#include "messages/wire/clients/responses/response_parts.hpp"

#include "messages/wire/clients/content_parts.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/sent_files.hpp"

namespace troupe {

namespace {

/// The members of parts of all kinds.
struct part_members {
  std::string type;
  std::string_view text, refusal, image_url, detail, file_data, file_url, filename, file_id, audio;

  explicit part_members(std::string_view part) {
    std::string_view kind;
    read_members(part, {{"type", &kind},
                        {"text", &text},
                        {"refusal", &refusal},
                        {"image_url", &image_url},
                        {"detail", &detail},
                        {"file_data", &file_data},
                        {"file_url", &file_url},
                        {"filename", &filename},
                        {"file_id", &file_id},
                        {"input_audio", &audio}});
    type = json_string(kind);
  }
};

failure read_part(std::string_view part, const std::string& place, chat_message& out,
                  piece_collector& texts) {
  if (kind_of(part) != json_kind::object)
    return invalid_request(place + " must be an object");
  const part_members in{part};
  if (in.type == "input_text" || in.type == "output_text" || in.type == "text") {
    texts.text(json_string(in.text));
    return {};
  }
  if (in.type == "refusal") {
    texts.text(json_string(in.refusal));
    return {};
  }
  if (!is_nothing(in.file_id))
    return add_stored_file(json_string(in.file_id), json_string(in.filename), place + ".file_id",
                           out);
  if (in.type == "input_image")
    return add_image(json_string(in.image_url), json_string(in.detail), place + ".image_url", out);
  if (in.type == "input_file" && !is_nothing(in.file_url))
    return add_linked_file(json_string(in.file_url), json_string(in.filename), place + ".file_url",
                           out);
  if (in.type == "input_file")
    return add_file(json_string(in.file_data), json_string(in.filename), place + ".file_data", out);
  if (in.type == "input_audio")
    return add_audio(in.audio, place + ".input_audio", out);
  return invalid_request(place + " must be an input_text, an input_image, an input_file or an "
                                 "input_audio");
}

} // namespace

failure read_response_parts(std::string_view content, const std::string& place, chat_message& out) {
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of parts");
  return read_part_list(content, place, out,
                        [&out](std::string_view part, const std::string& at,
                               piece_collector& texts) { return read_part(part, at, out, texts); });
}

} // namespace troupe

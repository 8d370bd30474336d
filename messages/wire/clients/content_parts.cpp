#include "messages/wire/clients/content_parts.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/data_url.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Returns the media type in a data: URL; `unknown` for other URLs, and where it says none.
std::string media_type_of(std::string_view url, std::string_view unknown) {
  const auto parts = split_data_url(url);
  const auto type = parts ? parts->head.substr(0, parts->head.find(';')) : std::string_view{};
  return std::string{type.empty() ? unknown : type};
}

bool is_url(std::string_view url) {
  return url.starts_with("data:") || url.starts_with("http://") || url.starts_with("https://");
}

failure read_image(std::string_view image, const std::string& place, chat_message& out) {
  std::string_view url, detail;
  read_members(image, {{"url", &url}, {"detail", &detail}});
  auto text = json_string(url);
  if (!is_url(text))
    return invalid_request(place + ".image_url.url must be a data:, http: or https: URL");
  if (!is_nothing(detail) && kind_of(detail) != json_kind::string)
    return invalid_request(place + ".image_url.detail must be a string");
  auto type = media_type_of(text, "image/*");
  out.files.push_back({std::move(type), std::move(text), {}, json_string(detail)});
  return {};
}

failure read_file_part(std::string_view file, const std::string& place, chat_message& out) {
  std::string_view data, name;
  read_members(file, {{"file_data", &data}, {"filename", &name}});
  auto url = json_string(data);
  if (!split_data_url(url))
    return invalid_request(place + ".file.file_data must be a data: URL; files that were uploaded "
                                   "to another server (file_id) cannot be read here");
  if (!is_nothing(name) && kind_of(name) != json_kind::string)
    return invalid_request(place + ".file.filename must be a string");
  auto type = media_type_of(url, "application/octet-stream");
  out.files.push_back({std::move(type), std::move(url), json_string(name)});
  return {};
}

/// @param texts collects the texts of `out`; texts without a file between them are joined
failure read_part(std::string_view part, const std::string& place, chat_message& out,
                  piece_collector& texts) {
  std::string_view type, text, image, file, refusal;
  if (kind_of(part) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(part, {{"type", &type},
                      {"text", &text},
                      {"image_url", &image},
                      {"file", &file},
                      {"refusal", &refusal}});
  const auto kind = json_string(type);
  const auto said = kind == "text" ? text : kind == "refusal" ? refusal : std::string_view{};
  if (kind_of(said) == json_kind::string) {
    texts.text(json_string(said));
    return {};
  }
  if (kind == "image_url" && out.who == role::user)
    return read_image(image, place, out);
  if (kind == "file" && out.who == role::user)
    return read_file_part(file, place, out);
  return invalid_request(place + " must be a text, or in a user's message an image_url or a file");
}

} // namespace

failure read_content_parts(std::string_view content, const std::string& place, chat_message& out) {
  failure bad;
  size_t index = 0;
  piece_collector texts{out.text, out.files};
  for_each_element(content, [&](std::string_view part) {
    bad = read_part(part, fmt::format("{}[{}]", place, index++), out, texts);
    return !bad;
  });
  texts.end();
  return bad;
}

} // namespace troupe

#include "messages/wire/clients/sent_files.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/store/stored_file.hpp"
#include "messages/wire/clients/request_members.hpp"
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

/// Returns the media type of a sound; "" for a format that no model takes.
std::string_view sound_type(std::string_view format) {
  return format == "wav" ? "audio/wav" : format == "mp3" ? "audio/mpeg" : std::string_view{};
}

} // namespace

bool is_web_address(std::string_view url) noexcept {
  return url.starts_with("http://") || url.starts_with("https://");
}

failure add_image(std::string url, std::string detail, const std::string& place,
                  chat_message& out) {
  url = file_url(std::move(url));
  if (!url.starts_with("data:") && !is_web_address(url) && file_id_in(url).empty())
    return invalid_request(place + " must be a data:, http: or https: URL, or that of an uploaded "
                                   "file (/v1/files/ID)");
  auto type = media_type_of(url, "image/*");
  out.files.push_back({std::move(type), std::move(url), {}, std::move(detail)});
  return {};
}

failure add_file(std::string url, std::string name, const std::string& place, chat_message& out) {
  if (!split_data_url(url))
    return invalid_request(place + " must be a data: URL, or file_id the id of an uploaded file");
  auto type = media_type_of(url, "application/octet-stream");
  out.files.push_back({std::move(type), std::move(url), std::move(name)});
  return {};
}

failure add_stored_file(std::string id, std::string name, const std::string& place,
                        chat_message& out) {
  auto url = file_url(std::move(id));
  if (file_id_in(url).empty())
    return invalid_request(place + " must be the id of a file that was uploaded here (POST "
                                   "/v1/files); those of other servers cannot be read");
  out.files.push_back({"application/octet-stream", std::move(url), std::move(name)});
  return {};
}

failure add_linked_file(std::string url, std::string name, const std::string& place,
                        chat_message& out) {
  if (!is_web_address(url))
    return invalid_request(place + " must be an http: or https: URL");
  out.files.push_back({"application/pdf", std::move(url), std::move(name)});
  return {};
}

failure add_audio(std::string_view audio, const std::string& place, chat_message& out) {
  std::string_view data, format;
  read_members(audio, {{"data", &data}, {"format", &format}});
  const auto type = sound_type(json_string(format));
  if (type.empty())
    return invalid_request(place + ".format must be wav or mp3");
  const auto bytes = json_string(data); // may be megabytes
  if (bytes.empty())
    return invalid_request(place + ".data must be base64");
  out.files.push_back({std::string{type}, fmt::format("data:{};base64,{}", type, bytes)});
  return {};
}

} // namespace troupe

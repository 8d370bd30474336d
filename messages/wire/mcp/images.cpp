#include "messages/wire/mcp/images.hpp"

#include <string>
#include <utility>

#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view base64_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

/// Returns whether the type needs no escapes in a URL: "image/png", "image/svg+xml".
bool is_image_type(std::string_view type) {
  constexpr std::string_view prefix = "image/";
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-";
  return type.starts_with(prefix) && type.size() > prefix.size() &&
         type.find_first_not_of(allowed, prefix.size()) == std::string_view::npos;
}

} // namespace

bool append_image(std::string_view part, std::vector<message_file>& out) {
  std::string_view type, data, media_type;
  read_members(part, {{"type", &type}, {"data", &data}, {"mimeType", &media_type}});
  if (json_string(type) != "image" || data.size() > max_image_bytes)
    return false;
  auto media = json_string(media_type);
  auto bytes = json_string(data);
  if (!is_image_type(media) || bytes.empty() ||
      bytes.find_first_not_of(base64_characters) != std::string::npos)
    return false;
  auto url = "data:" + media + ";base64,";
  url += bytes;
  out.push_back({std::move(media), std::move(url), {}});
  return true;
}

std::vector<message_file> images_of(std::string_view result) {
  std::vector<message_file> images;
  if (result.find("\"image\"") == std::string_view::npos)
    return images;
  json_source source{result};
  std::string_view content;
  read_members(source.root(), {{"content", &content}});
  size_t bytes = 0;
  for_each_element(content, [&](std::string_view part) {
    if (append_image(part, images) && (bytes += images.back().url.size()) > max_image_bytes)
      images.pop_back();
    return true;
  });
  return images;
}

} // namespace troupe::mcp

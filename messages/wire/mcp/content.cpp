#include "messages/wire/mcp/content.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/wire/json/json_slice.hpp"

namespace troupe::mcp {

namespace {

/// Returns the number of bytes that a base64 text encodes.
size_t decoded_size(std::string_view base64) {
  auto text = json_string(base64);
  auto padding = text.size() - std::min(text.find('='), text.size());
  return (text.size() - padding) * 3 / 4;
}

/// Returns a note for a part that a model cannot read: "[image image/png, 1234 bytes]".
std::string binary_note(std::string_view what, std::string_view media_type,
                        std::string_view base64) {
  auto type = json_string(media_type);
  return fmt::format("[{}{}{}, {} bytes]", what, type.empty() ? "" : " ", type,
                     decoded_size(base64));
}

/// The members of one content part, as they stand in its text.
struct content_part {
  std::string_view type;
  std::string_view text;
  std::string_view data;
  std::string_view media_type;
  std::string_view resource;
  std::string_view name;
  std::string_view uri;
};

std::string resource_text(std::string_view resource) {
  std::string_view text, blob, uri, media_type;
  read_members(resource,
               {{"text", &text}, {"blob", &blob}, {"uri", &uri}, {"mimeType", &media_type}});
  if (kind_of(text) == json_kind::string)
    return json_string(text);
  return binary_note("resource " + json_string(uri), media_type, blob);
}

bool has_text(std::string_view resource) {
  std::string_view text;
  read_members(resource, {{"text", &text}});
  return kind_of(text) == json_kind::string;
}

std::string link_text(const content_part& part) {
  auto name = json_string(part.name);
  auto uri = json_string(part.uri);
  return name.empty() ? uri : name + ": " + uri;
}

std::string text_of(const std::string& type, const content_part& part) {
  if (type == "text")
    return json_string(part.text);
  if (type == "resource")
    return resource_text(part.resource);
  if (type == "resource_link")
    return link_text(part);
  if (type == "image" || type == "audio")
    return binary_note(type, part.media_type, part.data);
  return "[" + type + "]";
}

/// @param part anything that read_members() takes
template <class Part>
std::string_view read(Part part, content_text& out) {
  content_part in;
  read_members(part, {{"type", &in.type},
                      {"text", &in.text},
                      {"data", &in.data},
                      {"mimeType", &in.media_type},
                      {"resource", &in.resource},
                      {"name", &in.name},
                      {"uri", &in.uri}});
  auto type = json_string(in.type);
  if (type.empty())
    return "type";
  if (type == "text" && kind_of(in.text) != json_kind::string)
    return "text";
  out = {text_of(type, in), type == "text" || (type == "resource" && has_text(in.resource))};
  return {};
}

} // namespace

std::string_view read_content(std::string_view part, content_text& out) {
  return read(part, out);
}

std::string_view read_content(json_value part, content_text& out) {
  return read(part, out);
}

} // namespace troupe::mcp

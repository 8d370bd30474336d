#include "messages/wire/mcp/content_files.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "messages/ascii_case.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view base64_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

/// A file as a part has it.
struct found_file {
  std::string kind; ///< of the part
  std::string media_type;
  std::string data;
};

/// First characters in base64, and what they are.
struct known_start {
  std::string_view data;
  std::string_view media_type;
};

constexpr std::array<known_start, 7> known_starts{
    {{"iVBORw0KGgo", "image/png"},
     {"/9j/", "image/jpeg"},
     {"R0lGOD", "image/gif"},
     {"UklGR", "image/webp"}, // or a WAV: the reader of a file looks at all bytes
     {"JVBERi0", "application/pdf"},
     {"SUQz", "audio/mpeg"},
     {"//uQ", "audio/mpeg"}}};

/// Returns whether a file of the type may be of use to a model, and the type needs no escapes in a
/// URL: "image/png", "image/svg+xml".
/// @param kind of the part: an image is no other file, and neither is a sound
bool is_taken_type(std::string_view type, std::string_view kind) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789.+-";
  const auto slash = type.find('/');
  if (slash == type.npos || type.find_first_not_of(allowed, slash + 1) != type.npos ||
      slash + 1 == type.size())
    return false;
  const auto family = type.substr(0, slash);
  if (kind != "resource")
    return family == kind;
  return family == "image" || family == "audio" || family == "text" || type == "application/pdf" ||
         type == "application/json" || type == "application/xml";
}

/// Takes a data: URL apart, and line ends out of the data.
void unwrap(found_file& file) {
  constexpr std::string_view scheme = "data:";
  constexpr std::string_view mark = ";base64,";
  if (file.data.starts_with(scheme)) {
    const auto at = file.data.find(mark);
    if (at == std::string::npos)
      return;
    if (file.media_type.empty())
      file.media_type = file.data.substr(scheme.size(), at - scheme.size());
    file.data.erase(0, at + mark.size());
  }
  std::erase_if(file.data, [](char c) { return c == '\r' || c == '\n' || c == ' ' || c == '\t'; });
}

found_file file_in(std::string_view part) {
  std::string_view type, data, media_type, resource, blob;
  read_members(
      part, {{"type", &type}, {"data", &data}, {"mimeType", &media_type}, {"resource", &resource}});
  const auto kind = json_string(type);
  if (kind == "resource")
    read_members(resource, {{"blob", &blob}, {"mimeType", &media_type}});
  else if (kind == "image" || kind == "audio")
    blob = data;
  if (blob.size() > max_file_bytes)
    return {};
  found_file out{kind, in_lower_case(json_string(media_type)), json_string(blob)};
  if (out.media_type.starts_with("text/")) // "text/csv; charset=utf-8"
    out.media_type.resize(std::min(out.media_type.find(';'), out.media_type.size()));
  unwrap(out);
  if (!out.media_type.empty() && out.media_type != "application/octet-stream")
    return out;
  const auto* known = std::ranges::find_if(
      known_starts, [&out](const auto& each) { return out.data.starts_with(each.data); });
  if (known != known_starts.end())
    out.media_type = known->media_type;
  return out;
}

} // namespace

bool append_file(std::string_view part, std::vector<message_file>& out) {
  auto file = file_in(part);
  if (file.data.empty() || !is_taken_type(file.media_type, file.kind) ||
      file.data.find_first_not_of(base64_characters) != std::string::npos)
    return false;
  auto url = "data:" + file.media_type + ";base64,";
  url += file.data;
  out.push_back({std::move(file.media_type), std::move(url), {}});
  return true;
}

std::vector<message_file> files_of_result(std::string_view result) {
  constexpr std::array<std::string_view, 3> marks{"\"image\"", "\"audio\"", "\"blob\""};
  std::vector<message_file> files;
  if (std::ranges::none_of(marks, [result](auto each) { return result.find(each) != result.npos; }))
    return files;
  json_source source{result};
  std::string_view content;
  read_members(source.root(), {{"content", &content}});
  size_t bytes = 0;
  for_each_element(content, [&](std::string_view part) {
    if (append_file(part, files) && (bytes += files.back().url.size()) > max_file_bytes)
      files.pop_back();
    return true;
  });
  return files;
}

} // namespace troupe::mcp

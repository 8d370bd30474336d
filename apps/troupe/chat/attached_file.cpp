#include "apps/troupe/chat/attached_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "messages/utf8.hpp"
#include "messages/wire/data_url.hpp"
#include "messages/wire/history/media_type.hpp"

namespace troupe {

namespace {

failure invalid(const std::string& path, std::string_view why) {
  return {errc::request_invalid, fmt::format("{}: {}", path, why)};
}

failure read_bytes(const std::string& path, std::string& out) {
  struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct stat found {};
  const std::unique_ptr<std::FILE, close_file> file{std::fopen(path.c_str(), "rbe")};
  if (!file || fstat(fileno(file.get()), &found) != 0)
    return invalid(path, std::strerror(errno));
  if (S_ISDIR(found.st_mode))
    return invalid(path, "is a folder; name a file in it");
  char bytes[65536];
  while (auto count = std::fread(bytes, 1, sizeof bytes, file.get())) {
    out.append(bytes, count);
    if (out.size() > most_file_bytes)
      return invalid(path, "has more than 32 MiB, which is the most that is sent");
  }
  return std::ferror(file.get()) != 0 ? invalid(path, std::strerror(errno)) : failure{};
}

bool is_text(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const auto unit = utf8_at(bytes, at);
    if (!unit.valid || bytes[at] == '\0')
      return false;
    at += unit.bytes;
  }
  return true;
}

} // namespace

std::string typed_path(std::string_view typed) {
  const auto begin = std::min(typed.find_first_not_of(" \t"), typed.size());
  typed = typed.substr(begin, typed.find_last_not_of(" \t") + 1 - begin);
  if (typed.size() >= 2 && (typed[0] == '"' || typed[0] == '\'') && typed.back() == typed[0])
    return std::string{typed.substr(1, typed.size() - 2)};
  const char* home = std::getenv("HOME");
  if (typed.starts_with("~/") && home != nullptr)
    return home + std::string{typed.substr(1)};
  return std::string{typed};
}

failure read_attached_file(std::string_view typed, attached_file& out) {
  const auto path = typed_path(typed);
  std::string bytes;
  if (auto bad = read_bytes(path, bytes))
    return bad;
  if (bytes.empty())
    return invalid(path, "is empty");
  const auto type = media_type_in(bytes);
  const auto is_known =
      type == pdf_type || is_readable_image_type(type) || is_readable_audio_type(type);
  if (!is_known && begins_like_utf16(bytes))
    return invalid(path, "is a text in UTF-16; save it as UTF-8");
  if (!is_known && !is_text(bytes))
    return invalid(path, "is no text in UTF-8, no image (PNG, JPEG, GIF, WebP), no sound (WAV, "
                         "MP3) and no PDF");
  out.name = std::filesystem::path{path}.filename().string();
  out.media_type = is_known ? type : "text/plain";
  out.url = make_data_url(out.media_type, bytes);
  out.bytes = bytes.size();
  return {};
}

} // namespace troupe

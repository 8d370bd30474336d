#include "messages/wire/history/media_type.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

using pair_of_texts = std::pair<std::string_view, std::string_view>;

constexpr std::array<std::string_view, 4> readable{"image/png", "image/jpeg", "image/gif",
                                                   "image/webp"};

/// Names in use that are not registered.
constexpr auto other_names = std::to_array<pair_of_texts>({
    {"audio/mp3", mp3_type},
    {"audio/vnd.wave", wav_type},
    {"audio/wave", wav_type},
    {"audio/x-mp3", mp3_type},
    {"audio/x-mpeg", mp3_type},
    {"audio/x-pn-wav", wav_type},
    {"audio/x-wav", wav_type},
    {"image/apng", "image/png"},
    {"image/jpg", "image/jpeg"},
    {"image/pjpeg", "image/jpeg"},
    {"image/svg", svg_type},
    {"image/x-png", "image/png"},
});

constexpr auto texts = std::to_array<std::string_view>({
    "application/javascript",
    "application/json",
    "application/sql",
    "application/toml",
    "application/typescript",
    "application/x-javascript",
    "application/x-ndjson",
    "application/x-sh",
    "application/x-yaml",
    "application/xml",
    "application/yaml",
});

constexpr auto endings = std::to_array<pair_of_texts>({
    {".avif", "image/avif"},
    {".bmp", "image/bmp"},
    {".gif", "image/gif"},
    {".heic", "image/heic"},
    {".heif", "image/heif"},
    {".ico", "image/x-icon"},
    {".jpeg", "image/jpeg"},
    {".jpg", "image/jpeg"},
    {".jxl", "image/jxl"},
    {".png", "image/png"},
    {".psd", "image/vnd.adobe.photoshop"},
    {".svg", svg_type},
    {".svgz", svg_type},
    {".tif", "image/tiff"},
    {".tiff", "image/tiff"},
    {".webp", "image/webp"},
});

constexpr auto beginnings = std::to_array<pair_of_texts>({
    {"%PDF-", "application/pdf"},
    {"8BPS", "image/vnd.adobe.photoshop"},
    {"BM", "image/bmp"},
    {"GIF87a", "image/gif"},
    {"GIF89a", "image/gif"},
    {"ID3\x02", mp3_type},
    {"ID3\x03", mp3_type},
    {"ID3\x04", mp3_type},
    {"II*", "image/tiff"},
    {std::string_view{"MM\0*", 4}, "image/tiff"},
    {"\x89PNG\r\n\x1A\n", "image/png"},
    {"\xFF\xD8\xFF", "image/jpeg"},
    {"\xFF\xF2", mp3_type},
    {"\xFF\xF3", mp3_type},
    {"\xFF\xFA", mp3_type},
    {"\xFF\xFB", mp3_type},
});

std::string in_small_letters(std::string_view text) {
  std::string low{text};
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

std::string_view type_in_riff(std::string_view form) {
  if (form == "WEBP")
    return "image/webp";
  return form == "WAVE" ? wav_type : std::string_view{};
}

/// A box of MPEG-4, in which phones keep photographs.
std::string_view type_in_box(std::string_view bytes) {
  if (bytes.size() < 12 || bytes.substr(4, 4) != "ftyp")
    return {};
  return bytes.substr(8, 4) == "avif" ? "image/avif" : "image/heic";
}

bool is_svg(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  return bytes.starts_with("<svg") || bytes.starts_with("<?xml") ||
         bytes.starts_with("<!DOCTYPE svg");
}

} // namespace

std::string plain_media_type(std::string_view written) {
  written = written.substr(0, written.find(';'));
  auto from = std::min(written.find_first_not_of(" \t"), written.size());
  auto to = written.find_last_not_of(" \t");
  auto type = in_small_letters(written.substr(from, to == written.npos ? 0 : to + 1 - from));
  for (const auto& [other, right] : other_names)
    if (type == other)
      return std::string{right};
  return type;
}

bool is_readable_image_type(std::string_view type) {
  return std::find(readable.begin(), readable.end(), type) != readable.end();
}

bool is_readable_audio_type(std::string_view type) {
  return type == wav_type || type == mp3_type;
}

bool is_text_type(std::string_view type) {
  return type.starts_with("text/") || type.ends_with("+json") || type.ends_with("+xml") ||
         std::find(texts.begin(), texts.end(), type) != texts.end();
}

bool is_vague(std::string_view type) {
  return type.empty() || type == any_image_type || type == "application/octet-stream";
}

std::string_view media_type_in(std::string_view bytes) {
  for (const auto& [begin, type] : beginnings)
    if (bytes.starts_with(begin))
      return type;
  if (bytes.starts_with("RIFF"))
    return type_in_riff(bytes.substr(std::min<size_t>(8, bytes.size()), 4));
  if (auto type = type_in_box(bytes); !type.empty())
    return type;
  return is_svg(bytes) ? svg_type : std::string_view{};
}

std::string_view media_type_of_path(std::string_view url) {
  auto path = in_small_letters(url.substr(0, url.find_first_of("?#")));
  for (const auto& [ending, type] : endings)
    if (path.ends_with(ending))
      return type;
  return {};
}

} // namespace troupe

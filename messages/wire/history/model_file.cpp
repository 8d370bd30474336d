#include "messages/wire/history/model_file.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "messages/store/stored_file.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/data_url.hpp"
#include "messages/wire/history/media_type.hpp"

namespace troupe {

namespace {

constexpr size_t max_svg_bytes = size_t{64} * 1024;
constexpr size_t sniffed_bytes = 512;

/// Returns "image/png photo.png"; unknown parts are left out.
std::string title_of(const message_file& file) {
  const auto& type = file.media_type.empty() ? std::string{"file"} : file.media_type;
  return file.filename.empty() ? type : type + ' ' + file.filename;
}

std::string note(const message_file& file, std::string_view why) {
  return fmt::format("[{} was attached; {}]", title_of(file), why);
}

/// A data: URL that is looked at. Its bytes are only made where they are needed.
class data_file {
public:
  data_file(const message_file& file, const data_url_parts& parts) : file_{file}, parts_{parts} {
    declared_ = plain_media_type(file.media_type);
    if (is_vague(declared_))
      if (auto own = plain_media_type(parts.head); !own.empty())
        declared_ = std::move(own);
    auto start = parts.is_base64 ? parts.data.substr(0, sniffed_bytes / 3 * 4) : parts.data;
    start = start.substr(0, sniffed_bytes * 3);
    auto url = std::string{parts.is_base64 ? "data:;base64," : "data:,"}.append(start);
    found_ = media_type_in(data_url_bytes(url).value_or(""));
  }

  /// Returns the type of an image that models read; "" if it is something else.
  std::string_view image_type() const {
    if (!is_vague(declared_) && !declared_.starts_with("image/"))
      return {};
    auto type = found_.empty() ? std::string_view{declared_} : found_;
    return is_readable_image_type(type) ? type : std::string_view{};
  }

  /// Returns the type of a sound that models hear; "" if it is something else.
  std::string_view audio_type() const {
    if (!is_vague(declared_) && !is_audio())
      return {};
    auto type = found_.empty() ? std::string_view{declared_} : found_;
    return is_readable_audio_type(type) ? type : std::string_view{};
  }

  bool is_document() const {
    return declared_ == pdf_type || (is_vague(declared_) && found_ == pdf_type);
  }

  bool is_svg() const { return declared_ == svg_type || (found_ == svg_type && image_or_vague()); }
  bool is_text() const { return declared_ != svg_type && is_text_type(declared_); }
  std::string_view declared() const { return declared_; }
  bool is_audio() const { return declared_.starts_with("audio/"); }

  /// Returns whether the URL can go out as it is.
  bool is_strict(std::string_view type) const {
    return parts_.is_base64 && parts_.head == type && file_.url.starts_with("data:") &&
           file_.url.compare(5 + type.size(), 8, ";base64,") == 0 && is_strict_base64(parts_.data);
  }

  std::optional<std::string> bytes() const { return data_url_bytes(file_.url); }

private:
  bool image_or_vague() const { return is_vague(declared_) || declared_.starts_with("image/"); }

  const message_file& file_;
  data_url_parts parts_;
  std::string declared_;
  std::string_view found_; ///< what the first bytes are
};

std::string svg_text(const message_file& file, std::string_view xml) {
  auto shown = utf8_prefix(xml, max_svg_bytes);
  auto text = fmt::format("[{}]\n{}", title_of(file), shown);
  if (shown.size() < xml.size())
    text += fmt::format("\n[{} more bytes were left out]", xml.size() - shown.size());
  return text;
}

/// Returns the flag of a kind of files that models take.
bool& kind_of_type(std::string_view type, model_file& out) {
  if (type == pdf_type)
    return out.is_document;
  return is_readable_audio_type(type) ? out.is_audio : out.is_image;
}

/// Takes the file as it is, or as a URL that is written again.
void take(const message_file& file, const data_file& data, std::string_view type, model_file& out) {
  auto& taken = kind_of_type(type, out);
  taken = true;
  if (data.is_strict(type)) {
    out.url = file.url;
    return;
  }
  auto bytes = data.bytes();
  taken = bytes && !bytes->empty();
  if (!taken) {
    out.text = note(file, "its data cannot be read");
    return;
  }
  out.made_url = make_data_url(type, *bytes);
  out.url = out.made_url;
}

/// @param type may be any
std::string_view why_not(std::string_view type, const file_kinds& taken) {
  if (type.starts_with("image/") && !taken.images)
    return "this model takes no images";
  return type.starts_with("audio/") && !taken.audio ? "this model takes no audio"
                                                    : "this model takes no such files";
}

void read_data(const message_file& file, const data_file& data, const file_kinds& taken,
               model_file& out) {
  auto type = data.image_type();
  if (!type.empty() && taken.images)
    return take(file, data, type, out);
  if (data.is_document() && taken.documents)
    return take(file, data, pdf_type, out);
  type = data.audio_type();
  if (!type.empty() && taken.audio)
    return take(file, data, type, out);
  auto bytes = data.is_svg() || data.is_text() ? data.bytes() : std::nullopt;
  if (bytes && data.is_svg() && bytes->find('\0') == std::string::npos && !bytes->empty() &&
      !bytes->starts_with("\x1F\x8B")) // packed
    out.text = svg_text(file, *bytes);
  else if (bytes && data.is_text())
    out.text = fmt::format("[{}]\n{}", title_of(file), *bytes);
  else
    out.text = note(file, why_not(data.declared(), taken));
}

/// A file at an http: or https: URL is fetched by the provider.
bool is_remote(const message_file& file) {
  return file.url.starts_with("http:") || file.url.starts_with("https:");
}

bool is_remote_image(const message_file& file) {
  if (!is_remote(file))
    return false;
  auto type = plain_media_type(file.media_type);
  if (type == any_image_type)
    if (const auto by_path = media_type_of_path(file.url); !by_path.empty())
      return is_readable_image_type(by_path);
  return type == any_image_type || is_readable_image_type(type);
}

} // namespace

std::string_view model_file::type() const noexcept {
  auto parts = url.starts_with("data:") ? url.substr(5) : std::string_view{};
  return parts.substr(0, parts.find(';'));
}

std::string_view model_file::data() const noexcept {
  return url.starts_with("data:") ? url.substr(url.find(',') + 1) : std::string_view{};
}

void read_file(const message_file& file, const file_kinds& taken, model_file& out) {
  if (auto parts = split_data_url(file.url))
    return read_data(file, data_file{file, *parts}, taken, out);
  const auto type = plain_media_type(file.media_type);
  out.is_image = taken.images && is_remote_image(file);
  out.is_document = taken.documents && type == pdf_type && is_remote(file);
  if (out.is_taken())
    out.url = file.url;
  else if (!file_id_in(file.url).empty())
    out.text = note(file, "it is not kept any more");
  else
    out.text = note(file, why_not(type, taken));
}

std::string file_note(const message_file& file) {
  return fmt::format("[file{}{} {}]", file.filename.empty() ? "" : " ", file.filename,
                     file.media_type);
}

bool is_readable_file(const message_file& file) {
  model_file seen;
  read_file(file, {true, true, true}, seen);
  return seen.is_taken();
}

} // namespace troupe

#include "messages/wire/provider/model_file.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/data_url.hpp"
#include "messages/wire/provider/media_type.hpp"

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

  bool is_svg() const { return declared_ == svg_type || (found_ == svg_type && image_or_vague()); }
  bool is_text() const { return declared_ != svg_type && is_text_type(declared_); }
  bool is_image() const { return declared_.starts_with("image/"); }

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

void read_image(const message_file& file, const data_file& data, std::string_view type,
                model_file& out) {
  out.is_image = true;
  if (data.is_strict(type)) {
    out.url = file.url;
    return;
  }
  auto bytes = data.bytes();
  out.is_image = bytes && !bytes->empty();
  if (!out.is_image) {
    out.text = note(file, "its data cannot be read");
    return;
  }
  out.made_url = make_data_url(type, *bytes);
  out.url = out.made_url;
}

void read_data(const message_file& file, const data_file& data, bool images, model_file& out) {
  auto type = data.image_type();
  if (!type.empty() && images)
    return read_image(file, data, type, out);
  auto bytes = data.is_svg() || data.is_text() ? data.bytes() : std::nullopt;
  if (bytes && data.is_svg() && bytes->find('\0') == std::string::npos && !bytes->empty() &&
      !bytes->starts_with("\x1F\x8B")) // packed
    out.text = svg_text(file, *bytes);
  else if (bytes && data.is_text())
    out.text = fmt::format("[{}]\n{}", title_of(file), *bytes);
  else
    out.text = note(file, data.is_image() && !images ? "this model takes no images"
                                                     : "this model takes no such files");
}

/// An image at an http: or https: URL, which the provider fetches.
bool is_remote_image(const message_file& file) {
  if (!file.url.starts_with("http:") && !file.url.starts_with("https:"))
    return false;
  auto type = plain_media_type(file.media_type);
  if (type == any_image_type)
    if (const auto by_path = media_type_of_path(file.url); !by_path.empty())
      return is_readable_image_type(by_path);
  return type == any_image_type || is_readable_image_type(type);
}

} // namespace

void read_file(const message_file& file, bool images, model_file& out) {
  if (auto parts = split_data_url(file.url))
    return read_data(file, data_file{file, *parts}, images, out);
  out.is_image = images && is_remote_image(file);
  if (out.is_image)
    out.url = file.url;
  else
    out.text = note(file, plain_media_type(file.media_type).starts_with("image/") && !images
                              ? "this model takes no images"
                              : "this model takes no such files");
}

std::string file_note(const message_file& file) {
  return fmt::format("[file{}{} {}]", file.filename.empty() ? "" : " ", file.filename,
                     file.media_type);
}

bool is_readable_image(const message_file& file) {
  model_file seen;
  read_file(file, true, seen);
  return seen.is_image;
}

} // namespace troupe

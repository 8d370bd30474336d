#include "actors/files/file_upload.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "messages/ids.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/history/media_type.hpp"

namespace troupe {

namespace {

constexpr size_t max_value_bytes = 4096;
constexpr size_t sniffed_bytes = 512;
constexpr size_t max_name_bytes = 256;
constexpr int64_t least_lifetime = 3600;

/// Names are shown only, but must not hold what a terminal or a header field would act on.
std::string shown_name(std::string_view given) {
  std::string plain, out;
  for (char c : given.substr(given.find_last_of("/\\") + 1)) // some clients send the whole path
    if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f')
      plain.push_back(c);
  append_utf8(out, plain);
  return std::string{utf8_prefix(out, max_name_bytes)};
}

bool looks_like_text(std::string_view start) {
  return std::none_of(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' &&
           std::string_view{"\t\n\r\f\v\b\x1b"}.find(c) == std::string_view::npos;
  });
}

bool is_type(std::string_view text) {
  const auto slash = text.find('/');
  constexpr auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view{"+-.!#$&^_"}.find(c) != std::string_view::npos;
  };
  return slash != text.npos && slash > 0 && slash + 1 < text.size() && text.size() <= 127 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(slash), is_letter) &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(slash) + 1, text.end(), is_letter);
}

std::optional<int64_t> number_in(std::string_view text) {
  int64_t out = 0;
  const auto end = text.data() + text.size();
  const auto [stop, bad] = std::from_chars(text.data(), end, out);
  return bad == std::errc{} && stop == end ? std::optional{out} : std::nullopt;
}

} // namespace

file_upload::file_upload(upload_place& place, const begin_file& ask, const file_limits& limits)
    : place_{place}, limits_{limits}, flow_{ask.flow} {
  file_.id = make_id(file_id_prefix);
  file_.owner = ask.owner;
  file_.filename = shown_name(ask.filename);
  file_.purpose = ask.purpose;
  if (const auto boundary = form_boundary(ask.content_type); !boundary.empty()) {
    form_ = std::make_unique<multipart>(boundary, *this);
  } else if (plain_media_type(ask.content_type) == "multipart/form-data") {
    fail({errc::request_invalid, "The Content-Type of the form has no boundary."});
  } else {
    file_.media_type = ask.content_type;
    has_file_ = true;
    if (ask.announced > limits_.max_file_bytes)
      fail(too_large());
  }
  if (error_)
    return;
  failure why;
  to_ = place_.create(file_.id, why);
  if (!to_)
    fail(std::move(why));
}

file_upload::~file_upload() {
  if (!kept_)
    discard();
}

void file_upload::discard() {
  to_.reset();
  place_.remove(file_.id);
}

failure file_upload::too_large() const {
  return {errc::request_too_large,
          fmt::format("A file may have {} bytes at most; send a smaller one, or raise "
                      "limits.maxFileBytes.",
                      limits_.max_file_bytes)};
}

/// Its client may take its time to end: until then it holds no descriptor and no room.
void file_upload::fail(failure why) {
  if (error_)
    return;
  error_ = std::move(why);
  flow_->stopped = true;
  discard();
}

void file_upload::feed(std::string_view bytes) {
  if (error_)
    return;
  if (!form_)
    return write(bytes);
  if (const auto fault = form_->feed(bytes); !fault.empty())
    fail({errc::request_invalid, fmt::format("The form is broken: {}.", fault)});
}

void file_upload::write(std::string_view bytes) {
  if (error_)
    return;
  file_.bytes += bytes.size();
  if (file_.bytes > limits_.max_file_bytes)
    return fail(too_large());
  if (start_.size() < sniffed_bytes)
    start_ += bytes.substr(0, sniffed_bytes - start_.size());
  if (auto bad = to_->write(bytes))
    fail(std::move(bad));
}

// -- forms ----------------------------------------------------------------------------------------

void file_upload::begin(multipart_field field) {
  field_ = std::move(field);
  value_.clear();
  if (field_.name != "file") {
    if (field_.is_file)
      fail({errc::request_invalid,
            fmt::format("The form has a file in '{}'; the one to keep is in 'file'.",
                        shown_name(field_.name))});
    return;
  }
  if (std::exchange(has_file_, true))
    return fail({errc::request_invalid, "The form has more than one file; send one at a time."});
  if (!field_.filename.empty())
    file_.filename = shown_name(field_.filename);
  file_.media_type = field_.media_type;
}

void file_upload::take(std::string_view bytes) {
  if (field_.name == "file")
    return write(bytes);
  if (value_.size() + bytes.size() > max_value_bytes)
    return fail({errc::request_invalid,
                 fmt::format("The field '{}' is too long.", shown_name(field_.name))});
  value_ += bytes;
}

void file_upload::end() {
  if (field_.name == "file")
    return;
  if (auto bad = read_member())
    fail(std::move(bad));
}

/// Fields that are unknown mean nothing.
failure file_upload::read_member() {
  if (field_.name == "purpose")
    file_.purpose = value_;
  if (field_.name == "expires_after[anchor]" && value_ != "created_at")
    return {errc::request_invalid, "expires_after[anchor] must be 'created_at'."};
  if (field_.name != "expires_after[seconds]")
    return {};
  const auto seconds = number_in(value_);
  if (!seconds || *seconds < least_lifetime)
    return {errc::request_invalid,
            "expires_after[seconds] must be a whole number of 3600 or more."};
  lifetime_ = *seconds;
  return {};
}

// -- the end --------------------------------------------------------------------------------------

failure file_upload::end(int64_t now) {
  if (!error_ && form_ && !form_->is_over())
    fail({errc::request_invalid, "The form has no end; it was cut off."});
  if (!error_ && !has_file_)
    fail({errc::request_invalid, "The form has no file; put it in a field that is called 'file'."});
  if (!error_ && file_.bytes == 0)
    fail({errc::request_invalid, "The file is empty."});
  if (!error_)
    if (auto bad = decide_type())
      fail(std::move(bad));
  if (!error_)
    if (auto bad = to_->end())
      fail(std::move(bad));
  to_.reset();
  if (file_.purpose.empty())
    file_.purpose = "user_data";
  if (!error_ &&
      (file_.purpose.size() > max_name_bytes || shown_name(file_.purpose) != file_.purpose))
    fail({errc::request_invalid, "The purpose must be a short word, such as 'user_data'."});
  if (file_.filename.empty())
    file_.filename = "file";
  file_.created_at = now;
  return error_;
}

/// The bytes decide what a file is, where they can: a page shows it as what it says to be.
failure file_upload::decide_type() {
  auto type = plain_media_type(file_.media_type);
  const auto found = media_type_in(start_);
  if (is_vague(type))
    type = media_type_of_path(file_.filename);
  if (!found.empty() && (is_vague(type) || type.starts_with("image/") || type == pdf_type))
    type = found;
  if (is_vague(type))
    type = looks_like_text(start_) ? "text/plain" : "application/octet-stream";
  if (!is_type(type))
    return {errc::request_invalid, "The Content-Type of the file is no media type."};
  if (found.empty() && (is_readable_image_type(type) || type == pdf_type))
    return {errc::request_invalid,
            fmt::format("The file is said to be {}, but its bytes are not; send it with the type "
                        "that it has.",
                        type)};
  file_.media_type = std::move(type);
  return {};
}

} // namespace troupe

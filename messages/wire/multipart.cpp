#include "messages/wire/multipart.hpp"

#include <algorithm>
#include <utility>

#include "messages/ascii_case.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

constexpr size_t max_head_bytes = 16 * 1024;
constexpr size_t max_boundary = 70; // RFC 2046, 5.1.1

std::string_view without_blanks(std::string_view text) {
  const auto from = text.find_first_not_of(" \t");
  if (from == text.npos)
    return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

/// Takes the next parameter, `name=value` or `name="value"`, off `rest`, which begins with its
/// semicolon. Returns whether there was one. Browsers write a quote in a value as %22, others as
/// \".
bool take_parameter(std::string_view& rest, std::string& name, std::string& value) {
  rest = rest.substr(std::min(rest.find(';'), rest.size()));
  if (rest.empty())
    return false;
  rest.remove_prefix(1);
  const auto equals = std::min(rest.find('='), rest.size());
  name = without_blanks(rest.substr(0, equals));
  rest.remove_prefix(std::min(equals + 1, rest.size()));
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  value.clear();
  if (!rest.starts_with('"')) {
    const auto plain = rest.substr(0, rest.find(';'));
    value = without_blanks(plain);
    rest.remove_prefix(plain.size());
    return true;
  }
  rest.remove_prefix(1);
  while (!rest.empty() && rest.front() != '"') {
    if (rest.size() > 1 && rest.front() == '\\' && (rest[1] == '"' || rest[1] == '\\'))
      rest.remove_prefix(1);
    value.push_back(rest.front());
    rest.remove_prefix(1);
  }
  return true;
}

/// Returns the text of `UTF-8''na%20me`; "" for another encoding, or a broken one.
std::string extended_value(std::string_view value) {
  const auto mark = value.find('\'');
  const auto begin = mark == value.npos ? value.npos : value.find('\'', mark + 1);
  if (begin == value.npos || !same_ignoring_case(value.substr(0, mark), "utf-8"))
    return {};
  return percent_decoded_leniently(value.substr(begin + 1));
}

std::string plain_name(std::string value) {
  for (auto at = value.find("%22"); at != value.npos; at = value.find("%22", at))
    value.replace(at, 3, "\"");
  return value;
}

void read_disposition(std::string_view value, multipart_field& out) {
  std::string name, text, extended;
  auto rest = value;
  while (take_parameter(rest, name, text)) {
    if (same_ignoring_case(name, "name"))
      out.name = plain_name(text);
    if (same_ignoring_case(name, "filename"))
      out.filename = plain_name(text);
    if (same_ignoring_case(name, "filename*"))
      extended = extended_value(text);
    out.is_file |= same_ignoring_case(name.substr(0, 8), "filename");
  }
  if (!extended.empty())
    out.filename = std::move(extended);
}

multipart_field read_field(std::string_view head) {
  multipart_field out;
  while (!head.empty()) {
    const auto line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
    const auto colon = std::min(line.find(':'), line.size());
    const auto name = line.substr(0, colon);
    const auto value = without_blanks(line.substr(std::min(colon + 1, line.size())));
    if (same_ignoring_case(name, "content-disposition"))
      read_disposition(value, out);
    if (same_ignoring_case(name, "content-type"))
      out.media_type = value;
  }
  return out;
}

} // namespace

std::string form_boundary(std::string_view content_type) {
  constexpr std::string_view form = "multipart/form-data";
  const auto type = without_blanks(content_type.substr(0, content_type.find(';')));
  if (!same_ignoring_case(type, form))
    return {};
  std::string name, value;
  while (take_parameter(content_type, name, value))
    if (same_ignoring_case(name, "boundary") && value.size() <= max_boundary &&
        value.find_first_of("\r\n") == value.npos)
      return value;
  return {};
}

/// A border is a line of its own: before the first one a line end is added.
multipart::multipart(std::string_view boundary, multipart_reader& to)
    : to_{to}, border_{"\r\n--"}, kept_{"\r\n"} {
  border_ += boundary;
}

std::string_view multipart::feed(std::string_view bytes) {
  if (place_ == place::over || place_ == place::broken)
    return fault_;
  kept_ += bytes;
  rest_ = kept_;
  while (step()) {
  }
  kept_.erase(0, kept_.size() - rest_.size()); // once: there may be many fields
  rest_ = {};
  return fault_;
}

bool multipart::step() {
  switch (place_) {
  case place::before:
  case place::body:
    return read_body();
  case place::border:
    return read_border();
  case place::head:
    return read_head();
  case place::over:
  case place::broken:
    break;
  }
  return false;
}

/// Bytes before the first border are dropped.
bool multipart::read_body() {
  const auto end = rest_.find(border_);
  const auto spare = border_.size() - 1;
  const auto size = end != rest_.npos ? end : rest_.size() - std::min(rest_.size(), spare);
  if (place_ == place::body && size > 0)
    to_.take(rest_.substr(0, size));
  rest_.remove_prefix(end == rest_.npos ? size : end + border_.size());
  if (end == rest_.npos)
    return false;
  if (place_ == place::body)
    to_.end();
  place_ = place::border;
  return true;
}

/// Blanks may follow a border.
bool multipart::read_border() {
  const auto at = rest_.find_first_not_of(" \t");
  if (std::min(at, rest_.size()) > max_head_bytes)
    return fail("a border is followed by too many blanks");
  if (at == rest_.npos || rest_.size() < at + 2)
    return false;
  const auto next = rest_.substr(at, 2);
  if (next == "--") {
    place_ = place::over;
    rest_ = {};
    return false;
  }
  if (next != "\r\n")
    return fail("a border is not a line of its own");
  rest_.remove_prefix(at); // the line end may be that of an empty head
  place_ = place::head;
  return true;
}

bool multipart::read_head() {
  const auto end = rest_.find("\r\n\r\n");
  if (std::min(end, rest_.size()) > max_head_bytes)
    return fail("the head of a field is too long");
  if (end == rest_.npos)
    return false;
  const auto lead = std::min<size_t>(2, end); // the line end of the border
  auto field = read_field(rest_.substr(lead, end - lead));
  rest_.remove_prefix(end + 4);
  if (field.name.empty())
    return fail("a field has no name");
  to_.begin(std::move(field));
  place_ = place::body;
  return true;
}

bool multipart::fail(std::string_view why) {
  fault_ = why;
  place_ = place::broken;
  rest_ = {};
  return false;
}

} // namespace troupe

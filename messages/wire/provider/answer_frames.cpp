#include "messages/wire/provider/answer_frames.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe {

namespace {

/// Bytes that may precede the body's first significant byte: space and a BOM.
constexpr std::string_view leading_bytes = " \t\r\n\xEF\xBB\xBF";

constexpr std::string_view line_ends = "\r\n";
constexpr std::string_view field_ends = ":\r\n";
constexpr size_t quoted_bytes = 400; ///< of a line that is no answer; an excerpt shows less

std::string_view without_leading(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(leading_bytes), text.size()));
}

/// Returns whether it is what stands between the elements of a list, or after them.
bool is_list_sign(std::string_view text) {
  return text.find_first_not_of(", \t\r\n]") == std::string_view::npos;
}

/// Decides by the name of the first field, which ends with a colon or with its line.
answer_framing framing_of_field(std::string_view line) {
  static constexpr std::array<std::string_view, 5> fields{"data", "event", "id", "retry", "error"};
  for (auto name : fields) {
    if (name.starts_with(line))
      return answer_framing::unknown;
    if (line.starts_with(name) && field_ends.find(line[name.size()]) != std::string_view::npos)
      return answer_framing::events;
  }
  return answer_framing::other;
}

} // namespace

answer_framing framing_of(std::string_view start) noexcept {
  auto line = without_leading(start);
  if (line.empty())
    return answer_framing::unknown;
  switch (line.front()) {
  case '<':
    return answer_framing::markup;
  case '{':
    return answer_framing::texts;
  case '[':
    return answer_framing::list;
  case ':':
    return answer_framing::events;
  default:
    return framing_of_field(line);
  }
}

void answer_frames::feed(std::string_view bytes, const visitor& visit, const shortcut& skip) {
  if (fault_)
    return;
  if (framing_ == answer_framing::unknown)
    sniff(bytes, visit, skip);
  else
    read(bytes, visit, skip);
}

void answer_frames::sniff(std::string_view bytes, const visitor& visit, const shortcut& skip) {
  if (start_.empty()) { // the usual case: the first piece tells, and is read in place
    framing_ = framing_of(bytes);
    if (framing_ == answer_framing::events || framing_ == answer_framing::texts)
      return read(without_leading(bytes), visit, skip);
  }
  start_.append(bytes);
  framing_ = framing_of(start_);
  if (framing_ == answer_framing::markup)
    return;
  if (framing_ != answer_framing::unknown)
    read(without_leading(std::exchange(start_, {})), visit, skip);
  else if (start_.size() > max_event_bytes_)
    fault_ = {errc::model_answer_invalid, "The model sent nothing but space."};
}

void answer_frames::read(std::string_view bytes, const visitor& visit, const shortcut& skip) {
  switch (framing_) {
  case answer_framing::events:
    events_.feed(bytes, visit, skip);
    if (events_.overflowed())
      tell_overflow("an event", max_event_bytes_);
    break;
  case answer_framing::texts:
    read_texts(bytes, visit);
    break;
  case answer_framing::list:
    read_list(bytes, visit);
    break;
  case answer_framing::other:
    read_other(bytes);
    break;
  default:
    break;
  }
}

void answer_frames::read_texts(std::string_view bytes, const visitor& visit) {
  texts_.feed(bytes, [&visit](std::string_view text, size_t readable) {
    return visit({{}, text, {}, readable});
  });
  if (texts_.overflowed())
    tell_overflow("an answer", max_text_bytes_);
}

/// Reads the elements; or waits for the first one, which may be an error. The bracket is left out:
/// the objects after it are cut like those of a stream.
void answer_frames::read_list(std::string_view bytes, const visitor& visit) {
  if (start_.empty()) {
    start_ = "[";
    bytes.remove_prefix(1);
  }
  if (lists_ == list_reading::elements)
    return read_texts(
        bytes, [&visit](const sse_event& each) { return is_list_sign(each.data) || visit(each); });
  texts_.feed(bytes, [this](std::string_view text, size_t) {
    tell_list(text);
    return false;
  });
  if (texts_.overflowed())
    tell_overflow("an answer", max_text_bytes_);
}

void answer_frames::finish_list(const visitor& visit) {
  if (lists_ == list_reading::elements)
    return texts_.finish([&visit](std::string_view text, size_t readable) {
      return is_list_sign(text) || visit({{}, text, {}, readable});
    });
  texts_.finish([this](std::string_view text, size_t) {
    tell_list(text);
    return false;
  });
  if (!fault_)
    tell_list("");
}

void answer_frames::tell_list(std::string_view first) {
  json_source source{first};
  std::string_view error;
  read_members(source.root(), {{"error", &error}});
  if (is_nothing(error))
    fault_ = {errc::model_answer_invalid,
              fmt::format("The model sent a JSON array, and neither server-sent events nor JSON "
                          "lines: [{}",
                          excerpt(first))};
  else
    fault_ = provider_error(200, first);
}

/// Waits for the end of the line, to quote it.
void answer_frames::read_other(std::string_view bytes) {
  start_.append(bytes.substr(0, quoted_bytes - std::min(start_.size(), quoted_bytes)));
  if (start_.size() == quoted_bytes || start_.find_first_of(line_ends) != std::string::npos)
    tell_other();
}

void answer_frames::tell_other() {
  auto line = std::string_view{start_}.substr(0, start_.find_first_of(line_ends));
  fault_ = {errc::model_answer_invalid,
            fmt::format("The model sent neither server-sent events nor JSON: {}", excerpt(line))};
}

void answer_frames::tell_overflow(std::string_view what, size_t bound) {
  fault_ = {errc::model_answer_invalid,
            fmt::format("The model sent {} of more than {} bytes.", what, bound)};
}

void answer_frames::finish(const visitor& visit) {
  if (fault_)
    return;
  switch (framing_) {
  case answer_framing::events:
    events_.finish(visit);
    break;
  case answer_framing::texts:
    texts_.finish([&visit](std::string_view text, size_t readable) {
      return visit({{}, text, {}, readable});
    });
    break;
  case answer_framing::list:
    finish_list(visit);
    break;
  case answer_framing::other:
    tell_other();
    break;
  default:
    break;
  }
}

} // namespace troupe

#include "messages/wire/sse.hpp"

#include <charconv>
#include <cstring>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr size_t padding = 64;                     ///< bytes that simdjson reads beyond its text
constexpr std::string_view usual_field = "data: "; ///< almost all lines begin with it
constexpr size_t kept_buffer_bytes = size_t{8} * 1024; ///< larger ones are given back after use

/// Finds line ends; each kind is searched once per piece, however the two are mixed.
class line_ends {
public:
  explicit line_ends(std::string_view text) : end_(text.data() + text.size()) {}

  /// Returns the first LF or CR at or after `from`, or the end of the text.
  const char* next(const char* from) {
    advance(line_feed_, from, '\n');
    advance(carriage_return_, from, '\r');
    return line_feed_ < carriage_return_ ? line_feed_ : carriage_return_;
  }

private:
  void advance(const char*& found, const char* from, char wanted) const {
    if (found != nullptr && found >= from)
      return;
    auto left = static_cast<size_t>(end_ - from);
    auto hit = left == 0 ? nullptr : static_cast<const char*>(std::memchr(from, wanted, left));
    found = hit != nullptr ? hit : end_;
  }

  const char* end_;
  const char* line_feed_ = nullptr;
  const char* carriage_return_ = nullptr;
};

void give_back(std::string& buffer) {
  if (buffer.empty() && buffer.capacity() > kept_buffer_bytes)
    std::string{}.swap(buffer);
}

} // namespace

sse_parser::sse_parser(size_t max_event_bytes) : max_event_bytes_(max_event_bytes) {}

void sse_parser::feed(std::string_view bytes, const visitor& visit, const shortcut& skip) {
  if (bytes.empty() || stopped_)
    return;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  readable_ = end;
  if (after_cr_ && *at == '\n')
    ++at;
  after_cr_ = false;
  line_ends ends{bytes};
  while (at < end && !stopped_) {
    if (skip && between_events())
      at += skip({at, static_cast<size_t>(end - at)});
    if (at == end)
      break;
    const char* stop = ends.next(at);
    std::string_view text{at, static_cast<size_t>(stop - at)};
    if (stop == end) {
      end_feed(text);
      return;
    }
    if (line_.empty()) {
      line(text, visit);
    } else {
      line_.append(text);
      line(line_, visit);
      keep_data();
      line_.clear();
    }
    at = stop + 1;
    if (*stop == '\r') {
      after_cr_ = at == end;
      if (at < end && *at == '\n')
        ++at;
    }
  }
  end_feed({});
}

void sse_parser::end_feed(std::string_view rest) {
  keep_data();
  readable_ = nullptr;
  if (!stopped_) {
    line_.append(rest);
    if (line_.size() > max_event_bytes_)
      overflowed_ = stopped_ = true;
  }
  if (stopped_) {
    line_.clear();
    data_.clear();
  }
  give_back(line_);
  give_back(data_);
}

void sse_parser::finish(const visitor& visit) {
  if (stopped_)
    return;
  auto rest = std::move(line_);
  line_.clear();
  if (!rest.empty())
    line(rest, visit);
  keep_data();
  if (!stopped_)
    dispatch(visit);
  stopped_ = true;
}

void sse_parser::line(std::string_view text, const visitor& visit) {
  if (text.size() > max_event_bytes_) {
    overflowed_ = stopped_ = true;
    return;
  }
  if (at_start_) {
    at_start_ = false;
    text = without_byte_order_mark(text);
  }
  if (text.empty()) {
    dispatch(visit);
    return;
  }
  if (text.front() == '{') {
    bare(text, visit);
    return;
  }
  if (text.starts_with(usual_field)) {
    add_data(text.substr(usual_field.size()));
    return;
  }
  auto colon = text.find(':');
  if (colon == std::string_view::npos) {
    field(text, {});
    return;
  }
  auto value = text.substr(colon + 1);
  if (value.starts_with(' '))
    value.remove_prefix(1);
  field(text.substr(0, colon), value);
}

/// Shows a line that is the data itself as an event of its own.
void sse_parser::bare(std::string_view text, const visitor& visit) {
  if (has_data_)
    dispatch(visit);
  if (stopped_)
    return;
  add_data(text);
  keep_data(); // the line may lie in a buffer
  dispatch(visit);
}

void sse_parser::field(std::string_view name, std::string_view value) {
  if (name == "data") {
    add_data(value);
  } else if (name == "event") {
    type_ = value;
  } else if (name == "error") {
    type_ = name;
    add_data(value);
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) {
      last_id_ = value;
      has_id_ = true;
    }
  } else if (name == "retry") {
    int64_t milliseconds = 0;
    auto last = value.data() + value.size();
    auto [end, error] = std::from_chars(value.data(), last, milliseconds);
    if (error == std::errc{} && end == last && milliseconds >= 0 && value.front() != '-')
      retry_ = std::chrono::milliseconds{milliseconds};
  }
}

void sse_parser::add_data(std::string_view value) {
  if (!has_data_) {
    has_data_ = true;
    in_place_ = value;
    return;
  }
  keep_data();
  if (data_.size() + 1 + value.size() > max_event_bytes_) {
    overflowed_ = stopped_ = true;
    return;
  }
  data_.append(1, '\n').append(value);
}

/// Copies data out of the piece that is being fed, because the piece ends its life with feed().
void sse_parser::keep_data() {
  data_.append(in_place_);
  in_place_ = {};
}

void sse_parser::dispatch(const visitor& visit) {
  if (settled_id_ != last_id_)
    settled_id_ = last_id_;
  settled_ = has_id_;
  if (has_data_) {
    auto shown = in_place_;
    auto readable = static_cast<size_t>(shown.empty() ? 0 : readable_ - shown.data());
    std::string copy; // not kept: the next stream finds this memory in the caches
    if (readable < shown.size() + padding) {
      auto& whole = data_.empty() ? copy : data_;
      whole.reserve(whole.size() + shown.size() + padding);
      whole.append(shown).append(padding, '\0');
      shown = {whole.data(), whole.size() - padding};
      readable = whole.size();
    }
    if (!visit({type_, shown, last_id_, readable}))
      stopped_ = true;
  }
  has_data_ = false;
  in_place_ = {};
  data_.clear();
  type_.clear();
}

const std::string& sse_parser::last_event_id() const noexcept {
  return settled_id_;
}

std::chrono::milliseconds sse_parser::retry() const noexcept {
  return retry_;
}

bool sse_parser::overflowed() const noexcept {
  return overflowed_;
}

} // namespace troupe

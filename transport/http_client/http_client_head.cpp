// The head of an answer, as far as a transfer reads it.
#include <algorithm>
#include <string>
#include <string_view>

#include "messages/ascii_case.hpp"
#include "transport/http_client/http_client_transfer.hpp"

namespace troupe {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

} // namespace

size_t http_transfer::on_header(char* data, size_t size, size_t count, void* self) noexcept {
  static_cast<http_transfer*>(self)->read_header({data, size * count});
  return size * count;
}

void http_transfer::read_header(std::string_view line) {
  if (head_complete) // a trailer
    return;
  if (line.starts_with("HTTP/")) { // also after an interim answer
    const auto space = line.find(' ');
    pending.status = 0;
    coding.clear();
    pending.head.clear();
    has_fine_delay = false;
    for (size_t i = space + 1; space != line.npos && i < std::min(line.size(), space + 4); ++i)
      if (line[i] >= '0' && line[i] <= '9')
        pending.status = static_cast<uint16_t>(pending.status * 10 + (line[i] - '0'));
    return;
  }
  const auto colon = line.find(':');
  if (colon == line.npos) {
    if (trimmed(line).empty() && pending.status >= 200) {
      head_complete = true;
      queue();
    }
    return;
  }
  const auto name = line.substr(0, colon);
  const auto text = trimmed(line.substr(colon + 1));
  if (request.wants_head)
    pending.head.push_back({in_lower_case(name), std::string{text}});
  if (auto* value = place_of(name))
    *value = text;
  else
    read_retry_hint(name, text);
}

/// Hints of model providers that are finer than Retry-After, wherever that stands: milliseconds,
/// and yes or no.
void http_transfer::read_retry_hint(std::string_view name, std::string_view value) {
  constexpr size_t most_digits = 12;
  if (same_ignoring_case(name, "x-should-retry"))
    pending.should_retry = static_cast<int8_t>(value == "true" ? 1 : value == "false" ? 0 : -1);
  if (!same_ignoring_case(name, "retry-after-ms") || value.empty() || value.size() > most_digits ||
      value.find_first_not_of("0123456789") != value.npos)
    return;
  auto digits = std::string(4 - std::min<size_t>(value.size(), 4), '0').append(value);
  pending.retry_after = digits.insert(digits.size() - 3, ".");
  has_fine_delay = true;
}

/// Returns the member for the value of a header; nullptr: the value is not needed.
std::string* http_transfer::place_of(std::string_view name) {
  if (same_ignoring_case(name, "content-type"))
    return &pending.content_type;
  if (same_ignoring_case(name, "retry-after"))
    return has_fine_delay ? nullptr : &pending.retry_after;
  if (same_ignoring_case(name, "mcp-session-id"))
    return &pending.session;
  if (same_ignoring_case(name, "content-encoding"))
    return &coding;
  return same_ignoring_case(name, "location") ? &pending.location : nullptr;
}

} // namespace troupe

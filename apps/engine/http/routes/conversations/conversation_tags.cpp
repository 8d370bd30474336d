#include "apps/engine/http/routes/conversations/conversation_tags.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace troupe {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t";
  auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Returns the version of a tag, or 0 if it is none of ours.
uint64_t version_of(std::string_view tag) {
  if (tag.starts_with("W/"))
    tag.remove_prefix(2);
  if (tag.size() < 4 || !tag.starts_with("\"v") || !tag.ends_with('"'))
    return 0;
  uint64_t version = 0;
  const auto* end = tag.data() + tag.size() - 1;
  auto [at, error] = std::from_chars(tag.data() + 2, end, version);
  return error == std::errc{} && at == end ? version : 0;
}

} // namespace

std::string entity_tag(uint64_t version) {
  return fmt::format("\"v{}\"", version);
}

failure read_wanted_version(const headers& fields, uint64_t& version) {
  version = 0;
  auto tag = trimmed(find_header(fields, "if-match"));
  if (tag.empty() || tag == "*")
    return {};
  if (tag.find(',') != std::string_view::npos)
    return {errc::request_invalid, "If-Match must be one ETag, or *"};
  version = version_of(tag);
  return version == 0 ? failure{errc::conversation_changed, ""} : failure{};
}

bool has_seen(const headers& fields, uint64_t version) {
  auto tags = find_header(fields, "if-none-match");
  while (!tags.empty()) {
    auto tag = tags.substr(0, tags.find(','));
    tags.remove_prefix(std::min(tags.size(), tag.size() + 1));
    tag = trimmed(tag);
    if (tag == "*" || (!tag.empty() && version_of(tag) == version))
      return true;
  }
  return false;
}

} // namespace troupe

// Which keys an object may have.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// Longer keys get no suggestion, and are cut in errors.
constexpr size_t max_key_bytes = 64;

} // namespace

std::string_view object_reader::name_of(std::initializer_list<std::string_view> keys) {
  auto found = *keys.begin();
  bool is_there = false;
  for (const auto each : keys) {
    known_.emplace_back(each);
    if (find(each).empty())
      continue;
    if (!std::exchange(is_there, true))
      found = each;
    else if (rules_.notes != nullptr)
      note(each, fmt::format("means the same as {}, which counts", found));
    else
      fail(each, fmt::format("means the same as {}; leave one of them out", found));
  }
  return found;
}

void object_reader::expect(std::string_view key) {
  if (missing_.empty() && find(key).empty())
    missing_ = key;
}

void object_reader::refuse_repeated() {
  std::set<std::string_view> seen;
  for (const auto& [key, value] : members_)
    if (!seen.insert(key).second)
      fail(utf8_prefix(key, max_key_bytes), "stands twice: take one of them away");
}

void object_reader::refuse_unknown(std::string_view key) {
  const auto third_party = std::find_if(third_party_.begin(), third_party_.end(),
                                        [key](const auto& each) { return each.key == key; });
  if (third_party != third_party_.end() && !third_party->instead.empty())
    return fail(key, fmt::format("is not a known key: {}", third_party->instead));
  if (third_party != third_party_.end() && rules_.notes != nullptr) {
    known_.emplace_back(key); // said once, however often this is asked
    return note(key, "is a key of other programs; it means nothing here and is passed over");
  }
  if (third_party != third_party_.end())
    return fail(key, "is a key of other programs, which means nothing here; leave it out");
  if (key.size() > max_key_bytes)
    return fail(utf8_prefix(key, max_key_bytes), "is not a known key");
  const auto nearest = nearest_key(key, known_);
  fail(key, nearest.empty() ? "is not a known key"
                            : "is not a known key; did you mean '" + nearest + "'?");
}

void object_reader::finish() {
  // A key that shows which program's file this is explains more than the first unknown key.
  for (const auto& [key, value] : members_)
    for (const auto& each : third_party_)
      if (each.key == key && !each.instead.empty())
        refuse_unknown(key);
  for (const auto& [key, value] : members_) {
    if (error_)
      return;
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
      refuse_unknown(key);
  }
  if (!missing_.empty())
    fail(missing_, "is missing");
}

} // namespace troupe

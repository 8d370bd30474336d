#include "apps/engine/configuration/config_place.hpp"

#include <fmt/format.h>

#include "messages/wire/json/commented_json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Returns whether a path begins with a member's key, and not with the start of a longer one.
bool begins_with(std::string_view path, std::string_view key) {
  return !key.empty() && path.starts_with(key) &&
         (path.size() == key.size() ||
          std::string_view{".[ :"}.find(path[key.size()]) != std::string_view::npos);
}

/// Returns the slice of the key that the path names, or else of the object itself.
std::string_view named(std::string_view object, std::string_view path) {
  std::string_view found_key, found_value;
  size_t longest = 0;
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    if (key.size() >= longest && begins_with(path, key)) {
      longest = key.size();
      // an escaped key is no slice of the text
      const auto in_text = key.data() > object.data() && key.data() < value.data();
      found_key = in_text ? std::string_view{key.data() - 1, 1} : value.substr(0, 1);
      found_value = value;
    }
    return true;
  });
  if (longest == 0)
    return object;
  path.remove_prefix(longest);
  if (!path.starts_with('.'))
    return found_key;
  const auto inner = kind_of(found_value) == json_kind::object ? named(found_value, path.substr(1))
                                                               : std::string_view{};
  return inner.empty() || inner.data() == found_value.data() ? found_key : inner;
}

} // namespace

std::string place_in(const std::string& name, std::string_view json, std::string_view original,
                     std::string_view message) {
  const json_source source{json};
  const auto root = source.root();
  if (root.empty())
    return name + ": ";
  const auto begin = json.find_first_not_of(" \t\r\n");
  const auto at = begin + static_cast<size_t>(named(root, message).data() - root.data());
  const auto place = place_of(original, at);
  return fmt::format("{}:{}:{}: ", name, place.line, place.column);
}

} // namespace troupe

#include "messages/wire/gemini/gemini_names.hpp"

namespace troupe {

namespace {

constexpr size_t max_name_bytes = 64;
constexpr size_t hash_bytes = 8;

/// The first bytes of names that have to be changed; a short form says by a letter which it is.
constexpr std::string_view changed_first = "0123456789-_";
constexpr char short_mark = ':'; ///< no tool's name has it
constexpr char first_letter = 'a';

/// Returns whether a digit or '-' stands at the beginning, or after underscores there.
bool is_changed(std::string_view name) {
  const auto at = name.find_first_not_of('_');
  return at != std::string_view::npos && changed_first.find(name[at]) != std::string_view::npos;
}

/// A name of 64 bytes has no room for one more, but nearly always ends with '_' and the 8 digits of
/// a hash (hashed_tool_name): its form without that '_' is "a:", the rest, and the hash.
bool has_short_form(std::string_view name) {
  return name.size() == max_name_bytes && name[max_name_bytes - hash_bytes - 1] == '_';
}

} // namespace

std::string gemini_tool_name(std::string_view name) {
  if (!is_changed(name))
    return std::string{name};
  if (!has_short_form(name))
    return std::string{"_"}.append(name);
  std::string made;
  made.push_back(static_cast<char>(first_letter + changed_first.find(name.front())));
  made.push_back(short_mark);
  made.append(name.substr(1, max_name_bytes - hash_bytes - 2));
  return made.append(name.substr(max_name_bytes - hash_bytes));
}

std::string tool_name_of_gemini(std::string_view name) {
  const auto is_short = name.size() == max_name_bytes && name[1] == short_mark &&
                        name.front() >= first_letter &&
                        static_cast<size_t>(name.front() - first_letter) < changed_first.size();
  if (is_short) {
    std::string made(1, changed_first[static_cast<size_t>(name.front() - first_letter)]);
    made.append(name.substr(2, max_name_bytes - hash_bytes - 2));
    return made.append("_").append(name.substr(max_name_bytes - hash_bytes));
  }
  return std::string{name.starts_with('_') && is_changed(name) ? name.substr(1) : name};
}

} // namespace troupe

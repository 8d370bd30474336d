#include "messages/store/stored_file.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr size_t id_letters = 24; // as make_id() makes them

bool is_id_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'v');
}

} // namespace

bool is_file_id(std::string_view text) noexcept {
  if (!text.starts_with(file_id_prefix))
    return false;
  text.remove_prefix(file_id_prefix.size());
  return text.size() == id_letters && std::all_of(text.begin(), text.end(), is_id_letter);
}

std::string_view file_id_in(std::string_view given) noexcept {
  constexpr std::string_view content = "/content";
  if (given.starts_with(files_path)) {
    given.remove_prefix(files_path.size());
    if (given.ends_with(content))
      given.remove_suffix(content.size());
  }
  return is_file_id(given) ? given : std::string_view{};
}

std::vector<std::string_view> file_ids_in(const chat_message& message) {
  std::vector<std::string_view> out;
  for (const auto& file : message.files)
    if (const auto id = file_id_in(file.url); !id.empty())
      out.push_back(id);
  return out;
}

std::string file_url(std::string given) {
  const auto id = file_id_in(given);
  return id.empty() ? given : std::string{files_path}.append(id);
}

} // namespace troupe

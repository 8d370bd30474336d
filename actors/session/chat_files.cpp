#include "actors/session/chat_files.hpp"

#include <algorithm>
#include <unordered_set>

#include "messages/store/stored_file.hpp"

namespace troupe {

namespace {

/// Leaves the last of each id only.
void keep_last_of_each(named_files& named) {
  std::vector<std::string> out;
  std::unordered_set<std::string> seen; // a history may name any number
  uint32_t fresh = 0;
  for (auto each = named.ids.rbegin(); each != named.ids.rend(); ++each) {
    if (!seen.insert(*each).second)
      continue;
    out.push_back(std::move(*each));
    fresh += each - named.ids.rbegin() < named.fresh ? 1 : 0;
  }
  std::reverse(out.begin(), out.end());
  named = {std::move(out), fresh};
}

} // namespace

named_files files_named_in(const std::vector<chat_message>& history) {
  named_files out;
  for (const auto& message : history) {
    const auto ids = file_ids_in(message);
    out.ids.insert(out.ids.end(), ids.begin(), ids.end());
    out.fresh = message.who == role::user ? static_cast<uint32_t>(ids.size()) : 0;
  }
  keep_last_of_each(out);
  return out;
}

std::vector<chat_message> with_contents(const std::vector<chat_message>& history,
                                        const std::vector<file_content>& files) {
  auto out = history;
  for (auto& message : out)
    for (auto& file : message.files) {
      const auto id = file_id_in(file.url);
      const auto found = id.empty() ? files.end() : std::ranges::find(files, id, &file_content::id);
      if (found == files.end())
        continue;
      file.media_type = found->media_type;
      file.url = found->url;
      if (file.filename.empty())
        file.filename = found->filename;
    }
  return out;
}

} // namespace troupe

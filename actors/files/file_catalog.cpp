#include "actors/files/file_catalog.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "messages/store/file_shelf.hpp"

namespace troupe {

void file_catalog::add(stored_file file) {
  held_[file.owner] += file.bytes;
  for (const auto& chat : file.chats)
    used_[chat].push_back(file.id);
  auto id = file.id;
  files_.insert_or_assign(std::move(id), std::move(file));
}

const stored_file* file_catalog::find(std::string_view owner, std::string_view id) const {
  const auto found = files_.find(id);
  return found == files_.end() || found->second.owner != owner ? nullptr : &found->second;
}

const stored_file* file_catalog::find(std::string_view id) const {
  const auto found = files_.find(id);
  return found == files_.end() ? nullptr : &found->second;
}

file_page file_catalog::list(const list_files& ask) const {
  std::vector<const stored_file*> all;
  for (const auto& [id, file] : files_)
    if (file.owner == ask.owner && (ask.purpose.empty() || file.purpose == ask.purpose))
      all.push_back(&file);
  std::sort(all.begin(), all.end(), [&](const auto* a, const auto* b) {
    const auto before = std::tie(a->created_at, a->id) < std::tie(b->created_at, b->id);
    return ask.oldest_first ? before : !before && a != b;
  });
  auto from = all.begin();
  if (!ask.after.empty()) {
    from = std::find_if(all.begin(), all.end(), [&](auto* each) { return each->id == ask.after; });
    if (from == all.end())
      return {no_file_after(ask.after), {}, false};
    ++from;
  }
  file_page out;
  for (; from != all.end() && out.files.size() < ask.limit; ++from)
    out.files.push_back(**from);
  out.has_more = from != all.end();
  return out;
}

std::vector<stored_file> file_catalog::behind(std::string_view after, size_t most) const {
  std::vector<stored_file> out;
  for (auto each = files_.upper_bound(after); each != files_.end() && out.size() < most; ++each)
    out.push_back(each->second);
  return out;
}

void file_catalog::remove(std::string_view id) {
  const auto found = files_.find(id);
  if (found == files_.end())
    return;
  for (const auto& chat : found->second.chats)
    if (auto used = used_.find(chat);
        used != used_.end() && std::erase(used->second, id) > 0 && used->second.empty())
      used_.erase(used);
  if (auto held = held_.find(found->second.owner); (held->second -= found->second.bytes) == 0)
    held_.erase(held);
  files_.erase(found);
}

bool file_catalog::use(std::string_view id, const std::string& chat) {
  const auto found = files_.find(id);
  if (found == files_.end() ||
      std::ranges::find(found->second.chats, chat) != found->second.chats.end())
    return false;
  found->second.chats.push_back(chat);
  used_[chat].emplace_back(id);
  return true;
}

file_catalog::freed file_catalog::forget_chat(const std::string& chat) {
  freed out;
  const auto used = used_.find(chat);
  if (used == used_.end())
    return out;
  for (const auto& id : used->second) {
    auto& chats = files_.find(id)->second.chats;
    std::erase(chats, chat);
    (chats.empty() ? out.unused : out.changed).push_back(id);
  }
  used_.erase(used);
  return out;
}

std::vector<std::string> file_catalog::lose_chat(const std::string& chat, int64_t now,
                                                 int64_t expires_at) {
  auto [out, others] = forget_chat(chat);
  for (const auto& id : out)
    if (auto& known = files_.find(id)->second.expires_at; known <= now || known > expires_at)
      known = expires_at;
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

std::vector<std::string> file_catalog::copy_chat(const std::string& chat, const std::string& copy) {
  std::vector<std::string> out;
  const auto used = used_.find(chat);
  if (used == used_.end())
    return out;
  for (const auto& id : std::vector<std::string>{used->second})
    if (use(id, copy))
      out.push_back(id);
  return out;
}

std::vector<std::string> file_catalog::expired(int64_t now) const {
  std::vector<std::string> out;
  for (const auto& [id, file] : files_)
    if (file.chats.empty() && file.expires_at != 0 && file.expires_at <= now)
      out.push_back(id);
  return out;
}

uint64_t file_catalog::held(std::string_view owner) const {
  const auto found = held_.find(owner);
  return found == held_.end() ? 0 : found->second;
}

failure file_catalog::quota_fault(std::string_view owner, uint64_t more) const {
  return file_quota_fault(limits_, held(owner), more);
}

} // namespace troupe

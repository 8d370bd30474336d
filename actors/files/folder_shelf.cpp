#include "actors/files/folder_shelf.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace troupe {

// -- file catalog ---------------------------------------------------------------------------------

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

std::vector<stored_file> file_catalog::page_after(std::string_view after, size_t most) const {
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

std::vector<std::string> file_catalog::orphan_files(const std::string& chat, int64_t now,
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

// -- folder shelf ---------------------------------------------------------------------------------

namespace {

/// A use may be older than its chat: the first save comes later, from a turn that still runs if
/// only this store was started again.
constexpr int64_t youngest_unverified = 3600;
/// How long files stay whose chat is not there: the chats may come back, from a copy of a damaged
/// database.
constexpr int64_t lost_chat_time = int64_t{7} * 24 * 3600;

} // namespace

folder_shelf::folder_shelf(std::string path, const file_limits& limits)
    : folder_{std::move(path)}, catalog_{limits} {
  for (auto& each : folder_.load()) {
    note_unverified(each);
    catalog_.add(std::move(each));
  }
}

void folder_shelf::note_unverified(const stored_file& file) {
  if (file.chats.empty())
    return;
  const auto since = folder_.described_at(file.id); // its last use; the others are older
  for (const auto& chat : file.chats) {
    const auto [known, is_new] = unverified_chats_.emplace(chat, since);
    known->second = is_new ? since : std::min(known->second, since);
  }
}

std::unique_ptr<file_writer> folder_shelf::create(const std::string& id, failure& why) {
  return folder_.create(id, why);
}

failure folder_shelf::remove(const std::string& id) {
  auto bad = folder_.remove(id);
  if (!bad)
    catalog_.remove(id);
  return bad;
}

failure folder_shelf::keep(const stored_file& file) {
  auto bad = folder_.describe(file);
  if (!bad)
    catalog_.add(file);
  return bad;
}

failure folder_shelf::find(const std::string& owner, const std::string& id, stored_file& out) {
  const auto* found = catalog_.find(owner, id);
  if (found == nullptr)
    return unknown_file(id);
  out = *found;
  return {};
}

failure folder_shelf::all(const std::string& after, std::vector<stored_file>& out) {
  constexpr size_t most = 256;
  out = catalog_.page_after(after, most);
  return {};
}

failure folder_shelf::read(const std::string& id, uint64_t offset, size_t most, std::string& out) {
  return folder_.read(id, offset, most, out);
}

failure folder_shelf::held(const std::string& owner, uint64_t& out) {
  out = catalog_.held(owner);
  return {};
}

void folder_shelf::use(const std::string& id, const std::string& chat) {
  unverified_chats_.erase(chat);
  if (catalog_.use(id, chat))
    describe(id);
}

void folder_shelf::forget_chat(const std::string& chat) {
  unverified_chats_.erase(chat);
  const auto freed = catalog_.forget_chat(chat);
  for (const auto& id : freed.unused)
    remove(id);
  for (const auto& id : freed.changed)
    describe(id);
}

void folder_shelf::copy_chat(const std::string& chat, const std::string& copy) {
  unverified_chats_.erase(copy);
  for (const auto& id : catalog_.copy_chat(chat, copy))
    describe(id);
}

std::string folder_shelf::unverified_chat(int64_t now) {
  const auto found = std::ranges::find_if(unverified_chats_, [&](const auto& each) {
    return each.second <= now - youngest_unverified;
  });
  return found == unverified_chats_.end() ? std::string{} : found->first;
}

void folder_shelf::on_verified(const std::string& chat, bool is_there, int64_t now) {
  if (unverified_chats_.erase(chat) == 0 || is_there)
    return;
  for (const auto& id : catalog_.orphan_files(chat, now, now + lost_chat_time))
    describe(id);
}

bool folder_shelf::sweep(int64_t now) {
  for (const auto& id : catalog_.expired(now))
    remove(id);
  return false;
}

/// A description that cannot be written is written with the file's next change; until a restart the
/// catalog has it.
void folder_shelf::describe(std::string_view id) {
  if (const auto* found = catalog_.find(id))
    folder_.describe(*found);
}

} // namespace troupe

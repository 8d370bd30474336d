#include "actors/files/folder_shelf.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// A use may be older than its chat: the first save comes later, from a turn that still runs if
/// only this store was started again.
constexpr int64_t youngest_doubted = 3600;
/// How long files stay whose chat is not there: the chats may come back, from a copy of a damaged
/// database.
constexpr int64_t lost_chat_time = int64_t{7} * 24 * 3600;

} // namespace

folder_shelf::folder_shelf(std::string path, const file_limits& limits)
    : folder_{std::move(path)}, catalog_{limits} {
  for (auto& each : folder_.load()) {
    doubt(each);
    catalog_.add(std::move(each));
  }
}

void folder_shelf::doubt(const stored_file& file) {
  if (file.chats.empty())
    return;
  const auto since = folder_.described_at(file.id); // its last use; the others are older
  for (const auto& chat : file.chats) {
    const auto [known, is_new] = doubted_.emplace(chat, since);
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
  out = catalog_.behind(after, most);
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
  doubted_.erase(chat);
  if (catalog_.use(id, chat))
    describe(id);
}

void folder_shelf::forget_chat(const std::string& chat) {
  doubted_.erase(chat);
  const auto freed = catalog_.forget_chat(chat);
  for (const auto& id : freed.unused)
    remove(id);
  for (const auto& id : freed.changed)
    describe(id);
}

void folder_shelf::copy_chat(const std::string& chat, const std::string& copy) {
  doubted_.erase(copy);
  for (const auto& id : catalog_.copy_chat(chat, copy))
    describe(id);
}

std::string folder_shelf::doubted_chat(int64_t now) {
  const auto found = std::ranges::find_if(
      doubted_, [&](const auto& each) { return each.second <= now - youngest_doubted; });
  return found == doubted_.end() ? std::string{} : found->first;
}

void folder_shelf::judge_chat(const std::string& chat, bool is_there, int64_t now) {
  if (doubted_.erase(chat) == 0 || is_there)
    return;
  for (const auto& id : catalog_.lose_chat(chat, now, now + lost_chat_time))
    describe(id);
}

bool folder_shelf::sweep(int64_t now) {
  for (const auto& id : catalog_.expired(now))
    remove(id);
  return false;
}

/// What cannot be written is said again with the next change; until a restart it is known here.
void folder_shelf::describe(std::string_view id) {
  if (const auto* found = catalog_.find(id))
    folder_.describe(*found);
}

} // namespace troupe

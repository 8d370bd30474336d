#include "actors/files/folder_shelf.hpp"

#include <utility>

namespace troupe {

folder_shelf::folder_shelf(std::string path, const file_limits& limits)
    : folder_{std::move(path)}, catalog_{limits} {
  for (auto& each : folder_.load())
    catalog_.add(std::move(each));
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
  if (catalog_.use(id, chat))
    describe(id);
}

void folder_shelf::forget_chat(const std::string& chat) {
  const auto freed = catalog_.forget_chat(chat);
  for (const auto& id : freed.unused)
    remove(id);
  for (const auto& id : freed.changed)
    describe(id);
}

void folder_shelf::copy_chat(const std::string& chat, const std::string& copy) {
  for (const auto& id : catalog_.copy_chat(chat, copy))
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

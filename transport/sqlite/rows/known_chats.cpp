#include "transport/sqlite/rows/known_chats.hpp"

#include <utility>

namespace troupe {

namespace {

constexpr size_t most_young = 256;

} // namespace

known_chat* known_chats::find(const std::string& session_id) {
  if (auto found = young_.find(session_id); found != young_.end())
    return &found->second;
  auto found = old_.find(session_id);
  if (found == old_.end())
    return nullptr;
  return &add(session_id, std::exchange(found->second, {}));
}

known_chat& known_chats::add(const std::string& session_id, known_chat chat) {
  if (young_.size() >= most_young)
    old_ = std::exchange(young_, {});
  return young_.insert_or_assign(session_id, std::move(chat)).first->second;
}

void known_chats::forget(const std::string& session_id) {
  young_.erase(session_id);
  old_.erase(session_id);
}

void known_chats::enter(uint64_t epoch) {
  if (std::exchange(epoch_, epoch) != epoch)
    clear();
}

void known_chats::clear() {
  young_.clear();
  old_.clear();
}

} // namespace troupe

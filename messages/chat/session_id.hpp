// Ids of chats: inside the engine they carry their owner, outside they do not.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Separates the owner from the client's own id; an id of a client may not contain it.
inline constexpr char owner_separator = '\x1f';

/// Returns the id by which the engine knows a client's chat. Each owner has a space of ids of its
/// own: another owner's id is as unknown as one that was never used. @param owner empty:
/// single-user mode
inline std::string scoped_id(std::string_view owner, std::string_view id) {
  std::string out;
  if (!owner.empty())
    out.append(owner).push_back(owner_separator);
  return out.append(id);
}

/// Returns the id as the client knows it.
inline std::string_view public_id(std::string_view scoped) {
  return scoped.substr(scoped.find(owner_separator) + 1);
}

/// Returns the owner of a chat; "" in single-user mode.
inline std::string_view owner_of(std::string_view scoped) {
  auto end = scoped.find(owner_separator);
  return end == std::string_view::npos ? std::string_view{} : scoped.substr(0, end);
}

} // namespace troupe

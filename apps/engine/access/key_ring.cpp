#include "apps/engine/access/key_ring.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "apps/engine/access/api_keys.hpp"

namespace troupe {

struct key_ring::snapshot {
  struct entry {
    std::string hash;
    principal who;
  };
  std::map<std::string, entry, std::less<>> entries; ///< by id
};

key_ring::key_ring() = default;
key_ring::~key_ring() = default;

void key_ring::update(const key_list& list) {
  if (list.error)
    return;
  const auto before = now_.load();
  auto made = std::make_shared<snapshot>();
  for (const auto& key : list.keys) {
    if (key.revoked_ms != 0)
      continue;
    snapshot::entry entry{key.hash, {key.owner, key.admin, key.concurrent_turns, nullptr}};
    if (before)
      if (auto found = before->entries.find(key.id); found != before->entries.end())
        entry.who.meter = found->second.who.meter;
    if (entry.who.meter)
      entry.who.meter->limit(key.requests_per_minute);
    else
      entry.who.meter = std::make_shared<key_meter>(key.requests_per_minute);
    made->entries.insert_or_assign(key.id, std::move(entry));
  }
  if (before)
    for (const auto& [id, entry] : before->entries)
      if (made->entries.find(id) == made->entries.end())
        entry.who.meter->revoke();
  now_.store(std::move(made));
}

failure key_ring::find(std::string_view key, principal& out) const {
  static const std::string nobodys(64, '0'); // an unknown id costs a comparison, too
  const auto keys = now_.load();
  if (!keys)
    return {errc::store_failed, "The API keys have not been read yet; try again shortly."};
  const auto parts = split_key(key);
  if (!parts)
    return {errc::unauthorized, ""};
  const auto found = keys->entries.find(parts->id);
  const auto is_known = found != keys->entries.end();
  const auto fits = is_secret_of(parts->secret, is_known ? found->second.hash : nobodys);
  if (!is_known || !fits)
    return {errc::unauthorized, ""};
  out = found->second.who;
  return {};
}

} // namespace troupe

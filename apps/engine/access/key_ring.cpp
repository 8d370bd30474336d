#include "apps/engine/access/key_ring.hpp"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
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

std::shared_ptr<key_meter> key_ring::new_meter(uint32_t requests_per_minute) const {
  auto out = std::make_shared<key_meter>(requests_per_minute);
  out->share(others_);
  return out;
}

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
      entry.who.meter = new_meter(key.requests_per_minute);
    made->entries.insert_or_assign(key.id, std::move(entry));
  }
  if (before)
    for (const auto& [id, entry] : before->entries)
      if (made->entries.find(id) == made->entries.end())
        entry.who.meter->revoke();
  now_.store(std::move(made));
}

std::vector<key_count> key_ring::take_counts() const {
  std::vector<key_count> out;
  if (const auto keys = now_.load())
    for (const auto& [id, entry] : keys->entries)
      if (const auto requests = entry.who.meter->take_count(); requests > 0)
        out.push_back({id, requests});
  return out;
}

void key_ring::share(const std::vector<key_share>& parts, double others) {
  others_ = others;
  const auto keys = now_.load();
  if (!keys)
    return;
  std::unordered_map<std::string_view, double> named;
  for (const auto& [key, part] : parts)
    named.emplace(key, part);
  for (const auto& [id, entry] : keys->entries) {
    const auto part = named.find(id);
    entry.who.meter->share(part == named.end() ? others : part->second);
  }
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

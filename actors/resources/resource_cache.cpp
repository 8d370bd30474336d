#include "actors/resources/resource_cache.hpp"

#include <iterator>

namespace troupe {

const std::string* resource_cache::find(const resource_key& key, time_point now) {
  auto found = by_key_.find(key);
  if (found == by_key_.end())
    return nullptr;
  auto which = found->second;
  if (now - which->read > limits_.ttl) {
    drop(which);
    return nullptr;
  }
  by_use_.splice(by_use_.begin(), by_use_, which);
  return &which->result;
}

void resource_cache::put(const resource_key& key, std::string result, time_point now) {
  if (auto old = by_key_.find(key); old != by_key_.end())
    drop(old->second);
  if (limits_.entries == 0 || result.size() > limits_.bytes)
    return;
  while (by_key_.size() >= limits_.entries || bytes_ + result.size() > limits_.bytes)
    drop(std::prev(by_use_.end()));
  bytes_ += result.size();
  by_use_.push_front({key, std::move(result), now});
  by_key_.emplace(key, by_use_.begin());
}

void resource_cache::forget(const resource_key& key) {
  auto each = by_key_.lower_bound(key);
  while (each != by_key_.end() && each->first.server == key.server &&
         (key.uri.empty() || each->first.uri == key.uri))
    drop((each++)->second);
}

void resource_cache::clear() {
  by_use_.clear();
  by_key_.clear();
  bytes_ = 0;
}

void resource_cache::drop(entries_list::iterator which) {
  bytes_ -= which->result.size();
  by_key_.erase(which->key);
  by_use_.erase(which);
}

} // namespace troupe

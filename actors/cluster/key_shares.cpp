#include "actors/cluster/key_shares.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace troupe {

namespace {

/// What is left of a request's weight after a second: nearly all of it is from the last ten.
constexpr double kept = 0.8;
/// Keys that were used less are forgotten.
constexpr double least = 0.05;
constexpr double thousand = 1000;

} // namespace

void key_shares::note(const std::vector<key_count>& counts) {
  for (auto& [key, requests] : used_)
    requests *= kept;
  for (const auto& each : counts)
    used_[each.key] += static_cast<double>(each.requests);
  std::erase_if(used_, [](const auto& each) { return each.second < least; });
}

std::vector<key_use> key_shares::mine() const {
  std::vector<key_use> out;
  out.reserve(used_.size());
  for (const auto& [key, requests] : used_)
    out.push_back({key, static_cast<uint64_t>(std::llround(requests * thousand))});
  return out;
}

std::vector<key_share> key_shares::parts(const std::vector<key_use>& others, uint32_t nodes) const {
  std::unordered_map<std::string_view, double> elsewhere;
  for (const auto& each : others)
    elsewhere.emplace(each.key, static_cast<double>(each.taken) / thousand);
  std::vector<key_share> out;
  out.reserve(used_.size());
  for (const auto& [key, here] : used_) {
    const auto there = elsewhere.find(key);
    const auto all = here + (there == elsewhere.end() ? 0 : there->second);
    out.push_back({key, std::max(here / all, 1. / nodes)});
  }
  return out;
}

} // namespace troupe

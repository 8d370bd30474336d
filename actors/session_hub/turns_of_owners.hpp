// How many turns each owner has running.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace troupe {

/// Counts the running turns of owners. The session hub's state owns it. Not thread safe.
class turns_of_owners {
public:
  /// Returns how many the owner has with this one.
  uint64_t add(std::string_view owner) {
    if (auto known = running_.find(owner); known != running_.end())
      return ++known->second;
    return running_.emplace(owner, 1).first->second;
  }

  void remove(std::string_view owner) {
    if (auto known = running_.find(owner); --known->second == 0)
      running_.erase(known);
  }

  uint64_t of(std::string_view owner) const {
    const auto known = running_.find(owner);
    return known == running_.end() ? 0 : known->second;
  }

private:
  std::map<std::string, uint64_t, std::less<>> running_; ///< none is 0
};

} // namespace troupe

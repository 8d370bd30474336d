// Which of the idle sessions goes first.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <string>

namespace troupe {

/// Sessions without a turn. Not thread safe; lives in the hub.
class idle_sessions {
public:
  using time_point = std::chrono::steady_clock::time_point;

  struct item {
    const std::string* id; ///< outlives the item
    time_point since;
    bool woken; ///< made for a viewer; has had no turn
  };
  using place = std::list<item>::iterator;

  bool empty() const noexcept { return used_.empty() && woken_.empty(); }
  size_t woken() const noexcept { return woken_.size(); }

  /// @param id outlives the item @param now not before that of any other
  place add(const std::string& id, time_point now, bool woken) {
    auto& list = woken ? woken_ : used_;
    return list.insert(list.end(), {&id, now, woken});
  }

  place add(std::string&&, time_point, bool) = delete;

  void remove(place which) { (which->woken ? woken_ : used_).erase(which); }

  /// Returns the one that makes room for another: who was only looked at goes before all others.
  /// Not when empty.
  const item& first_to_go() const { return woken_.empty() ? used_.front() : woken_.front(); }

  /// Returns the one that is idle for longest. Not when empty.
  const item& oldest() const {
    if (woken_.empty() || used_.empty())
      return first_to_go();
    return woken_.front().since < used_.front().since ? woken_.front() : used_.front();
  }

private:
  std::list<item> used_; ///< both: the longest idle first
  std::list<item> woken_;
};

} // namespace troupe

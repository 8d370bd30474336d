#include "actors/cluster/unrun_claims.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace troupe {

const std::vector<claimed_chat>& unrun_claims::look(std::vector<claimed_chat> claimed) {
  looked_at_ = std::move(claimed);
  return looked_at_;
}

std::vector<claimed_chat> unrun_claims::heard(const std::vector<std::string>& busy) {
  std::vector<claimed_chat> out;
  std::vector<claimed_chat> suspected;
  const std::unordered_set<std::string_view> runs{busy.begin(), busy.end()}; // nearly all of them
  for (auto& each : std::exchange(looked_at_, {})) {
    if (runs.contains(each.session_id))
      continue;
    const bool again = std::ranges::find(suspected_, each) != suspected_.end();
    (again ? out : suspected).push_back(std::move(each));
  }
  suspected_ = std::move(suspected);
  return out;
}

} // namespace troupe

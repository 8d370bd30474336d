#include "actors/mcp_hub/mcp_subscribers.hpp"

#include <algorithm>
#include <utility>

#include <caf/all.hpp>

namespace troupe {

bool mcp_subscribers::add(mcp_subscriber_actor who, watch_mcp how) {
  auto address = who.address();
  if (!contains(address) && watchers_.size() >= limit)
    return false;
  watchers_[address] = {std::move(who), std::move(how)};
  return true;
}

void mcp_subscribers::remove(const caf::actor_addr& who) {
  watchers_.erase(who);
}

bool mcp_subscribers::can_answer(std::string_view owner) const {
  return std::any_of(watchers_.begin(), watchers_.end(), [owner](const auto& each) {
    const auto& how = each.second.how;
    return how.answers && (how.owner == owner || (how.admin && owner.empty()));
  });
}

void mcp_subscribers::tell(mcp_hub_actor::pointer from, mcp_event news, bool only_answering) const {
  auto shared = caf::make_message(std::move(news));
  for (const auto& [address, each] : watchers_)
    if (each.how.answers || !only_answering)
      caf::actor_cast<caf::actor>(each.who)->enqueue(from->ctrl(), caf::make_message_id(), shared,
                                                     from->context());
}

} // namespace troupe

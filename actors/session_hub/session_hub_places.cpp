#include "actors/session_hub/session_hub_places.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session_hub/session_hub_state.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"

namespace troupe {

namespace {

/// How long an answer may take; where the database is away it comes earlier.
constexpr std::chrono::seconds answer_limit{5};

cluster_limits_actor find_limits(const session_hub_state& hub) {
  return whereis<cluster_limits_actor>(hub.self->system(), cluster_limits_name);
}

} // namespace

void session_hub_places::clear() const {
  if (!hub_.config.session->lease)
    return;
  if (const auto limits = find_limits(hub_))
    hub_.self->send(limits, atom::clear_v);
}

bool session_hub_places::needs(const turn_request& request) const {
  return request.concurrent_turns > 0 && hub_.config.session->lease;
}

/// Counts the turn as a running one already: the next one that asks must not get its place.
bool session_hub_places::ask(const subscriber_actor& client, start_turn& turn) {
  const auto limits = find_limits(hub_);
  if (!limits) {
    hub_.refuse(client, errc::store_unreachable);
    return false;
  }
  const std::string owner{owner_of(turn.request.session_id)};
  const take_place want{owner, hub_.running.add(owner), turn.request.concurrent_turns};
  const auto number = ++last_number_;
  counted_.insert(owner);
  hub_.self->monitor(client);
  asking_.push_back({number, client, std::move(turn)});
  hub_.self->request(limits, answer_limit, want)
      .then([this, number](const place_answer& answer) { on_answer(number, answer.refused); },
            [this, number](const caf::error&) { on_answer(number, errc::store_unreachable); });
  return true;
}

/// The turn may have been left meanwhile, and its chat may be busy by now. Where it does not begin
/// the place is given back.
void session_hub_places::on_answer(uint64_t number, errc refused) {
  const auto found = std::ranges::find(asking_, number, &asking_turn::number);
  const auto client = std::move(found->client);
  auto turn = std::move(found->turn);
  asking_.erase(found);
  const auto id = turn.request.session_id;
  const auto turns_before = hub_.turns;
  hub_.running.remove(owner_of(id));
  if (client) {
    hub_.self->demonitor(client.address());
    if (refused == errc::none)
      hub_.begin(client, turn, true);
    else
      hub_.refuse(client, refused);
  }
  if (hub_.turns != turns_before)
    return hub_.replace_if_next_aborts(id);
  tell(owner_of(id));
  hub_.run_next(id);
}

void session_hub_places::tell(std::string_view owner) {
  const auto known = counted_.find(owner);
  if (known == counted_.end())
    return;
  const owner_turns now{*known, hub_.running.of(owner)};
  if (now.running == 0)
    counted_.erase(known);
  if (const auto limits = find_limits(hub_))
    hub_.self->send(limits, now);
}

subscriber_actor session_hub_places::take(const std::function<bool(const turn_request&)>& which) {
  for (auto& each : asking_)
    if (each.client && which(each.turn.request)) {
      hub_.self->demonitor(each.client.address());
      return std::exchange(each.client, nullptr);
    }
  return {};
}

bool session_hub_places::drop(const caf::actor_addr& client) {
  const auto found = std::ranges::find_if(
      asking_, [&](const auto& each) { return each.client && each.client.address() == client; });
  if (found == asking_.end())
    return false;
  found->client = nullptr;
  return true;
}

} // namespace troupe

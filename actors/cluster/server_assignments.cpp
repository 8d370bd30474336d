#include "actors/cluster/server_assignments.hpp"

#include <algorithm>

#include <caf/all.hpp>

namespace troupe {

bool server_assignments::server::is_wanted() const {
  const auto is_lost = [](const link& each) {
    return each.has && each.told.where == server_where::nowhere;
  };
  return !links.empty() && std::ranges::none_of(links, is_lost);
}

void server_assignments::on_want(const want_server& want) {
  auto who = caf::actor_cast<single_server_link_actor>(self_->current_sender());
  if (!who)
    return;
  self_->monitor(who);
  link added{who, {}, want.has};
  if (want.has)
    added.told.where = server_where::here;
  servers_[want.server].links.push_back(std::move(added));
  look(drains_);
}

void server_assignments::on_closed(const server_closed& what) {
  const auto who = caf::actor_cast<caf::actor_addr>(self_->current_sender());
  auto found = servers_.find(what.server);
  if (found == servers_.end())
    return;
  self_->demonitor(who);
  std::erase_if(found->second.links, [&](const link& each) { return each.who == who; });
  found->second.to_release = true;
  found->second.idle_since = now();
  look(drains_);
}

void server_assignments::on_down(const caf::actor_addr& who) {
  bool was_link = false;
  for (auto& [name, each] : servers_)
    if (std::erase_if(each.links, [&](const link& one) { return one.who == who; }) > 0) {
      was_link = true;
      each.idle_since = now();
    }
  if (was_link)
    look(drains_); // another link may have waited for its end
}

void server_assignments::look(bool drains) {
  drains_ = drains;
  if (servers_.empty())
    return;
  if (!store_.lease()->serves())
    return lose();
  release_closed();
  wanted_servers want{{}, drains};
  for (const auto& [name, each] : servers_)
    if (each.is_wanted())
      want.servers.push_back(name);
  held_servers held;
  if (want.servers.empty() || store_.members().hold(want, held))
    return;
  const auto me = store_.lease()->incarnation();
  for (const auto& name : want.servers) {
    server_assignment place;
    for (const auto& each : held.servers)
      if (each.server == name)
        place = {server_where::there, each.node, each.name, each.address};
    if (place.where == server_where::there && place.node == me)
      place.where = drains && held.others_serve ? server_where::leaving : server_where::here;
    apply(name, place);
  }
}

void server_assignments::lose() {
  for (auto& [name, each] : servers_)
    for (auto& one : each.links)
      tell(one, {});
}

/// Servers that were closed, or whose links have not come back, are for others.
void server_assignments::release_closed() {
  for (auto at = servers_.begin(); at != servers_.end();) {
    auto& [name, each] = *at;
    const auto is_idle = each.links.empty();
    each.to_release = each.to_release || (is_idle && now() - each.idle_since >= idle_limit);
    if (each.to_release)
      each.to_release = static_cast<bool>(store_.members().release(name));
    const auto is_over = is_idle && !each.to_release && now() - each.idle_since >= idle_limit;
    at = is_over ? servers_.erase(at) : std::next(at);
  }
}

/// A link that has been told to close a server continues with that, whatever has changed since.
void server_assignments::apply(const std::string& name, const server_assignment& place) {
  auto& known = servers_[name];
  const bool is_taken = std::ranges::any_of(known.links, &link::has);
  for (auto& each : known.links) {
    if (each.has) {
      if (place.where != server_where::here && each.told.where != server_where::nowhere)
        tell(each, place.where == server_where::leaving ? place : server_assignment{});
    } else if (place.where == server_where::leaving) {
      known.to_release = known.to_release || !is_taken;
      tell(each, {});
    } else if (place.where != server_where::here) {
      tell(each, place);
    } else if (std::ranges::none_of(known.links, &link::has)) {
      tell(each, place);
      each.has = true;
    }
  }
}

void server_assignments::tell(link& to, const server_assignment& place) {
  if (to.told == place)
    return;
  to.told = place;
  self_->send(to.who, place);
}

} // namespace troupe

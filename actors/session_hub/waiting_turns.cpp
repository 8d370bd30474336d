#include "actors/session_hub/waiting_turns.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

namespace {

bool aborts(const waiting_turn& turn) {
  return turn.ask.request.options.when_busy == busy_policy::abort;
}

} // namespace

void waiting_turns::add(subscriber_actor client, start_turn ask) {
  auto& queue = queues_[ask.request.session_id];
  chats_[client.address()] = ask.request.session_id;
  waiting_turn made{std::move(client), std::move(ask)};
  auto place = aborts(made) ? std::find_if_not(queue.begin(), queue.end(), aborts) : queue.end();
  queue.insert(place, std::move(made));
}

std::optional<waiting_turn> waiting_turns::take(const std::string& session_id) {
  auto found = queues_.find(session_id);
  if (found == queues_.end())
    return std::nullopt;
  auto next = std::move(found->second.front());
  found->second.erase(found->second.begin());
  if (found->second.empty())
    queues_.erase(found);
  chats_.erase(next.client.address());
  return next;
}

std::optional<waiting_turn> waiting_turns::take(const std::string& session_id,
                                                const std::string& turn_id) {
  auto found = queues_.find(session_id);
  if (found == queues_.end() || turn_id.empty())
    return std::nullopt;
  auto& queue = found->second;
  auto turn = std::find_if(queue.begin(), queue.end(), [&](const waiting_turn& each) {
    return each.ask.request.turn_id == turn_id;
  });
  if (turn == queue.end())
    return std::nullopt;
  auto taken = std::move(*turn);
  queue.erase(turn);
  if (queue.empty())
    queues_.erase(found);
  chats_.erase(taken.client.address());
  return taken;
}

bool waiting_turns::next_aborts(const std::string& session_id) const {
  auto found = queues_.find(session_id);
  return found != queues_.end() && aborts(found->second.front());
}

bool waiting_turns::drop(const caf::actor_addr& client) {
  auto known = chats_.find(client);
  if (known == chats_.end())
    return false;
  auto queue = queues_.find(known->second);
  std::erase_if(queue->second, [&](const waiting_turn& each) { return each.client == client; });
  if (queue->second.empty())
    queues_.erase(queue);
  chats_.erase(known);
  return true;
}

std::vector<waiting_turn> waiting_turns::take_all() {
  std::vector<waiting_turn> all;
  for (auto& each : queues_)
    std::move(each.second.begin(), each.second.end(), std::back_inserter(all));
  queues_.clear();
  chats_.clear();
  return all;
}

size_t waiting_turns::count(const std::string& session_id) const {
  auto found = queues_.find(session_id);
  return found == queues_.end() ? 0 : found->second.size();
}

} // namespace troupe

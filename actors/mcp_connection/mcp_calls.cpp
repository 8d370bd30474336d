#include "actors/mcp_connection/mcp_calls.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace troupe {

void mcp_calls::add(mcp_call call) {
  auto number = call.ask.call;
  calls_.insert_or_assign(number, std::move(call));
  waiting_.push_back(number);
}

mcp_call* mcp_calls::find(uint64_t number) {
  auto found = calls_.find(number);
  return found == calls_.end() ? nullptr : &found->second;
}

mcp_call* mcp_calls::find_task(const std::string& task_id) {
  auto found = std::find_if(calls_.begin(), calls_.end(), [&](const auto& each) {
    return !task_id.empty() && each.second.task_id == task_id;
  });
  return found == calls_.end() ? nullptr : &found->second;
}

mcp_call* mcp_calls::next() {
  if (waiting_.empty() || in_flight_ >= std::max(slots_, 1U))
    return nullptr;
  auto* call = find(waiting_.front());
  waiting_.pop_front();
  call->in_slot = true;
  ++in_flight_;
  return call;
}

void mcp_calls::put_back(mcp_call& call) {
  if (std::exchange(call.in_slot, false))
    --in_flight_;
  call.request_id = 0;
  call.poll_id = 0;
  call.poll_at = never;
  waiting_.push_front(call.ask.call);
}

bool mcp_calls::remove(uint64_t number) {
  auto found = calls_.find(number);
  if (found == calls_.end())
    return false;
  if (found->second.in_slot)
    --in_flight_;
  else
    std::erase(waiting_, number);
  calls_.erase(found);
  return true;
}

void mcp_calls::keep_alive(time_point idle_deadline) {
  for (auto& [number, call] : calls_)
    if (call.in_slot)
      call.idle_deadline = idle_deadline;
}

std::vector<uint64_t> mcp_calls::numbers() const {
  std::vector<uint64_t> all;
  all.reserve(calls_.size());
  for (const auto& [number, call] : calls_)
    all.push_back(number);
  std::sort(all.begin(), all.end(), std::greater<>{});
  return all;
}

std::vector<uint64_t> mcp_calls::overdue(time_point now) const {
  std::vector<uint64_t> late;
  for (const auto& [number, call] : calls_)
    if (std::min(call.idle_deadline, call.last_deadline) <= now)
      late.push_back(number);
  return late;
}

std::vector<uint64_t> mcp_calls::to_poll(time_point now) const {
  std::vector<uint64_t> due;
  for (const auto& [number, call] : calls_)
    if (call.poll_at <= now)
      due.push_back(number);
  return due;
}

mcp_calls::time_point mcp_calls::next_due() const {
  auto first = never;
  for (const auto& [number, call] : calls_)
    first = std::min({first, call.idle_deadline, call.last_deadline, call.poll_at});
  return first;
}

} // namespace troupe

#include "transport/loop/loop_scheduler_events.hpp"

#include <utility>
#include <vector>

#include <caf/abstract_actor.hpp>
#include <caf/sec.hpp>
#include <caf/system_messages.hpp>

namespace troupe {

namespace {

/// Sends a due event; the receiver may be gone.
struct ship {
  void operator()(receive_timeout& due) const {
    if (auto self = due.self.lock())
      self->get()->eq_impl(caf::make_message_id(), self, nullptr,
                           caf::timeout_msg{due.type, due.id});
  }
  void operator()(response_timeout& due) const {
    if (auto self = due.self.lock())
      self->get()->eq_impl(due.id, self, nullptr, caf::sec::request_timeout);
  }
  void operator()(delayed_message& due) const {
    due.receiver->enqueue(std::move(due.content), nullptr);
  }
  void operator()(delayed_group_message& due) const {
    if (due.target)
      due.target->eq_impl(caf::make_message_id(), std::move(due.sender), nullptr,
                          std::move(due.content));
  }
};

} // namespace

actor_schedule::actor_schedule(loop& home) : home_{home} {}

void actor_schedule::add(time_point at, uint64_t actor, actor_event event) {
  if (closed_)
    return;
  if (const auto* timeout = std::get_if<receive_timeout>(&event); timeout && !timeout->multi)
    cancel_receive(actor, timeout->type);
  auto where = queue_.emplace(at, entry{actor, std::move(event)});
  auto& added = where->second;
  added.self = where;
  if (actor != 0) {
    auto& head = by_actor_[actor];
    added.next = head;
    if (head != nullptr)
      head->previous = &added;
    head = &added;
  }
  if (at < armed_)
    arm();
}

actor_event actor_schedule::take(entry& which) {
  if (which.next != nullptr)
    which.next->previous = which.previous;
  if (which.previous != nullptr)
    which.previous->next = which.next;
  else if (which.actor != 0 && which.next != nullptr)
    by_actor_[which.actor] = which.next;
  else if (which.actor != 0)
    by_actor_.erase(which.actor);
  auto event = std::move(which.event);
  queue_.erase(which.self);
  return event;
}

template <class Match>
void actor_schedule::cancel_first(uint64_t actor, Match&& match) {
  if (by_actor_.empty())
    return;
  auto found = by_actor_.find(actor);
  if (found == by_actor_.end())
    return;
  for (auto* each = found->second; each != nullptr; each = each->next) {
    if (match(each->event)) {
      take(*each);
      return;
    }
  }
}

void actor_schedule::cancel_receive(uint64_t actor, caf::atom_value type) {
  cancel_first(actor, [type](const actor_event& event) {
    const auto* timeout = std::get_if<receive_timeout>(&event);
    return timeout != nullptr && !timeout->multi && timeout->type == type;
  });
}

void actor_schedule::cancel_response(uint64_t actor, caf::message_id id) {
  cancel_first(actor, [id](const actor_event& event) {
    const auto* timeout = std::get_if<response_timeout>(&event);
    return timeout != nullptr && timeout->id == id;
  });
}

void actor_schedule::cancel_actor(uint64_t actor) {
  if (by_actor_.empty())
    return;
  std::vector<actor_event> dropped; // destroyed last: may hold the last reference to an actor
  for (auto found = by_actor_.find(actor); found != by_actor_.end(); found = by_actor_.find(actor))
    dropped.push_back(take(*found->second));
  for (auto& event : dropped) {
    auto* message = std::get_if<delayed_message>(&event);
    if (message != nullptr && message->content->mid.is_request())
      message->receiver->enqueue(std::move(message->content), nullptr);
  }
}

void actor_schedule::clear() {
  by_actor_.clear();
  while (!queue_.empty()) { // one by one: destroying an actor may cancel events
    auto event = std::move(queue_.begin()->second.event);
    queue_.erase(queue_.begin());
  }
}

void actor_schedule::close() {
  closed_ = true;
  timer_.reset();
  clear();
}

/// A cancel does not change the timer: one needless wake-up is cheaper.
void actor_schedule::arm() {
  if (!timer_)
    timer_.emplace(home_, [this] { expire(); });
  armed_ = queue_.begin()->first;
  const auto delay = armed_ - std::chrono::steady_clock::now(); // a negative delay fires at once
  timer_->start(std::chrono::ceil<std::chrono::milliseconds>(delay));
}

void actor_schedule::expire() {
  const auto now = std::chrono::steady_clock::now();
  while (!queue_.empty() && queue_.begin()->first <= now) {
    auto event = take(queue_.begin()->second);
    std::visit(ship{}, event);
  }
  armed_ = time_point::max();
  if (!queue_.empty())
    arm();
}

} // namespace troupe

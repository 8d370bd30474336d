#include "transport/loop/loop_scheduler_clock.hpp"

#include <utility>

#include <caf/abstract_actor.hpp>

#include "transport/loop/loop_scheduler_events.hpp"

namespace troupe {

loop_clock::loop_clock(shards& on) : on_{on} {
  schedules_.reserve(on.size());
  for (size_t i = 0; i < on.size(); ++i)
    schedules_.push_back(std::make_shared<actor_schedule>(on.at(i)));
}

loop_clock::~loop_clock() = default;

actor_schedule* loop_clock::own() const noexcept {
  auto* here = loop::current();
  if (here == nullptr || here->index() >= schedules_.size() || &on_.at(here->index()) != here)
    return nullptr;
  return schedules_[here->index()].get();
}

size_t loop_clock::shard_for(uint64_t actor) const noexcept {
  return actor % schedules_.size();
}

template <class Event>
void loop_clock::add(time_point at, uint64_t actor, Event&& event) {
  if (auto* schedule = own())
    return schedule->add(at, actor, std::forward<Event>(event));
  other_threads_.store(true, std::memory_order_relaxed);
  const size_t shard = shard_for(actor);
  // A task must be copyable, a mailbox element is not; and it may outlive this clock.
  auto carried = std::make_shared<actor_event>(std::forward<Event>(event));
  on_.at(shard).post([schedule = schedules_[shard], at, actor, carried] {
    schedule->add(at, actor, std::move(*carried));
  });
}

template <class Cancel>
void loop_clock::cancel(uint64_t actor, Cancel&& cancel) {
  if (auto* schedule = own())
    return cancel(*schedule);
  if (!other_threads_.load(std::memory_order_relaxed))
    return;
  const size_t shard = shard_for(actor);
  on_.at(shard).post([schedule = schedules_[shard], cancel] { cancel(*schedule); });
}

void loop_clock::set_ordinary_timeout(time_point at, caf::abstract_actor* self,
                                      caf::atom_value type, uint64_t id) {
  add(at, self->id(), receive_timeout{self->ctrl(), type, id, false});
}

void loop_clock::set_multi_timeout(time_point at, caf::abstract_actor* self, caf::atom_value type,
                                   uint64_t id) {
  add(at, self->id(), receive_timeout{self->ctrl(), type, id, true});
}

void loop_clock::set_request_timeout(time_point at, caf::abstract_actor* self, caf::message_id id) {
  add(at, self->id(), response_timeout{self->ctrl(), id});
}

void loop_clock::cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) {
  cancel(self->id(), [id = self->id(), type](actor_schedule& in) { in.cancel_receive(id, type); });
}

void loop_clock::cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) {
  cancel(self->id(),
         [actor = self->id(), id](actor_schedule& in) { in.cancel_response(actor, id); });
}

void loop_clock::cancel_timeouts(caf::abstract_actor* self) {
  cancel(self->id(), [id = self->id()](actor_schedule& in) { in.cancel_actor(id); });
}

void loop_clock::schedule_message(time_point at, caf::strong_actor_ptr receiver,
                                  caf::mailbox_element_ptr content) {
  if (!receiver)
    return;
  const auto id = receiver->id();
  add(at, id, delayed_message{std::move(receiver), std::move(content)});
}

void loop_clock::schedule_message(time_point at, caf::group target, caf::strong_actor_ptr sender,
                                  caf::message content) {
  add(at, 0, delayed_group_message{std::move(target), std::move(sender), std::move(content)});
}

void loop_clock::cancel_all() {
  for (size_t i = 0; i < schedules_.size(); ++i)
    on_.at(i).run([schedule = schedules_[i]] { schedule->clear(); });
}

void loop_clock::close(size_t shard) {
  schedules_[shard]->close();
}

} // namespace troupe

#include "apps/engine/library/event_range_impl.hpp"

#include <utility>

#include <caf/all.hpp>

#include "actors/session/subscriber.hpp"
#include "apps/engine/library/callback_sink.hpp"

namespace troupe {

namespace {

/// Passes batches on to the reader's mailbox and says "full" each time: the reader asks for more.
class mailbox_sink final : public event_sink {
public:
  explicit mailbox_sink(caf::actor reader) : reader_(std::move(reader)) {}

  void watch(std::function<void(response_signal)>) override {}

  bool deliver(const event_batch& batch) override {
    caf::anon_send(reader_, batch);
    return false;
  }

  void refuse(const failure& why) override { caf::anon_send(reader_, refusal_batch(why)); }

private:
  caf::actor reader_;
};

} // namespace

event_range::impl::impl(caf::actor_system& system, turn_request request)
    : self(system), subscriber(spawn_subscriber(
                        system, std::move(request),
                        std::make_unique<mailbox_sink>(caf::actor_cast<caf::actor>(self)))) {}

event_range::impl::impl(caf::actor_system& system, watch_turn request)
    : self(system),
      subscriber(spawn_viewer(system, std::move(request),
                              std::make_unique<mailbox_sink>(caf::actor_cast<caf::actor>(self)))) {}

event_range::impl::~impl() {
  if (!over)
    caf::anon_send(subscriber, client_signal{response_signal::gone});
}

event_range::event_range(std::unique_ptr<impl> made) : impl_(std::move(made)) {}
event_range::event_range(event_range&&) noexcept = default;
event_range::~event_range() = default;

event_range::iterator event_range::begin() {
  return iterator{next() ? this : nullptr};
}

bool event_range::next() {
  if (impl_->over)
    return false;
  do { // a viewer's first batch may be empty: it says that the turn exists
    if (std::exchange(impl_->full, true))
      caf::anon_send(impl_->subscriber, client_signal{response_signal::drained});
    impl_->self->receive([this](event_batch& batch) { impl_->current = std::move(batch); });
  } while (impl_->current.events.empty());
  impl_->over = is_terminal(impl_->current.events.back());
  return true;
}

const event_batch& event_range::current() const {
  return impl_->current;
}

} // namespace troupe

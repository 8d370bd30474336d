#include "actors/subscriber.hpp"

#include <chrono>
#include <utility>

#include <caf/all.hpp>

#include "actors/ids.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"

namespace troupe {

namespace {

/// Events under way to a client that reads: enough that a usual turn needs no grant.
constexpr uint32_t initial_credit = 1024;

struct subscriber_state {
  static inline const char* name = "troupe.subscriber";

  explicit subscriber_state(subscriber_actor::pointer ptr) : self{ptr} {}

  subscriber_actor::behavior_type make_behavior() {
    return {
        [this](const event_batch& batch) { on_events(batch); },
        [this](const turn_refused& why) {
          on_refused({why.error, why.error_text});
        },
        [this](const client_signal& signal) { on_client(signal.what); },
    };
  }

  void start(turn_request request) {
    quiet(self);
    self->set_exit_handler([this](caf::exit_msg& msg) { on_exit_of_session(msg); });
    self->set_down_handler([this](caf::down_msg&) {
      if (!accepted)
        refuse({errc::internal, ""});
    });
    auto me = caf::actor_cast<subscriber_actor>(self);
    sink->watch([me](response_signal what) { caf::anon_send(me, client_signal{what}); });
    if (request.turn_id.empty())
      request.turn_id = make_id("turn_"); // an early abort must not meet another client's turn
    last.session_id = request.session_id;
    last.turn_id = request.turn_id;
    last.first_seq = 1;
    hub = whereis<session_hub_actor>(self->system(), session_hub_name);
    if (!hub)
      return refuse({errc::shutting_down, ""});
    self->monitor(hub);
    self->send(hub, start_turn{std::move(request), initial_credit});
  }

  void on_events(const event_batch& batch) {
    if (!accepted) {
      accepted = true;
      self->demonitor(hub->address());
    }
    last = {batch.session_id, batch.turn_id,
            batch.epoch,      batch.first_seq + batch.events.size(),
            batch.time_us,    {}};
    auto wants_more = sink->deliver(batch);
    if (is_terminal(batch.events.back()))
      return self->quit();
    delivered += static_cast<uint32_t>(batch.events.size());
    paused = !wants_more;
    grant();
  }

  /// Gives credit back in lots, so that most turns need no message for it.
  void grant() {
    if (paused || delivered < initial_credit / 2)
      return;
    self->send(hub, grant_credit{last.session_id, std::exchange(delivered, 0)});
  }

  void on_client(response_signal what) {
    if (what == response_signal::drained) {
      paused = false;
      return grant();
    }
    self->send<caf::message_priority::high>(hub,
                                            abort_turn{last.session_id, last.turn_id, "client"});
    self->quit();
  }

  /// After the first events it is about a session that died, and the link says that better.
  void on_refused(const failure& why) {
    if (!accepted)
      refuse(why);
  }

  void refuse(const failure& why) {
    sink->refuse(why);
    self->quit();
  }

  /// The session is linked while it runs the turn; a crash of it must not leave the client waiting.
  void on_exit_of_session(caf::exit_msg& msg) {
    if (msg.reason == caf::exit_reason::normal)
      return;
    failure why{errc::internal, ""};
    last.events.emplace_back(session_error{why.code, why.text(), retryable(why.code)});
    sink->deliver(last);
    self->quit();
  }

  subscriber_actor::pointer self;
  std::unique_ptr<event_sink> sink;
  session_hub_actor hub;
  event_batch last;       ///< where the stream is; first_seq is the next number
  uint32_t delivered = 0; ///< events since the last grant
  bool accepted = false;
  bool paused = false;
};

subscriber_actor::behavior_type
subscriber(subscriber_actor::stateful_pointer<subscriber_state> self, turn_request request,
           std::unique_ptr<event_sink> sink) {
  self->state.sink = std::move(sink);
  self->state.start(std::move(request));
  return self->state.make_behavior();
}

} // namespace

subscriber_actor spawn_subscriber(caf::actor_system& system, turn_request request,
                                  std::unique_ptr<event_sink> sink) {
  return system.spawn(subscriber, std::move(request), std::move(sink));
}

} // namespace troupe

#include "actors/session/subscriber.hpp"

#include <algorithm>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "actors/session/shared_sink.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"

namespace troupe {

namespace {

/// After so many batches the session gets the sink: the answer comes token by token.
constexpr uint32_t batches_first = 6;

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
    if (request.turn_id.empty())
      request.turn_id = make_id("turn_"); // an early leave must not meet another client's turn
    if (!find_hub(request.session_id, request.turn_id, 1))
      return;
    if (auto bad = check_conversation_id(public_id(request.session_id)))
      return refuse(bad); // such a chat could be kept, but by no client be named
    ask(start_turn{std::move(request), initial_credit});
  }

  void watch(watch_turn request) {
    request.credit = initial_credit;
    if (find_hub(request.session_id, request.turn_id, request.after_seq + 1))
      ask(std::move(request));
  }

  /// A request, so that CAF answers when the hub or the session dies before it reads this. Whoever
  /// has read it says so of its own end. A monitor would be an entry in the list of the hub, which
  /// each one who asks meanwhile has to walk.
  template <class Message>
  void ask(Message what) {
    self->request(hub, caf::infinite, std::move(what))
        .then([] {},
              [this](const caf::error&) {
                on_refused({errc::internal, ""});
              });
  }

  bool find_hub(const std::string& session_id, const std::string& turn_id, uint64_t first_seq) {
    quiet(self);
    self->set_exit_handler([this](caf::exit_msg& msg) { on_exit_of_session(msg); });
    auto me = caf::actor_cast<subscriber_actor>(self);
    sink->own().watch([me](response_signal what) { caf::anon_send(me, client_signal{what}); });
    last.session_id = session_id;
    last.turn_id = turn_id;
    last.first_seq = first_seq;
    hub = whereis<session_hub_actor>(self->system(), session_hub_name);
    if (!hub)
      refuse({errc::shutting_down, ""});
    return static_cast<bool>(hub);
  }

  void on_events(const event_batch& batch) {
    accepted = true;
    last.session_id = batch.session_id;
    last.turn_id = batch.turn_id;
    last.time_us = batch.time_us;
    auto earned = sink->deliver(batch);
    if (!batch.events.empty() && is_terminal(batch.events.back()))
      return self->quit();
    grant(earned);
    if (++batches % batches_first == 0)
      lend();
  }

  void grant(uint32_t events) {
    if (events > 0)
      self->send(hub, grant_credit{last.session_id, events});
  }

  /// The session takes the handover when nothing is on its way here; one in another process is not
  /// asked.
  void lend() {
    auto session = caf::actor_cast<handover_session_actor>(self->current_sender());
    if (session && session.node() == self->node())
      self->send(session, sink_handover{sink});
  }

  void on_client(response_signal what) {
    if (what == response_signal::drained)
      return grant(sink->drained());
    self->send<caf::message_priority::high>(hub, leave_turn{last.session_id, last.turn_id});
    self->quit();
  }

  /// After the first events it is about a session that died, and the link says that better.
  void on_refused(const failure& why) {
    if (!accepted)
      refuse(why);
  }

  void refuse(const failure& why) {
    sink->own().refuse(why);
    self->quit();
  }

  /// The session is linked while it runs the turn; a crash of it must not leave the client waiting.
  void on_exit_of_session(caf::exit_msg& msg) {
    if (msg.reason == caf::exit_reason::normal)
      return;
    failure why{errc::internal, ""};
    last.first_seq = std::max(last.first_seq, sink->next());
    last.events.emplace_back(session_error::of(why));
    sink->deliver(last);
    self->quit();
  }

  subscriber_actor::pointer self;
  std::shared_ptr<shared_sink> sink;
  session_hub_actor hub;
  event_batch last; ///< of which turn the events are
  uint32_t batches = 0;
  bool accepted = false;
};

subscriber_actor::behavior_type
subscriber(subscriber_actor::stateful_pointer<subscriber_state> self, turn_request request,
           std::unique_ptr<event_sink> sink) {
  self->state.sink = std::make_shared<shared_sink>(std::move(sink));
  self->state.start(std::move(request));
  return self->state.make_behavior();
}

subscriber_actor::behavior_type viewer(subscriber_actor::stateful_pointer<subscriber_state> self,
                                       watch_turn request, std::unique_ptr<event_sink> sink) {
  self->state.sink = std::make_shared<shared_sink>(std::move(sink));
  self->state.watch(std::move(request));
  return self->state.make_behavior();
}

} // namespace

subscriber_actor spawn_subscriber(caf::actor_system& system, turn_request request,
                                  std::unique_ptr<event_sink> sink) {
  return system.spawn(subscriber, std::move(request), std::move(sink));
}

subscriber_actor spawn_viewer(caf::actor_system& system, watch_turn request,
                              std::unique_ptr<event_sink> sink) {
  return system.spawn(viewer, std::move(request), std::move(sink));
}

} // namespace troupe

// Answers that need to ask other actors first.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/error.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>

#include "actors/monitors.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Says to an actor that it may make its answer; the place is given back with the message.
struct answer_slot {
  std::shared_ptr<void> held;
};

/// The actor state of one answer. The actor ends when the answer is sent, when the client leaves,
/// or when an actor that was asked dies. Actors that were asked see its end and cancel their work.
struct http_reply {
  static inline const char* name = "troupe.http_reply";

  explicit http_reply(caf::event_based_actor* ptr) : self{ptr} {}

  /// Answers 200 with JSON.
  void send(std::string json);

  /// Answers with an error, as `write_error` writes it. What a model or an MCP server said about
  /// its failure is for those who see inner texts, and for the log.
  void refuse(failure why);

  /// Asks a registered actor; answers with an error if there is none or it fails. There is no
  /// deadline: MCP requests have their own, and all other questions are answered at once.
  template <class Answer, class Hub, class Ask>
  void ask(caf::atom_value hub_name, Ask what, std::function<void(Answer&)> then) {
    auto hub = whereis<Hub>(self->system(), hub_name);
    if (!hub)
      return refuse({errc::shutting_down, ""});
    watched.add(hub);
    self->request(hub, caf::infinite, std::move(what))
        .then([then = std::move(then)](Answer& answer) { then(answer); },
              [this](const caf::error&) {
                refuse({errc::internal, ""});
              });
  }

  /// Has `then` called when the actor gets an answer_slot.
  void when_placed(std::function<void()> then) { placed = std::move(then); }

  caf::event_based_actor* self;
  std::shared_ptr<void> slot; ///< given back with the actor, unless somebody takes it over
  std::function<void()> placed;
  monitors watched{self};
  std::shared_ptr<http_response> response; ///< empty when it is sent
  void (*write_error)(http_response&, const failure&, headers) = send_error;
  bool inner_texts = true;       ///< the client's principal sees them
  std::shared_ptr<log_port> log; ///< takes those that it does not see
};

/// Spawns the actor of an answer; `begin` asks the actors that it needs.
void spawn_http_reply(http_call& in, std::function<void(http_reply&)> begin);

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::answer_slot)

// Answers that need a word with other actors first.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <caf/all.hpp>

#include "actors/monitors.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/http_route.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// One answer on its way. Ends when it is sent, when the client leaves, or when an actor that was
/// asked dies; whoever was asked then sees it end.
struct http_reply {
  static inline const char* name = "troupe.http_reply";

  explicit http_reply(caf::event_based_actor* ptr) : self{ptr} {}

  /// Answers 200 with JSON.
  void send(std::string json);

  /// Answers with an error.
  void refuse(const failure& why);

  /// Asks a registered actor; without one, or when it fails, the client is told. There is no
  /// deadline: servers have theirs, and whoever else is asked answers at once.
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

  caf::event_based_actor* self;
  monitors watched{self};
  std::shared_ptr<http_response> response; ///< empty when it is sent
};

/// Begins an answer; `begin` asks whom it has to.
void spawn_http_reply(http_call& in, std::function<void(http_reply&)> begin);

} // namespace troupe

#include "apps/engine/http/routes/mcp/mcp_event_stream.hpp"

#include <chrono>
#include <deque>
#include <string>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "apps/engine/http/routes/mcp/event_visibility.hpp"
#include "apps/engine/library/hub_subscription.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/mcp/mcp_view.hpp"

namespace troupe {

namespace {

constexpr std::chrono::seconds event_keep_alive{15};
constexpr size_t max_held_events = 1000;
constexpr size_t max_held_bytes = size_t{1024} * 1024; // a message of a server may have 16 MiB

using mcp_event_stream_actor =
    mcp_subscriber_actor::extend<caf::reacts_to<client_signal>, caf::reacts_to<atom::tick>,
                                 caf::reacts_to<atom::restart>>;

struct mcp_event_stream_state {
  static inline const char* name = "troupe.mcp_event_stream";

  explicit mcp_event_stream_state(mcp_event_stream_actor::pointer ptr) : self{ptr} {}

  mcp_event_stream_actor::behavior_type make_behavior() {
    return {
        [this](const mcp_event& event) { on_event(event); },
        [this](const client_signal& signal) { on_client(signal.what); },
        [this](atom::tick) { on_tick(); },
        [this](atom::restart) { watch(); },
    };
  }

  void start(const caf::actor& streams) {
    quiet(self);
    self->set_down_handler([this, streams](caf::down_msg& msg) {
      if (msg.source == streams)
        end();
      else
        subscribe_to_hub_later(self);
    });
    auto me = caf::actor_cast<mcp_event_stream_actor>(self);
    response->watch([me](response_signal signal) {
      caf::anon_send<caf::message_priority::high>(me, client_signal{signal});
    });
    response->start(200, native_stream_head());
    response->write(": events of MCP servers\n\n");
    watched.add(streams);
    watch();
    self->delayed_send(self, event_keep_alive, atom::tick_v);
  }

  void watch() {
    subscribe_to_hub(self, watched, {.answers = answers, .owner = who.owner, .admin = who.admin});
  }

  void on_event(const mcp_event& told) {
    if (is_revoked())
      return end();
    const auto seen = visible_event(told, who);
    if (!seen)
      return;
    const auto& event = *seen;
    if (!full && held.empty()) {
      full = !response->write(event_stream_text(event));
      return;
    }
    auto text = event_stream_text(event);
    const bool fits = held.size() < max_held_events && held_bytes + text.size() <= max_held_bytes;
    if (!fits || dropped > 0) {
      ++dropped;
      return;
    }
    held_bytes += text.size();
    held.push_back(std::move(text));
  }

  void on_client(response_signal what) {
    if (what == response_signal::gone)
      return self->quit();
    if (is_revoked())
      return end();
    full = false;
    while (!full && !held.empty()) {
      held_bytes -= held.front().size();
      full = !response->write(std::move(held.front()));
      held.pop_front();
    }
    if (held.empty() && dropped > 0) {
      raw_json count{fmt::format(R"({{"dropped":{}}})", std::exchange(dropped, 0))};
      full = !response->write(event_stream_text({"lagged", "", std::move(count)}));
    }
  }

  void on_tick() {
    if (is_revoked())
      return end();
    if (!full)
      full = !response->write(": keep-alive\n\n");
    self->delayed_send(self, event_keep_alive, atom::tick_v);
  }

  bool is_revoked() const { return who.meter && who.meter->is_revoked(); }

  void end() {
    response->finish();
    self->quit();
  }

  mcp_event_stream_actor::pointer self;
  monitors watched{self};
  std::shared_ptr<http_response> response;
  bool answers = false;
  principal who;
  bool full = false;            ///< the connection takes no more for now
  std::deque<std::string> held; ///< while it is full
  size_t held_bytes = 0;
  uint64_t dropped = 0; ///< after those that are held
};

mcp_event_stream_actor::behavior_type
mcp_event_stream(mcp_event_stream_actor::stateful_pointer<mcp_event_stream_state> self,
                 std::shared_ptr<http_response> response, const caf::actor& streams, bool answers,
                 principal who) {
  auto& state = self->state;
  state.response = std::move(response);
  state.answers = answers;
  state.who = std::move(who);
  state.start(streams);
  return state.make_behavior();
}

} // namespace

void spawn_mcp_event_stream(http_call& in, bool answers) {
  if (in.request.method == "HEAD")
    return in.response->send(200, native_stream_head(), "");
  in.system.spawn(mcp_event_stream, std::move(in.response), in.streams, answers, in.who);
}

} // namespace troupe

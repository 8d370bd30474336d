#include "apps/engine/http/routes/mcp/mcp_event_stream.hpp"

#include <chrono>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "apps/engine/library/hub_subscription.hpp"
#include "messages/errors.hpp"
#include "messages/json_object.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/mcp_view.hpp"

namespace troupe {

// -- event visibility -----------------------------------------------------------------------------

namespace {

constexpr std::string_view chat_member = "sessionId";
constexpr std::string_view log_member = "log";
constexpr std::string_view error_member = "error";
constexpr std::string_view code_member = "code"; // of an error
constexpr std::string_view text_member = "message";

/// Returns whether events of this kind can belong to a chat.
bool is_of_chat(std::string_view kind) {
  return kind == "attachment" || kind == "attachmentRemoved" || kind == "clientRequest" ||
         kind == "clientRequestOver";
}

/// Appends a server's error as those see it who are no admins.
void append_public_error(json_buffer& out, std::string_view json, bool with_text) {
  if (is_nothing(json))
    return append_raw(out, "null");
  json_object copy{out};
  errc code = errc::internal;
  for_each_member(json, [&](std::string_view key, std::string_view value) {
    if (key == code_member)
      code = errc_from(json_string(value));
    if (key == text_member && !with_text)
      copy.member(key, user_text(code)); // the code comes first
    else if (key == text_member)
      copy.member(key, without_stderr_tail(json_string(value)));
    else
      copy.raw(key, value);
    return true;
  });
}

/// Copies what `who` may see of an event. Returns whether that is anything.
bool copy_visible(json_object& copy, std::string_view data, bool of_chat, const principal& who) {
  std::string scoped;
  for_each_member(data, [&](std::string_view key, std::string_view value) {
    if (of_chat && key == chat_member)
      scoped = json_string(value);
    else if (!of_chat && key == log_member)
      copy.raw(key, "[]");
    else if (!of_chat && key == error_member)
      append_public_error(copy.key(key), value, who.inner_texts);
    else
      copy.raw(key, value);
    return true;
  });
  if (!of_chat)
    return true;
  const auto owner = owner_of(scoped);
  copy.member(chat_member, public_id(scoped));
  if (owner != who.owner)
    copy.given("owner", owner);
  return owner == who.owner || who.admin;
}

} // namespace

std::optional<mcp_event> visible_event(const mcp_event& told, const principal& who) {
  if (who.owner.empty())
    return told;
  if (told.kind == "log" && !who.admin)
    return {};
  const auto of_chat = is_of_chat(told.kind);
  if (!of_chat && (told.kind != "server" || who.admin))
    return told;
  json_source data{told.data.text};
  auto seen = false;
  raw_json copied{
      json_text([&](json_object& copy) { seen = copy_visible(copy, data.root(), of_chat, who); })};
  return seen ? std::optional{mcp_event{told.kind, told.server, std::move(copied)}} : std::nullopt;
}

// -- mcp event stream -----------------------------------------------------------------------------

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
  in.system.spawn(mcp_event_stream, std::move(in.response), in.services.streams, answers, in.who);
}

} // namespace troupe

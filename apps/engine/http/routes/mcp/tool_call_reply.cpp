#include "apps/engine/http/routes/mcp/tool_call_reply.hpp"

#include <chrono>
#include <string>
#include <utility>

#include <caf/all.hpp>

#include "actors/monitors.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/ids.hpp"
#include "messages/json_object.hpp"
#include "messages/ports/inner_errors.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

/// The time between two keep-alive comments of a stream.
constexpr std::chrono::seconds call_keep_alive{15};

using tool_call_reply_actor =
    tool_client_actor::extend<caf::reacts_to<client_signal>, caf::reacts_to<atom::tick>>;

/// Appends what the tool answered, on one line.
void append_outcome(json_buffer& out, const tool_outcome& outcome) {
  json_object all{out};
  if (outcome.error == errc::none)
    all.raw("error", "null");
  else
    append_error(all.key("error"), {outcome.error, outcome.text});
  all.member("text", outcome.text);
  const auto from = all.key("result").size();
  append_json(out, outcome.result);
  keep_on_one_line(out, from);
}

struct tool_call_reply_state {
  static inline const char* name = "troupe.tool_call_reply";

  explicit tool_call_reply_state(tool_call_reply_actor::pointer ptr) : self{ptr} {}

  tool_call_reply_actor::behavior_type make_behavior() {
    return {
        [](const tool_snapshot&) {},
        [this](tool_outcome& outcome) { on_outcome(std::move(outcome)); },
        [this](const tool_progress& report) { on_progress(report); },
        [this](const client_ask& ask) { on_ask(ask); },
        [this](const client_signal& signal) { on_client(signal.what); },
        [this](atom::tick) { on_tick(); },
    };
  }

  void start(call_tool what) {
    quiet(self);
    self->set_down_handler([this](caf::down_msg&) { on_outcome({"", errc::server_lost, "", {}}); });
    auto me = caf::actor_cast<tool_call_reply_actor>(self);
    response->watch([me](response_signal signal) {
      caf::anon_send<caf::message_priority::high>(me, client_signal{signal});
    });
    auto hub = whereis<mcp_hub_for_callers>(self->system(), mcp_hub_name);
    if (!hub)
      return on_outcome({"", errc::shutting_down, "", {}});
    watched.add(hub);
    what.tool_call_id = "call";
    what.answers = what.answers && streams;
    // The hub needs a session id to find the client of a server's question.
    if (what.session_id.empty() && (what.answers || !who.owner.empty()))
      what.session_id = make_id("call_");
    if (!what.session_id.empty())
      what.session_id = scoped_id(who.owner, what.session_id);
    session_id = what.session_id;
    self->send(hub, std::move(what));
    if (streams)
      self->delayed_send(self, call_keep_alive, atom::tick_v);
  }

  void on_outcome(tool_outcome outcome) {
    if (outcome.error != errc::none && !who.inner_texts)
      hide_inner_text(log.get(), "tool", session_id, outcome.error, outcome.text);
    json_buffer out;
    append_outcome(out, outcome);
    // An error that the tool itself answered is no failure of the request.
    auto answered = outcome.error == errc::none || !outcome.result.text.empty();
    if (started || (streams && answered)) {
      emit("result", view(out));
      response->finish();
    } else {
      response->send(answered ? 200 : http_status(outcome.error),
                     {{"content-type", "application/json"}}, std::string{view(out)});
    }
    self->quit();
  }

  void on_progress(const tool_progress& report) {
    if (!streams || full)
      return;
    json_buffer out;
    json_object{out}
        .member("progress", report.progress)
        .member("total", report.total)
        .member("message", report.message);
    emit("progress", view(out));
  }

  void on_ask(client_ask ask) {
    ask.session_id = public_id(ask.session_id);
    json_buffer out;
    append_json(out, ask);
    keep_on_one_line(out, 0);
    emit("clientRequest", view(out));
  }

  /// Writes a comment. It begins a stream that has carried nothing yet, too.
  void on_tick() {
    if (!full)
      write(": keep-alive\n\n");
    self->delayed_send(self, call_keep_alive, atom::tick_v);
  }

  void on_client(response_signal what) {
    if (what == response_signal::gone)
      return self->quit(); // the hub takes the call back
    full = false;
  }

  void emit(std::string_view event, std::string_view data) {
    json_buffer out;
    append_raw(out, "event: ");
    append_raw(out, event);
    append_raw(out, "\ndata: ");
    append_raw(out, data);
    append_raw(out, "\n\n");
    write(view(out));
  }

  void write(std::string_view bytes) {
    if (!std::exchange(started, true))
      response->start(200, native_stream_head());
    full = !response->write(bytes);
  }

  tool_call_reply_actor::pointer self;
  monitors watched{self};
  std::shared_ptr<http_response> response;
  principal who;
  std::shared_ptr<log_port> log; ///< takes the texts that the client does not see
  std::string session_id;
  bool streams = false; ///< the client takes events
  bool started = false;
  bool full = false; ///< the client does not keep up: progress is left out
};

/// The terms of a tool call that came as an HTTP request.
struct call_terms {
  std::shared_ptr<http_response> response;
  principal who;
  std::shared_ptr<log_port> log;
  bool streams;
};

tool_call_reply_actor::behavior_type
tool_call_reply(tool_call_reply_actor::stateful_pointer<tool_call_reply_state> self,
                call_terms terms, call_tool what) {
  auto& state = self->state;
  state.response = std::move(terms.response);
  state.who = std::move(terms.who);
  state.log = std::move(terms.log);
  state.streams = terms.streams;
  state.start(std::move(what));
  return state.make_behavior();
}

} // namespace

void spawn_tool_call_reply(http_call& in, call_tool what) {
  auto accept = find_header(in.request.fields, "accept");
  auto streams = accept.find("text/event-stream") != std::string_view::npos;
  in.system.spawn(tool_call_reply,
                  call_terms{std::move(in.response), in.who, in.config.log, streams},
                  std::move(what));
}

} // namespace troupe

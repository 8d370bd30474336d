#include "apps/engine/http/websocket/ws_remote_stream.hpp"

#include <charconv>
#include <utility>

#include <caf/all.hpp>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

constexpr uint16_t status_idle = 204;

/// Returns whether an event is the last one of its turn.
bool is_last(std::string_view name) {
  return name == "SESSION_END" || name == "SESSION_ERROR";
}

uint64_t number_of_event(std::string_view id) {
  uint64_t out = 0;
  std::from_chars(id.data(), id.data() + id.size(), out);
  return out;
}

/// Drops what it is told.
class dropped_answer final : public http_response {
public:
  void watch(std::function<void(response_signal)>) override {}
  void send(uint16_t, const headers&, std::string) override {}
  void start(uint16_t, const headers&) override {}
  bool write(std::string_view) override { return true; }
  void finish() override {}
  void reset() override {}
};

std::string_view verb_of(const ws_command& what) {
  switch (what.verb) {
  case ws_verb::start:
    return "turns";
  case ws_verb::tool_results:
    return "tool-results";
  case ws_verb::approvals:
    return "approvals";
  case ws_verb::abort:
    return "abort";
  default:
    return "events";
  }
}

std::string query_of(const ws_command& what) {
  std::string out;
  if (!what.turn.empty() && what.verb != ws_verb::approvals)
    out = "turn=" + percent_encoded(what.turn);
  if (what.verb == ws_verb::resume)
    out += (out.empty() ? "after=" : "&after=") + std::to_string(what.after);
  return out;
}

} // namespace

ws_remote_stream::ws_remote_stream(std::shared_ptr<websocket> socket, ws_stream_id id,
                                   aborter abort, std::optional<uint64_t> resumed)
    : socket_(std::move(socket)), id_(std::move(id)), abort_(std::move(abort)), resumed_{resumed} {}

ws_remote_stream::~ws_remote_stream() {
  caf::anon_send(id_.home, atom::done_v, id_.number, told_);
}

void ws_remote_stream::signal(response_signal what) {
  if (what == response_signal::gone)
    gone_ = true;
  if (const auto watcher = watcher_.load())
    (*watcher)(what);
}

/// The client may have left before.
void ws_remote_stream::watch(std::function<void(response_signal)> watcher) {
  watcher_ = std::make_shared<const watching>(std::move(watcher));
  if (gone_)
    signal(response_signal::gone);
}

/// A refusal: the routes of native streams write {"error":{...}}.
void ws_remote_stream::send(uint16_t status, const headers&, std::string body) {
  told_ = true;
  if (status == status_idle) {
    socket_->send(ws_notice("idle", id_.session));
    return;
  }
  const json_source source{body};
  std::string_view error;
  read_members(source.root(), {{"error", &error}});
  if (kind_of(error) == json_kind::object)
    socket_->send(ws_refused_with(id_.session, id_.turn, error));
  else
    socket_->send(ws_refused(id_.session, id_.turn, failure{errc::internal, ""}));
}

/// A client that resumes a turn learns that it is there, though its next event may take long.
void ws_remote_stream::start(uint16_t, const headers&) {
  if (!resumed_ || id_.turn.empty())
    return;
  ws_remote_events none{id_.turn, *resumed_ + 1, "", 0};
  json_buffer text;
  none.take_frame(text, id_.session, 0);
  socket_->send(view(text));
}

bool ws_remote_stream::write(std::string_view bytes) {
  if (told_ || close_if_revoked(*socket_, id_.meter.get()))
    return true;
  bool more = true;
  ws_remote_events events;
  parser_.feed(bytes, [&](const sse_event& what) {
    const auto follows = events.first + events.count;
    if (events.count > 0 && number_of_event(what.id) != follows)
      more = pass_on(std::exchange(events, {}));
    return on_event(what, events);
  });
  if (events.count > 0)
    more = pass_on(std::move(events));
  return more;
}

/// Returns whether more may follow.
bool ws_remote_stream::on_event(const sse_event& what, ws_remote_events& out) {
  if (out.count == 0) {
    out.first = number_of_event(what.id);
    const auto source = json_source::unchecked(what.data);
    std::string_view turn;
    read_members(source.root(), {{"turnId", &turn}});
    out.turn = json_string(turn);
    if (const auto abort = std::exchange(abort_, nullptr); abort && *id_.aborted)
      abort(out.turn);
  }
  out.lines.append(out.count == 0 ? "" : "\n").append(what.data);
  ++out.count;
  told_ = told_ || is_last(what.type);
  return !told_;
}

bool ws_remote_stream::pass_on(ws_remote_events&& events) {
  if (id_.manual) {
    caf::anon_send(id_.home, id_.number, std::move(events.turn), events.first,
                   std::move(events.lines));
    return false; // `drained` follows when the events have been sent
  }
  json_buffer text;
  events.take_frame(text, id_.session, events.count);
  return socket_->send(view(text));
}

void ws_remote_stream::finish() {
  tell_lost();
}

void ws_remote_stream::reset() {
  tell_lost();
}

/// A stream without its last event has lost its node.
void ws_remote_stream::tell_lost() {
  if (std::exchange(told_, true) || gone_)
    return;
  socket_->send(ws_refused(id_.session, id_.turn, failure{errc::owner_unreachable, ""}));
}

std::shared_ptr<http_response> unread_answer() {
  return std::make_shared<dropped_answer>();
}

server_request request_of(const ws_command& what, const ws_origin& from) {
  server_request out;
  out.method = what.verb == ws_verb::resume ? "GET" : "POST";
  out.path = "/v1/sessions/";
  out.path.append(what.session).append("/").append(verb_of(what));
  out.target = "/v1/sessions/" + percent_encoded(what.session) + '/';
  out.target.append(verb_of(what));
  out.query = query_of(what);
  out.fields = {{"x-request-id", from.request_id}, {"content-type", "application/json"}};
  if (!from.traceparent.empty())
    out.fields.push_back({"traceparent", from.traceparent});
  out.body = what.body;
  return out;
}

} // namespace troupe

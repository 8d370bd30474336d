#include "apps/engine/http/nodes/mcp_node_request.hpp"

#include <algorithm>
#include <utility>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/cluster/single_server_link.hpp"
#include "actors/monitors.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/tool_messages.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/mcp/answering.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"
#include "messages/wire/mcp/methods.hpp"

namespace troupe {

namespace {

const server_status* find(const server_list& list, std::string_view name) {
  const auto found = std::ranges::find(list.servers, name, &server_status::name);
  return found == list.servers.end() ? nullptr : &*found;
}

/// The error of a call that the server has certainly not begun: it may be asked elsewhere.
bool is_not_begun(errc code) {
  return code == errc::server_session_lost || code == errc::server_unknown ||
         code == errc::shutting_down;
}

using node_request_actor = tool_client_actor::extend<caf::reacts_to<client_signal>>;

struct node_request_state {
  static inline const char* name = "troupe.mcp_node_request";

  explicit node_request_state(node_request_actor::pointer ptr) : self{ptr} {}

  node_request_actor::behavior_type make_behavior() {
    return {
        [](const tool_snapshot&) {},
        [this](const tool_outcome& outcome) { on_outcome(outcome); },
        [this](const tool_progress& report) { on_progress(report); },
        [](const client_ask&) {},
        [this](const client_signal& signal) {
          if (signal.what == response_signal::gone)
            self->quit(); // the hub takes the call back
          full = false;
        },
    };
  }

  void start() {
    quiet(self);
    self->set_down_handler([this](caf::down_msg&) { give_up(); });
    auto me = caf::actor_cast<node_request_actor>(self);
    response->watch([me](response_signal signal) {
      caf::anon_send<caf::message_priority::high>(me, client_signal{signal});
    });
    hub = whereis<mcp_hub_for_callers>(self->system(), mcp_hub_name);
    if (!hub)
      return refuse();
    watched.add(hub);
    self->request(hub, caf::infinite, atom::status_v)
        .then([this](const server_list& list) { on_servers(list); },
              [this](const caf::error&) { refuse(); });
  }

  void on_servers(const server_list& list) {
    const auto* known = find(list, server);
    const auto here = mcp_node_session(list, server, meant);
    if (ask.method == "initialize")
      return initialize(known, here);
    if (here.empty() || here != session)
      return refuse();
    if (ask.method == "tools/call")
      return call();
    if (ask.method == "ping")
      return answer(jsonrpc::make_result(ask.id, "{}"));
    if (mcp::find_method(ask.method) == nullptr)
      return answer(jsonrpc::make_error(ask.id, jsonrpc::method_not_found,
                                        "There is no method " + ask.method + '.'));
    mcp_ask what{server, ask.method, {ask.params}, true};
    passed_on = true;
    self->request(hub, caf::infinite, std::move(what))
        .then([this](const mcp_answer& got) { end(got.error, got.result.text); },
              [this](const caf::error&) { give_up(); });
  }

  /// Why the server cannot be started here is told at once; one that is being connected is waited
  /// for.
  void initialize(const server_status* known, const std::string& here) {
    if (!here.empty())
      return answer(jsonrpc::make_result(ask.id, mcp::initialize_result_of(*known)),
                    {{"mcp-session-id", here}});
    if (known != nullptr && known->health == server_health::error && !known->node.empty() &&
        !known->remote)
      return answer(jsonrpc::make_error(ask.id, jsonrpc::internal_error,
                                        without_stderr_tail(known->error_text)));
    refuse();
  }

  void call() {
    mcp::asked_call asked;
    if (auto bad = mcp::parse(ask.params, asked))
      return answer(jsonrpc::make_error(ask.id, jsonrpc::invalid_params, bad.message));
    token = std::move(asked.progress_token);
    call_tool what;
    what.tool_call_id = "call";
    what.server = server;
    what.tool = std::move(asked.tool);
    what.arguments = std::move(asked.arguments);
    what.traceparent = std::move(asked.traceparent);
    what.from_node = true;
    passed_on = true;
    self->send(hub, std::move(what));
  }

  void on_progress(const tool_progress& report) {
    if (!token.empty() && !full)
      emit(jsonrpc::make_notification(
          "notifications/progress",
          mcp::progress_params(token, report.progress, report.total, report.message)));
  }

  void on_outcome(const tool_outcome& how) { end({how.error, how.text}, how.result.text); }

  void end(const failure& why, const std::string& result) {
    if (result.empty() && is_not_begun(why.code) && !started)
      return refuse();
    const auto text = why && result.empty()
                          ? jsonrpc::make_error(ask.id, jsonrpc::internal_error, why.text())
                          : jsonrpc::make_result(ask.id, result.empty() ? "{}" : result);
    if (!started)
      return answer(text);
    emit(text);
    response->finish();
    self->quit();
  }

  void emit(const std::string& message) {
    if (!std::exchange(started, true))
      response->start(200, native_stream_head());
    full = !response->write("event: message\ndata: " + message + "\n\n");
  }

  void answer(std::string json, headers extra = {}) {
    extra.push_back({"content-type", "application/json"});
    response->send(200, extra, std::move(json));
    self->quit();
  }

  /// The hub is gone, and the server may have begun the request.
  void give_up() {
    if (!passed_on)
      return refuse();
    response->reset();
    self->quit();
  }

  void refuse() {
    response->send(ask.method == "initialize" ? 503 : 404, {}, "");
    self->quit();
  }

  node_request_actor::pointer self;
  monitors watched{self};
  std::shared_ptr<http_response> response;
  mcp_hub_for_callers hub;
  jsonrpc::request ask;
  std::string server;
  std::string session; ///< that the request belongs to
  uint64_t meant = 0;  ///< which start of this node
  std::string token;   ///< of the call's progress; "": none is told
  bool passed_on = false;
  bool started = false;
  bool full = false; ///< the node does not keep up: progress is left out
};

node_request_actor::behavior_type
node_request(node_request_actor::stateful_pointer<node_request_state> self,
             std::shared_ptr<http_call> in, jsonrpc::request ask) {
  auto& state = self->state;
  state.response = std::move(in->response);
  state.ask = std::move(ask);
  state.server = std::move(in->ids[0]);
  state.session = find_header(in->request.fields, "mcp-session-id");
  state.meant = in->services.nodes->setup().start();
  state.start();
  return state.make_behavior();
}

} // namespace

std::string mcp_node_session(const server_list& servers, const std::string& name, uint64_t start) {
  const auto* known = find(servers, name);
  const bool is_here = known != nullptr && !known->node.empty() && !known->remote &&
                       known->phase == server_phase::connected;
  return is_here ? fmt::format("{}-{}", start, known->connection) : std::string{};
}

bool means_this_node(const http_call& in) {
  return find_header(in.request.fields, meant_node_field) ==
         std::to_string(in.services.nodes->setup().start());
}

void spawn_mcp_node_request(http_call& in) {
  auto said = jsonrpc::parse(in.request.body);
  auto* ask = std::get_if<jsonrpc::request>(&said.front());
  if (ask == nullptr) // there is nothing to answer, and no request of the server is passed on
    return in.response->send(202, {}, "");
  if (!means_this_node(in))
    return in.response->send(ask->method == "initialize" ? 503 : 404, {}, "");
  auto asked = std::move(*ask);
  in.system.spawn(node_request, std::make_shared<http_call>(std::move(in)), std::move(asked));
}

} // namespace troupe

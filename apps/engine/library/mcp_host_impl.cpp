#include "apps/engine/library/mcp_host_impl.hpp"

#include <chrono>
#include <cstdint>
#include <future>
#include <unordered_map>
#include <vector>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/library/blocking_request.hpp"
#include "apps/engine/library/mcp_event_callback.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

// -- host caller ----------------------------------------------------------------------------------

namespace {

struct host_caller_state {
  static inline const char* name = "troupe.host_caller";

  explicit host_caller_state(host_caller_actor::pointer ptr) : self{ptr} {}

  struct running_ask {
    caf::actor_addr whom;
    std::shared_ptr<pending<mcp_answer>> result;
  };

  host_caller_actor::behavior_type make_behavior() {
    quiet(self);
    self->set_down_handler([this](const caf::down_msg& msg) { on_down(msg.source); });
    return {
        [](const tool_snapshot&) {},
        [](const tool_outcome&) {}, // sinks get these
        [](const tool_progress&) {},
        [](const client_ask&) {},
        [this](request_job& job) { on_ask<mcp_hub_for_callers>(mcp_hub_name, job); },
        [this](read_job& job) { on_ask<resource_store_actor>(resource_store_name, job); },
    };
  }

  template <class Hub, class Job>
  void on_ask(caf::atom_value hub_name, Job& job) {
    auto& watching = hub_name == mcp_hub_name ? hub_watched : store_watched;
    auto hub = watched<Hub>(hub_name, watching);
    if (!hub)
      return;
    auto number = ++last_number;
    asks.emplace(number, running_ask{hub->address(), std::move(job.result)});
    // No deadline: connections have theirs, and on_down() sees the death of the hub.
    self->request(hub, caf::infinite, std::move(job.ask))
        .then([this, number](mcp_answer& answer) { answer_ask(number, std::move(answer)); },
              [this, number](const caf::error&) {
                answer_ask(number, {{errc::internal, ""}, {}});
              });
  }

  /// Returns a registered actor and monitors it for on_down().
  template <class Hub>
  Hub watched(caf::atom_value hub_name, caf::actor_addr& watching) {
    auto hub = whereis<Hub>(self->system(), hub_name);
    if (hub && hub->address() != watching) {
      watching = hub->address();
      self->monitor(hub);
    }
    return hub;
  }

  void answer_ask(uint64_t number, mcp_answer answer) {
    auto ask = asks.extract(number);
    if (!ask.empty())
      ask.mapped().result->answer(std::move(answer));
  }

  void on_down(const caf::actor_addr& who) {
    std::vector<uint64_t> lost;
    for (const auto& [number, ask] : asks)
      if (ask.whom == who)
        lost.push_back(number);
    for (auto number : lost)
      answer_ask(number, {{errc::server_lost, ""}, {}});
  }

  host_caller_actor::pointer self;
  uint64_t last_number = 0;
  std::unordered_map<uint64_t, running_ask> asks;
  caf::actor_addr hub_watched;
  caf::actor_addr store_watched;
};

host_caller_actor::behavior_type
host_caller(host_caller_actor::stateful_pointer<host_caller_state> self) {
  return self->state.make_behavior();
}

} // namespace

void result_sink::progress(const tool_progress& report) {
  try {
    if (progress_)
      progress_(report);
  } catch (...) {
    progress_ = nullptr; // it must not end the calls of others
  }
}

void result_sink::outcome(tool_outcome& how) {
  failure error{how.error, how.error == errc::none ? "" : how.text};
  result_->answer({std::move(error), std::move(how.text), std::move(how.result)});
}

host_caller_actor spawn_host_caller(caf::actor_system& system) {
  return system.spawn(host_caller);
}

// -- mcp host impl --------------------------------------------------------------------------------

namespace {

/// How long a hub may take to answer a question that needs no waiting.
constexpr std::chrono::seconds hub_limit{5};

/// Puts an object on one line; "" stays.
failure take_object(std::string& json, errc code, const char* what) {
  if (json.empty())
    return {};
  if (!is_json_object(json))
    return {code, std::string{what} + " must be a JSON object."};
  if (json.find_first_of("\r\n") == std::string::npos)
    return {};
  json_buffer line;
  append_raw(line, json);
  keep_on_one_line(line, 0);
  json = view(line);
  return {};
}

failure take_arguments(std::string& json) {
  if (json.empty())
    json = "{}";
  return take_object(json, errc::tool_arguments_invalid, "The arguments");
}

/// Waits for an answer that comes on another thread.
template <class Answer, class Start>
Answer wait_for(Start start) {
  auto got = std::make_shared<std::promise<Answer>>();
  auto answer = got->get_future();
  start(std::make_shared<pending<Answer>>([got](Answer what) { got->set_value(std::move(what)); }));
  return answer.get();
}

/// Asks a registered actor for a failure.
template <class Hub, class Ask>
failure ask_for_failure(caf::actor_system& system, caf::atom_value name, const Ask& what) {
  return ask_hub<failure, Hub>(system, name, hub_limit, what)
      .value_or(failure{errc::shutting_down, ""});
}

} // namespace

mcp_host_impl::mcp_host_impl(caf::actor_system& system)
    : system_(system), caller_(spawn_host_caller(system)) {}

mcp_host_impl::~mcp_host_impl() {
  end_calls();
}

void mcp_host_impl::end_calls() {
  caf::anon_send_exit(caller_, caf::exit_reason::user_shutdown);
}

std::vector<server_status> mcp_host_impl::servers() {
  auto list =
      ask_hub<server_list, mcp_hub_for_callers>(system_, mcp_hub_name, hub_limit, atom::status_v);
  return list ? std::move(list->servers) : std::vector<server_status>{};
}

failure mcp_host_impl::put_server(const mcp_server_config& config) {
  std::vector<mcp_server_config> one{config};
  if (auto bad = check_servers(one))
    return bad;
  return ask_for_failure<mcp_hub_for_operators>(system_, mcp_hub_name,
                                                troupe::put_server{std::move(one.front())});
}

failure mcp_host_impl::change_server(const std::string& server, server_verb verb) {
  return ask_for_failure<mcp_hub_for_operators>(system_, mcp_hub_name,
                                                troupe::change_server{server, verb});
}

/// The hub sees host_caller as the sender of all calls; results go to the sinks directly.
void mcp_host_impl::start_call(troupe::call_tool call, std::shared_ptr<pending<tool_result>> result,
                               std::function<void(const tool_progress&)> progress) {
  if (auto bad = take_arguments(call.arguments))
    return result->answer({bad, "", {}});
  call.answers = false; // questions of servers go to watchers
  auto sink = std::make_shared<result_sink>(std::move(result), std::move(progress));
  if (auto hub = whereis<mcp_hub_for_callers>(system_, mcp_hub_name))
    caf::send_as(caller_, hub, local_tool_call{std::move(call), std::move(sink)});
}

tool_result mcp_host_impl::call_tool(const troupe::call_tool& call,
                                     std::function<void(const tool_progress&)> progress) {
  return wait_for<tool_result>(
      [&](auto result) { start_call(call, std::move(result), std::move(progress)); });
}

void mcp_host_impl::call_tool(const troupe::call_tool& call,
                              std::function<void(tool_result)> done) {
  start_call(call, std::make_shared<pending<tool_result>>(std::move(done)), nullptr);
}

mcp_answer mcp_host_impl::ask(const mcp_ask& what) {
  request_job job{what, nullptr};
  if (auto bad = take_object(job.ask.params.text, errc::request_invalid, "The params"))
    return {bad, {}};
  return wait_for<mcp_answer>([&](auto result) {
    job.result = std::move(result);
    caf::anon_send(caller_, std::move(job));
  });
}

mcp_answer mcp_host_impl::read_resource(const troupe::read_resource& what) {
  return wait_for<mcp_answer>([&](auto result) {
    caf::anon_send(caller_, read_job{what, std::move(result)});
  });
}

mcp_answer mcp_host_impl::subscribe(const std::string& server, const std::string& uri, bool on) {
  return ask(
      {server, on ? "resources/subscribe" : "resources/unsubscribe", {mcp::uri_params(uri)}});
}

mcp_answer mcp_host_impl::get_prompt(const std::string& server, const std::string& prompt,
                                     const std::map<std::string, std::string>& arguments) {
  return ask({server, "prompts/get", {mcp::prompt_params(prompt, arguments)}});
}

mcp_answer mcp_host_impl::complete(const std::string& server, const mcp::completion_request& what) {
  return ask({server, "completion/complete", {mcp::completion_params(what)}});
}

attachment mcp_host_impl::attach(const add_attachment& what) {
  attachment none{"", what.server, what.uri, "",
                  "", false,       "",       failure{errc::shutting_down, ""}.text()};
  return ask_hub<attachment, resource_store_actor>(system_, resource_store_name, hub_limit, what)
      .value_or(std::move(none));
}

failure mcp_host_impl::detach(const remove_attachment& what) {
  return ask_for_failure<resource_store_actor>(system_, resource_store_name, what);
}

std::vector<attachment> mcp_host_impl::attachments(const std::string& session_id) {
  auto list = ask_hub<attachment_list, resource_store_actor>(
      system_, resource_store_name, hub_limit, list_attachments{session_id, false});
  return list ? std::move(list->attachments) : std::vector<attachment>{};
}

std::shared_ptr<void> mcp_host_impl::watch(std::function<void(const mcp_event&)> deliver,
                                           bool answers) {
  return spawn_mcp_event_callback(system_, std::move(deliver), {.answers = answers});
}

failure mcp_host_impl::answer(const client_answer& what) {
  return ask_for_failure<mcp_hub_for_watchers>(system_, mcp_hub_name, what);
}

} // namespace troupe

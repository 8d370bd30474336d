#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "actors/mcp_connection/lost_requests.hpp"
#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/logging.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

/// A transport closes a channel within this time once it has said that the session is lost.
constexpr std::chrono::seconds expiry_limit{3};

/// How often the number of dropped log messages is told.
constexpr std::chrono::seconds dropped_interval{1};

/// The data of mcp_event; see messages/mcp/mcp_messages.hpp.
struct log_data {
  std::string server;
  std::string level;
  std::string logger;
  raw_json data;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &log_data::server), field("level", &log_data::level),
                           field("logger", &log_data::logger), field("data", &log_data::data));
  }
};

struct updated_data {
  std::string server;
  std::string uri;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &updated_data::server),
                           field("uri", &updated_data::uri));
  }
};

struct elicited_data {
  std::string server;
  std::string id;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &elicited_data::server),
                           field("elicitationId", &elicited_data::id));
  }
};

std::string elicitation_id(const std::string& params) {
  json_source source{params};
  std::string_view id;
  read_members(source.root(), {{"elicitationId", &id}});
  return json_string(id);
}

} // namespace

void mcp_connection_state::tell(std::string kind, std::string data) {
  tell_hub(mcp_event{std::move(kind), config.name, {std::move(data)}});
}

// -- receiving -----------------------------------------------------------------------------------

void mcp_connection_state::on_message(jsonrpc::response& answer) {
  auto pending = requests.take(unread.request_of(answer));
  if (!pending)
    return; // late, after a cancel or a timeout; or a second one
  switch (pending->what) {
  case mcp_request::initialize:
    return on_initialized(answer);
  case mcp_request::list:
    return lists.on_page(static_cast<mcp_list>(pending->subject), answer);
  case mcp_request::call:
  case mcp_request::task_result:
    if (auto* call = calls.find(pending->subject))
      calls.on_answer(*call, answer);
    return;
  case mcp_request::poll:
    if (auto* call = calls.find(pending->subject))
      tasks.on_poll(*call, answer);
    return;
  case mcp_request::leave_task:
    return tasks.on_abandoned(answer);
  case mcp_request::upkeep:
    if (answer.is_error) {
      note(fmt::format("{} was refused: {}", pending->method, answer.error_message));
      report();
    }
    return;
  case mcp_request::ping:
    return; // that it is answered, in whatever way, is all
  }
}

void mcp_connection_state::on_message(const jsonrpc::notification& said) {
  std::string uri;
  if (said.method == "notifications/progress")
    calls.on_progress(said.params);
  else if (said.method.ends_with("/list_changed"))
    lists.on_changed(said.method);
  else if (said.method == "notifications/message")
    on_log(said.params);
  else if (said.method == "notifications/resources/updated") {
    if (!mcp::parse_updated(said.params, uri))
      tell("resourceUpdated", to_json(updated_data{config.name, uri}));
  } else if (said.method == "notifications/elicitation/complete") {
    if (auto id = elicitation_id(said.params); !id.empty())
      tell("elicitationComplete", to_json(elicited_data{config.name, id}));
  } else if (said.method == "notifications/tasks/status")
    tasks.on_task_status(said.params);
  else if (said.method == "notifications/cancelled")
    peer.on_cancelled(said.params);
}

void mcp_connection_state::on_failed(int64_t id, const failure& why, bool not_run) {
  auto pending = requests.take(id);
  if (why.code == errc::server_session_lost && !std::exchange(expired, true)) {
    connect_by = now() + expiry_limit;
    wake_by(connect_by);
  }
  if (!pending)
    return;
  auto* call = calls.find(pending->subject);
  switch (pending->what) {
  case mcp_request::initialize:
  case mcp_request::ping:
    if (!expired || pending->what == mcp_request::initialize)
      drop(why);
    return;
  case mcp_request::list:
    return lists.on_failed(static_cast<mcp_list>(pending->subject), why);
  case mcp_request::call:
    if (call && calls.on_failed(*call, why, not_run) && not_run && is_unreachable(why.code) &&
        config.type == "http" && requests.size() == 0)
      drop(why); // the others say themselves that they are gone; what waits has its chance
    return;
  case mcp_request::task_result: // the task itself goes on
    if (call)
      call->request_id = 0;
    [[fallthrough]];
  case mcp_request::poll:
    return call ? tasks.poll_later(*call) : void();
  case mcp_request::leave_task:
  case mcp_request::upkeep:
    note(fmt::format("{}: {}", pending->method, why.text()));
    return report();
  }
}

void mcp_connection_state::on_log(const std::string& params) {
  if (!log_limit.passes(now())) // before it costs anything more
    return wake_by(now() + dropped_interval);
  mcp::log_message said;
  if (mcp::parse(params, said))
    return;
  tell("log", to_json(log_data{config.name, said.level, said.logger, {said.data}}));
}

void mcp_connection_state::tell_dropped_logs() {
  auto count = log_limit.take_dropped();
  if (count == 0)
    return;
  auto text = fmt::format("{} more log messages of this server were dropped", count);
  tell("log", to_json(log_data{config.name, "warning", "troupe", {to_json(text)}}));
}

// -- time ----------------------------------------------------------------------------------------

void mcp_connection_state::on_tick() {
  auto at = now();
  if (!alarm.rings(at))
    return;
  tell_dropped_logs();
  if (connect_by <= at)
    drop(expired ? failure{errc::server_session_lost, ""}
                 : failure{errc::deadline_exceeded,
                           fmt::format("it did not answer initialize within {} ms",
                                       connect_limit(config).count())});
  expire_requests(at);
  calls.expire(at);
  tasks.poll_due(at);
  lists.read_due(at);
  ping_if_silent(at);
  wake_by(std::min({connect_by, requests.next_deadline(), calls.next_due(), lists.due()}));
}

void mcp_connection_state::expire_requests(clock::time_point at) {
  for (auto id : requests.overdue(at)) {
    auto late = requests.take(id);
    if (!late)
      continue; // gone with the connection that an earlier one dropped
    failure why{errc::deadline_exceeded, fmt::format("{} was not answered within {} ms",
                                                     late->method, config.request_timeout.count())};
    if (late->what == mcp_request::ping)
      return drop(why);
    if (late->what == mcp_request::list) {
      lists.on_failed(static_cast<mcp_list>(late->subject), why);
    } else {
      note(why.message);
      report();
    }
  }
}

void mcp_connection_state::ping_if_silent(clock::time_point at) {
  if (config.ping_interval.count() <= 0 || status.phase != server_phase::connected || expired)
    return;
  auto due = heard_at + config.ping_interval;
  if (at >= due) {
    if (!requests.find(ping_id))
      ping_id = request({mcp_request::ping, 0, "ping", at + config.request_timeout}, "");
    due = at + config.ping_interval;
  }
  wake_by(due);
}

} // namespace troupe

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/config.hpp"
#include "apps/engine/http/requests/http_reply.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "apps/engine/http/routes/mcp/mcp_event_stream.hpp"
#include "apps/engine/http/routes/mcp/mcp_request_bodies.hpp"
#include "apps/engine/http/routes/mcp/tool_call_reply.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/json.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/server_status.hpp"
#include "messages/wire/mcp/mcp_view.hpp"

namespace troupe {

// -- mcp replies ----------------------------------------------------------------------------------

namespace {

/// Answers with one server as GET /v1/mcp/servers/{name} shows it, or server_unknown.
void show_server(http_reply& out, const std::string& name, server_detail how = server_detail::all);

/// Sends a change to the hub, then answers with the server's new state.
template <class Change>
void reply_with_change(http_call& in, Change what) {
  spawn_http_reply(in, [what = std::move(what), name = in.ids[0]](http_reply& out) {
    out.ask<failure, mcp_hub_for_operators>(mcp_hub_name, what, [&out, name](failure& why) {
      if (why)
        out.refuse(why);
      else
        show_server(out, name);
    });
  });
}

/// Asks an actor for an Answer, such as mcp_answer or attachment_list, and calls `write` with it.
template <class Answer, class Hub, class Ask>
void reply_with(http_call& in, caf::atom_value hub_name, Ask what,
                std::function<void(http_reply&, Answer&)> write) {
  spawn_http_reply(in, [=, what = std::move(what)](http_reply& out) {
    out.ask<Answer, Hub>(hub_name, what, [&out, write](Answer& answer) { write(out, answer); });
  });
}

/// Writes the result of an MCP request, or its error.
void write_result(http_reply& out, mcp_answer& answer);

const server_status* find(const server_list& list, std::string_view name) {
  auto found = std::find_if(list.servers.begin(), list.servers.end(),
                            [name](const auto& each) { return each.name == name; });
  return found == list.servers.end() ? nullptr : &*found;
}

failure unknown(const server_list& list, const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& each : list.servers)
    names.push_back(each.name);
  return {errc::server_unknown,
          fmt::format("There is no MCP server '{}'; there are: {}.", name,
                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

/// Asks the hub for all servers.
void ask_servers(http_reply& out, std::function<void(server_list&)> then) {
  out.ask<server_list, mcp_hub_for_callers>(mcp_hub_name, atom::status_v, std::move(then));
}

/// Answers with what `render` makes of all servers.
void reply_with_servers(http_call& in, std::function<std::string(const server_list&)> render) {
  spawn_http_reply(in, [render = std::move(render)](http_reply& out) {
    ask_servers(out, [&out, render](server_list& list) { out.send(render(list)); });
  });
}

/// As reply_with_servers, for the query's `server`, which must exist; "" = all servers.
void reply_with_offer(http_call& in, std::string (*render)(const server_list&, std::string_view)) {
  spawn_http_reply(in, [render, server = query_value(in.request.query, "server")](auto& out) {
    ask_servers(out, [&out, render, server](server_list& list) {
      if (!server.empty() && find(list, server) == nullptr)
        out.refuse(unknown(list, server));
      else
        out.send(render(list, server));
    });
  });
}

void show_server(http_reply& out, const std::string& name, server_detail how) {
  ask_servers(out, [&out, name, how](server_list& list) {
    if (const auto* server = find(list, name))
      out.send(server_json(*server, how));
    else
      out.refuse(unknown(list, name));
  });
}

/// Asks a server and answers with its result as it is.
void reply_with_result(http_call& in, mcp_ask what) {
  reply_with<mcp_answer, mcp_hub_for_callers>(in, mcp_hub_name, std::move(what), write_result);
}

void write_result(http_reply& out, mcp_answer& answer) {
  if (answer.error)
    out.refuse(answer.error);
  else
    out.send(answer.result.text.empty() ? "{}" : std::move(answer.result.text));
}

/// Writes {} when there is no failure.
void write_done(http_reply& out, failure& why) {
  if (why)
    out.refuse(why);
  else
    out.send("{}");
}

// -- mcp routes -----------------------------------------------------------------------------------

using std::chrono::steady_clock;

// -- servers -------------------------------------------------------------------------------------

server_detail detail_for(const principal& who) {
  if (who.admin)
    return server_detail::all;
  return who.inner_texts ? server_detail::no_log : server_detail::no_error_text;
}

void get_servers(http_call& in) {
  reply_with_servers(
      in, [how = detail_for(in.who)](const server_list& list) { return servers_json(list, how); });
}

void get_server(http_call& in) {
  spawn_http_reply(in, [name = in.ids[0], how = detail_for(in.who)](http_reply& out) {
    show_server(out, name, how);
  });
}

void put_one_server(http_call& in) {
  put_server what;
  if (auto bad = parse_server(in.ids[0], in.request.body, what.config))
    return send_error(*in.response, {errc::request_invalid, bad.message});
  reply_with_change(in, std::move(what));
}

void patch_server(http_call& in) {
  bool enabled = true;
  if (auto bad = parse_enabled(in.request.body, enabled))
    return send_error(*in.response, bad);
  reply_with_change(in,
                    change_server{in.ids[0], enabled ? server_verb::enable : server_verb::disable});
}

void delete_server(http_call& in) {
  reply_with<failure, mcp_hub_for_operators>(
      in, mcp_hub_name, change_server{in.ids[0], server_verb::remove}, write_done);
}

void retry_server(http_call& in) {
  if (auto bad = parse_empty(in.request.body))
    return send_error(*in.response, bad);
  reply_with_change(in, change_server{in.ids[0], server_verb::retry});
}

/// Says how long the server took.
void ping_server(http_call& in) {
  if (auto bad = parse_empty(in.request.body))
    return send_error(*in.response, bad);
  spawn_http_reply(in, [server = in.ids[0], begun = steady_clock::now()](http_reply& out) {
    out.ask<mcp_answer, mcp_hub_for_callers>(
        mcp_hub_name, mcp_ask{server, "ping", {}}, [&out, begun](mcp_answer& answer) {
          if (answer.error)
            return out.refuse(answer.error);
          std::chrono::duration<double, std::milli> took = steady_clock::now() - begun;
          out.send(fmt::format(R"({{"milliseconds":{:.3f}}})", took.count()));
        });
  });
}

// -- what servers offer --------------------------------------------------------------------------

void get_tools(http_call& in) {
  reply_with_offer(in, tools_json);
}

void get_resources(http_call& in) {
  reply_with_offer(in, resources_json);
}

void get_prompts(http_call& in) {
  reply_with_offer(in, prompts_json);
}

void post_call(http_call& in) {
  call_tool what;
  if (auto bad = parse_tool_call(in.request.body, what))
    return send_error(*in.response, bad);
  if (auto bad = check_chat_id(what.session_id, "sessionId"))
    return send_error(*in.response, bad);
  spawn_tool_call_reply(in, std::move(what));
}

void post_read(http_call& in) {
  read_resource what;
  if (auto bad = parse_read(in.request.body, what))
    return send_error(*in.response, bad);
  reply_with<mcp_answer, resource_store_actor>(in, resource_store_name, std::move(what),
                                               write_result);
}

/// Sends a server the request that `parse` reads from the body.
template <class Parse>
void post_ask(http_call& in, Parse parse) {
  mcp_ask what;
  if (auto bad = parse(in.request.body, what))
    return send_error(*in.response, bad);
  reply_with_result(in, std::move(what));
}

void post_subscribe(http_call& in) {
  post_ask(in, [](auto body, auto& out) {
    return parse_subscription(body, "resources/subscribe", out);
  });
}

void post_unsubscribe(http_call& in) {
  post_ask(in, [](auto body, auto& out) {
    return parse_subscription(body, "resources/unsubscribe", out);
  });
}

void post_prompt(http_call& in) {
  post_ask(in, parse_prompt);
}

void post_complete(http_call& in) {
  post_ask(in, parse_completion);
}

void post_log_level(http_call& in) {
  post_ask(in, parse_log_level);
}

void post_request(http_call& in) {
  post_ask(in, parse_request);
}

// -- events, and questions of servers ------------------------------------------------------------

void get_mcp_events(http_call& in) {
  auto answers = query_value(in.request.query, "answers");
  if (!answers.empty() && answers != "true" && answers != "false")
    return send_error(*in.response, {errc::request_invalid, "answers must be true or false"});
  spawn_mcp_event_stream(in, answers == "true");
}

void post_client_answer(http_call& in) {
  client_answer what;
  if (auto bad = parse_client_answer(in.request.body, what))
    return send_error(*in.response, bad);
  what.request_id = in.chat(in.ids[0]);
  reply_with<failure, mcp_hub_for_watchers>(
      in, mcp_hub_name, what,
      [what, of_all = in.ids[0], admin = in.who.admin](http_reply& out, failure& why) mutable {
        if (why.code != errc::not_found || !admin)
          return write_done(out, why);
        what.request_id = std::move(of_all); // the question may belong to no chat
        out.ask<failure, mcp_hub_for_watchers>(mcp_hub_name, what,
                                               [&out](failure& then) { write_done(out, then); });
      });
}

// -- attachments of a chat -----------------------------------------------------------------------

void write_attachment(http_reply& out, attachment& what) {
  if (what.id.empty())
    out.refuse({errc::request_invalid, what.error});
  else
    out.send(to_json(what));
}

void write_attachments(http_reply& out, attachment_list& list) {
  out.send(to_json(list));
}

void post_attachment(http_call& in) {
  add_attachment what;
  if (auto bad = parse_attachment(in.request.body, what))
    return send_error(*in.response, bad);
  what.session_id = in.chat(in.ids[0]);
  reply_with<attachment, resource_store_actor>(in, resource_store_name, std::move(what),
                                               write_attachment);
}

void get_attachments(http_call& in) {
  reply_with<attachment_list, resource_store_actor>(
      in, resource_store_name, list_attachments{in.chat(in.ids[0]), false}, write_attachments);
}

void delete_attachment(http_call& in) {
  reply_with<failure, resource_store_actor>(
      in, resource_store_name, remove_attachment{in.chat(in.ids[0]), in.ids[1]}, write_done);
}

constexpr std::array mcp_rows{
    http_route{"GET", "/v1/mcp/servers", get_servers},
    http_route{"GET", "/v1/mcp/servers/{}", get_server},
    http_route{"PUT", "/v1/mcp/servers/{}", put_one_server, route_access::admins},
    http_route{"PATCH", "/v1/mcp/servers/{}", patch_server, route_access::admins},
    http_route{"DELETE", "/v1/mcp/servers/{}", delete_server, route_access::admins},
    http_route{"POST", "/v1/mcp/servers/{}/retry", retry_server, route_access::admins},
    http_route{"POST", "/v1/mcp/servers/{}/ping", ping_server},
    http_route{"GET", "/v1/mcp/tools", get_tools},
    http_route{"POST", "/v1/mcp/tools/call", post_call},
    http_route{"GET", "/v1/mcp/resources", get_resources},
    http_route{"POST", "/v1/mcp/resources/read", post_read},
    http_route{"POST", "/v1/mcp/resources/subscribe", post_subscribe},
    http_route{"POST", "/v1/mcp/resources/unsubscribe", post_unsubscribe,
               route_access::admins}, // a subscription is everybody's
    http_route{"GET", "/v1/mcp/prompts", get_prompts},
    http_route{"POST", "/v1/mcp/prompts/get", post_prompt},
    http_route{"POST", "/v1/mcp/complete", post_complete},
    http_route{"POST", "/v1/mcp/log-level", post_log_level, route_access::admins},
    http_route{"POST", "/v1/mcp/request", post_request, route_access::admins},
    http_route{"GET", "/v1/mcp/events", get_mcp_events},
    http_route{"POST", "/v1/mcp/requests/{}", post_client_answer},
    http_route{"POST", "/v1/sessions/{}/attachments", post_attachment},
    http_route{"GET", "/v1/sessions/{}/attachments", get_attachments},
    http_route{"DELETE", "/v1/sessions/{}/attachments/{}", delete_attachment},
};

} // namespace

route_table mcp_routes() {
  return mcp_rows;
}

} // namespace troupe

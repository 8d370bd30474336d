#include "apps/engine/http/routes/mcp/mcp_replies.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

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
  out.ask<server_list, mcp_hub_actor>(mcp_hub_name, atom::status_v, std::move(then));
}

} // namespace

void reply_with_servers(http_call& in, std::function<std::string(const server_list&)> render) {
  spawn_http_reply(in, [render = std::move(render)](http_reply& out) {
    ask_servers(out, [&out, render](server_list& list) { out.send(render(list)); });
  });
}

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

void reply_with_result(http_call& in, mcp_ask what) {
  reply_with<mcp_answer, mcp_hub_actor>(in, mcp_hub_name, std::move(what), write_result);
}

void write_result(http_reply& out, mcp_answer& answer) {
  if (answer.error)
    out.refuse(answer.error);
  else
    out.send(answer.result.text.empty() ? "{}" : std::move(answer.result.text));
}

void write_done(http_reply& out, failure& why) {
  if (why)
    out.refuse(why);
  else
    out.send("{}");
}

} // namespace troupe

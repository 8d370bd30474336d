// The forms in which /v1/mcp answers.
#pragma once

#include <functional>
#include <string>

#include "apps/engine/http/requests/http_reply.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/server_status.hpp"
#include "messages/wire/mcp/mcp_view.hpp"

namespace troupe {

/// Answers with what `render` makes of all servers.
void reply_with_servers(http_call& in, std::function<std::string(const server_list&)> render);

/// As reply_with_servers, for the query's `server`, which must exist; "" = all servers.
void reply_with_offer(http_call& in, std::string (*render)(const server_list&, std::string_view));

/// Answers with one server as GET /v1/mcp/servers/{name} shows it, or server_unknown.
void show_server(http_reply& out, const std::string& name, server_detail how = server_detail::all);

/// Sends a change to the hub, then answers with the server's new state.
template <class Change>
void reply_with_change(http_call& in, Change what) {
  spawn_http_reply(in, [what = std::move(what), name = in.ids[0]](http_reply& out) {
    out.ask<failure, mcp_hub_actor>(mcp_hub_name, what, [&out, name](failure& why) {
      if (why)
        out.refuse(why);
      else
        show_server(out, name);
    });
  });
}

/// Asks a server and answers with its result as it is.
void reply_with_result(http_call& in, mcp_ask what);

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

/// Writes {} when there is no failure.
void write_done(http_reply& out, failure& why);

} // namespace troupe

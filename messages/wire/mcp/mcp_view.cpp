#include "messages/wire/mcp/mcp_view.hpp"

#include "messages/json_object.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

bool is_absent(const std::string& text) {
  return text.empty();
}

bool is_absent(const raw_json& value) {
  return value.text.empty();
}

bool is_absent(uint64_t number) {
  return number == 0;
}

template <class T>
bool is_absent(const T&) {
  return false;
}

template <class T>
void append_shown(json_buffer& out, const T& value) {
  append_json(out, value);
}

void append_shown(json_buffer& out, const std::vector<mcp::prompt_argument>& arguments);

/// Appends the members that are present.
template <described T>
void add_present(json_object& out, const T& value) {
  for_each_field(value, [&](const char* name, const auto& member) {
    if (!is_absent(member))
      append_shown(out.key(name), member);
  });
}

void append_shown(json_buffer& out, const std::vector<mcp::prompt_argument>& arguments) {
  json_array all{out};
  for (const auto& each : arguments) {
    auto argument = all.object();
    add_present(argument, each);
  }
}

/// Writes `"name":[...]` with the entries that `list` has for each server: the server's name, then
/// the present members.
/// @param server only entries of this one; "" = all
template <class List>
void add_list(json_object& out, std::string_view name, const server_list& from,
              std::string_view server, List list) {
  auto all = out.array(name);
  for (const auto& of : from.servers)
    if (server.empty() || of.name == server)
      for (const auto& each : list(of)) {
        auto entry = all.object();
        add_present(entry.member("server", of.name), each);
      }
}

std::string error_text(const server_status& server, server_detail how) {
  if (how == server_detail::no_error_text)
    return std::string{user_text(server.error)};
  auto text = failure{server.error, server.error_text}.text();
  return how == server_detail::all ? text : without_stderr_tail(text);
}

void append_server(json_buffer& out, const server_status& server, server_detail how) {
  json_object all{out};
  all.member("name", server.name)
      .member("type", server.type)
      .member("enabled", server.enabled)
      .given("node", server.node)
      .member("health", server.health)
      .member("phase", server.phase)
      .member("serverName", server.server_name)
      .member("serverTitle", server.server_title)
      .member("serverVersion", server.server_version)
      .member("protocolVersion", server.protocol_version)
      .member("instructions", server.instructions)
      .member("capabilities", server.capabilities)
      .member("attempt", server.attempt)
      .member("connectMs", server.connect_ms);
  if (server.error == errc::none)
    all.raw("error", "null");
  else
    all.object("error").member("code", server.error).member("message", error_text(server, how));
  using log_lines = std::decay_t<decltype(server.log->lines)>;
  all.member("tools", server.offered->tools.size())
      .member("resources", server.resources->resources.size())
      .member("resourceTemplates", server.resources->templates.size())
      .member("prompts", server.prompts->prompts.size())
      .member("log", how == server_detail::all ? server.log->lines : log_lines{});
}

} // namespace

std::string server_json(const server_status& server, server_detail how) {
  json_buffer out;
  append_server(out, server, how);
  return std::string{view(out)};
}

std::string servers_json(const server_list& list, server_detail how) {
  return json_text([&](json_object& out) {
    out.array("servers").each(list.servers, [how](json_buffer& all, const server_status& each) {
      append_server(all, each, how);
    });
    out.member("activeFlows", list.active_flows);
  });
}

std::string tools_json(const server_list& list, std::string_view server) {
  return json_text([&](json_object& out) {
    add_list(
        out, "tools", list, server,
        [](const server_status& of) -> auto& { return of.offered->tools; });
  });
}

std::string resources_json(const server_list& list, std::string_view server) {
  return json_text([&](json_object& out) {
    add_list(
        out, "resources", list, server,
        [](const server_status& of) -> auto& { return of.resources->resources; });
    add_list(
        out, "resourceTemplates", list, server,
        [](const server_status& of) -> auto& { return of.resources->templates; });
  });
}

std::string prompts_json(const server_list& list, std::string_view server) {
  return json_text([&](json_object& out) {
    add_list(
        out, "prompts", list, server,
        [](const server_status& of) -> auto& { return of.prompts->prompts; });
  });
}

std::string event_stream_text(const mcp_event& event) {
  json_buffer out;
  append_raw(out, "event: ");
  append_raw(out, event.kind);
  append_raw(out, "\ndata: ");
  auto data = out.size();
  append_json(out, event.data);
  keep_on_one_line(out, data);
  append_raw(out, "\n\n");
  return std::string{view(out)};
}

} // namespace troupe

#include "messages/wire/mcp/mcp_view.hpp"

#include "messages/json.hpp"
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

template <described T>
void append_present(json_buffer& out, const T& value, std::string_view before);

template <class T>
void append_member(json_buffer& out, const T& value) {
  append_json(out, value);
}

void append_member(json_buffer& out, const std::vector<mcp::prompt_argument>& arguments) {
  out.push_back('[');
  for (const auto& each : arguments) {
    append_raw(out, &each == &arguments.front() ? "{" : ",{");
    append_present(out, each, "");
    out.push_back('}');
  }
  out.push_back(']');
}

/// Appends the members that are present, without braces. @param before text before the first one
template <described T>
void append_present(json_buffer& out, const T& value, std::string_view before) {
  for_each_field(value, [&](const char* name, const auto& member) {
    if (is_absent(member))
      return;
    append_raw(out, before);
    before = ",";
    append_json(out, name);
    out.push_back(':');
    append_member(out, member);
  });
}

/// Appends one entry of a list: the server's name, then the present members of `value`.
template <described T>
void append_entry(json_buffer& out, std::string_view server, const T& value) {
  append_raw(out, R"({"server":)");
  append_json(out, server);
  append_present(out, value, ",");
  out.push_back('}');
}

/// A JSON array that is written entry by entry.
class entries {
public:
  explicit entries(json_buffer& out) : out_{out} { out_.push_back('['); }
  ~entries() { out_.push_back(']'); }
  entries(const entries&) = delete;
  entries& operator=(const entries&) = delete;

  template <class T>
  void add(std::string_view server, const std::vector<T>& values) {
    for (const auto& each : values) {
      append_raw(out_, between_);
      append_entry(out_, server, each);
      between_ = ",";
    }
  }

private:
  json_buffer& out_;
  std::string_view between_;
};

/// Writes `"name":[...]` with the entries that `list` writes for each server.
/// @param server only entries of this one; "" = all
template <class List>
void append_list(json_buffer& out, std::string_view name, const server_list& from,
                 std::string_view server, List list) {
  append_json(out, name);
  out.push_back(':');
  entries all{out};
  for (const auto& each : from.servers)
    if (server.empty() || each.name == server)
      all.add(each.name, list(each));
}

template <class T>
void append_named(json_buffer& out, std::string_view name, const T& value) {
  out.push_back(',');
  append_json(out, name);
  out.push_back(':');
  append_json(out, value);
}

std::string error_text(const server_status& server, server_detail how) {
  if (how == server_detail::no_error_text)
    return std::string{user_text(server.error)};
  auto text = failure{server.error, server.error_text}.text();
  return how == server_detail::all ? text : without_stderr_tail(text);
}

void append_error(json_buffer& out, const server_status& server, server_detail how) {
  append_raw(out, R"(,"error":)");
  if (server.error == errc::none) {
    append_raw(out, "null");
    return;
  }
  append_raw(out, R"({"code":)");
  append_json(out, server.error);
  append_named(out, "message", error_text(server, how));
  out.push_back('}');
}

void append_server(json_buffer& out, const server_status& server, server_detail how) {
  append_raw(out, R"({"name":)");
  append_json(out, server.name);
  append_named(out, "type", server.type);
  append_named(out, "enabled", server.enabled);
  if (!server.node.empty())
    append_named(out, "node", server.node);
  append_named(out, "health", server.health);
  append_named(out, "phase", server.phase);
  append_named(out, "serverName", server.server_name);
  append_named(out, "serverTitle", server.server_title);
  append_named(out, "serverVersion", server.server_version);
  append_named(out, "protocolVersion", server.protocol_version);
  append_named(out, "instructions", server.instructions);
  append_named(out, "capabilities", server.capabilities);
  append_named(out, "attempt", server.attempt);
  append_named(out, "connectMs", server.connect_ms);
  append_error(out, server, how);
  append_named(out, "tools", server.offered->tools.size());
  append_named(out, "resources", server.resources->resources.size());
  append_named(out, "resourceTemplates", server.resources->templates.size());
  append_named(out, "prompts", server.prompts->prompts.size());
  using log_lines = std::decay_t<decltype(server.log->lines)>;
  append_named(out, "log", how == server_detail::all ? server.log->lines : log_lines{});
  out.push_back('}');
}

} // namespace

std::string server_json(const server_status& server, server_detail how) {
  json_buffer out;
  append_server(out, server, how);
  return std::string{view(out)};
}

std::string servers_json(const server_list& list, server_detail how) {
  json_buffer out;
  append_raw(out, R"({"servers":[)");
  for (const auto& each : list.servers) {
    if (&each != &list.servers.front())
      out.push_back(',');
    append_server(out, each, how);
  }
  append_raw(out, R"(],"activeFlows":)");
  append_json(out, list.active_flows);
  out.push_back('}');
  return std::string{view(out)};
}

std::string tools_json(const server_list& list, std::string_view server) {
  json_buffer out;
  out.push_back('{');
  append_list(
      out, "tools", list, server,
      [](const server_status& of) -> auto& { return of.offered->tools; });
  out.push_back('}');
  return std::string{view(out)};
}

std::string resources_json(const server_list& list, std::string_view server) {
  json_buffer out;
  out.push_back('{');
  append_list(
      out, "resources", list, server,
      [](const server_status& of) -> auto& { return of.resources->resources; });
  out.push_back(',');
  append_list(
      out, "resourceTemplates", list, server,
      [](const server_status& of) -> auto& { return of.resources->templates; });
  out.push_back('}');
  return std::string{view(out)};
}

std::string prompts_json(const server_list& list, std::string_view server) {
  json_buffer out;
  out.push_back('{');
  append_list(
      out, "prompts", list, server,
      [](const server_status& of) -> auto& { return of.prompts->prompts; });
  out.push_back('}');
  return std::string{view(out)};
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

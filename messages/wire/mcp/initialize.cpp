#include "messages/wire/mcp/initialize.hpp"

#include <algorithm>
#include <array>

#include "messages/json_object.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

constexpr std::array<std::string_view, 4> revisions{"2024-11-05", "2025-03-26", "2025-06-18",
                                                    latest_revision};

bool is_offered(std::string_view value) {
  return !is_nothing(value) && value != "false";
}

bool offers(std::string_view object, std::string_view key) {
  std::string_view value;
  read_members(object, {{key, &value}});
  return is_offered(value);
}

void read_tasks(std::string_view tasks, server_capabilities& out) {
  std::string_view requests, tools;
  read_members(tasks, {{"requests", &requests}});
  read_members(requests, {{"tools", &tools}});
  out.task_calls = offers(tools, "call");
}

void read_capabilities(std::string_view capabilities, server_capabilities& out) {
  std::string_view resources, tasks;
  read_members(capabilities, {{"resources", &resources}, {"tasks", &tasks}});
  out.tools = offers(capabilities, "tools");
  out.resources = is_offered(resources);
  out.resources_subscribe = offers(resources, "subscribe");
  out.prompts = offers(capabilities, "prompts");
  out.logging = offers(capabilities, "logging");
  out.completions = offers(capabilities, "completions");
  out.tasks = is_offered(tasks);
  read_tasks(tasks, out);
}

void append_capabilities(json_buffer& out, const client_capabilities& declared) {
  json_object all{out};
  if (declared.roots)
    all.raw("roots", R"({"listChanged":true})");
  if (declared.sampling)
    all.raw("sampling", R"({"tools":{}})");
  if (declared.elicitation)
    all.raw("elicitation", R"({"form":{},"url":{}})");
  if (!declared.sampling && !declared.elicitation)
    return;
  auto tasks = all.object("tasks");
  auto requests = tasks.raw("list", "{}").raw("cancel", "{}").object("requests");
  if (declared.sampling)
    requests.raw("sampling", R"({"createMessage":{}})");
  if (declared.elicitation)
    requests.raw("elicitation", R"({"create":{}})");
}

} // namespace

bool speaks(std::string_view revision) {
  return std::find(revisions.begin(), revisions.end(), revision) != revisions.end();
}

std::string initialize_params(std::string_view client_version,
                              const client_capabilities& declared) {
  return json_text([&](json_object& out) {
    append_capabilities(out.member("protocolVersion", latest_revision).key("capabilities"),
                        declared);
    out.object("clientInfo")
        .member("name", "troupe")
        .member("title", "Troupe")
        .member("version", client_version);
  });
}

failure parse(std::string_view result, initialize_result& out) {
  json_source source{result};
  if (auto bad = check_object("initialize", source))
    return bad;
  std::string_view version, capabilities, server, instructions;
  read_members(source.root(), {{"protocolVersion", &version},
                               {"capabilities", &capabilities},
                               {"serverInfo", &server},
                               {"instructions", &instructions}});
  if (kind_of(version) != json_kind::string)
    return broken("initialize", "there is no protocolVersion");
  out = {};
  out.protocol_version = json_string(version);
  if (!speaks(out.protocol_version))
    return {errc::server_protocol, "the server speaks revision \"" + out.protocol_version +
                                       "\" of MCP, which Troupe does not"};
  std::string_view name, title, server_version;
  read_members(server, {{"name", &name}, {"title", &title}, {"version", &server_version}});
  out.server_name = json_string(name);
  out.server_title = json_string(title);
  out.server_version = json_string(server_version);
  out.instructions = json_string(instructions);
  read_capabilities(capabilities, out.capabilities);
  return {};
}

} // namespace troupe::mcp

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "apps/engine/engine.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/engine_options.hpp"
#include "messages/json.hpp"

namespace troupe {

namespace {

/// How long servers may take to connect before a command goes on without them.
constexpr std::chrono::seconds connect_limit{15};

struct mcp_options {
  engine_options engine;
  bool json = false;
  std::string server;
  std::string tool;
  std::string arguments{"{}"};
};

/// Starts an engine from the options and runs `action` on it.
template <class Action>
int with_engine(const mcp_options& options, Action action) {
  engine_config config;
  if (auto bad = options.engine.load(config)) {
    fmt::print(stderr, "troupe: {}\n", bad.text());
    return exit_usage;
  }
  config.shards = 1;
  if (config.mcp_servers.empty())
    fmt::print(stderr, "troupe: no MCP server is configured; name a file with --config\n");
  engine running{config};
  running.wait_for_servers(connect_limit);
  auto code = action(running);
  running.shutdown(std::chrono::milliseconds{0});
  return code;
}

void print_servers_json(const std::vector<server_info>& servers) {
  json_buffer out;
  out.push_back('[');
  for (const auto& each : servers) {
    append_raw(out, out.size() > 1 ? ",{" : "{");
    append_raw(out, R"("name":)");
    append_json(out, each.name);
    append_raw(out, R"(,"health":)");
    append_json(out, each.health);
    append_raw(out, R"(,"phase":)");
    append_json(out, each.phase);
    append_raw(out, R"(,"serverName":)");
    append_json(out, each.server_name);
    append_raw(out, R"(,"protocolVersion":)");
    append_json(out, each.protocol_version);
    append_raw(out, R"(,"tools":)");
    append_json(out, each.tools.size());
    append_raw(out, R"(,"error":)");
    append_json(out, each.error ? each.error.text() : "");
    out.push_back('}');
  }
  fmt::print("{}]\n", view(out));
}

int list(const mcp_options& options, engine& running) {
  auto servers = running.servers();
  if (options.json) {
    print_servers_json(servers);
  } else {
    for (const auto& each : servers)
      fmt::print("{:<20} {:<11} {:<20} {:>3} tools  {}\n", each.name, each.health, each.phase,
                 each.tools.size(), each.error ? each.error.text() : each.server_name);
  }
  auto failed = std::any_of(servers.begin(), servers.end(),
                            [](const auto& each) { return each.health != "success"; });
  return failed ? exit_failed : 0;
}

void append_tool(json_buffer& out, const std::string& server, const mcp::tool& tool) {
  append_raw(out, out.size() > 1 ? ",{" : "{");
  append_raw(out, R"("server":)");
  append_json(out, server);
  append_raw(out, R"(,"name":)");
  append_json(out, tool.name);
  append_raw(out, R"(,"description":)");
  append_json(out, tool.description);
  append_raw(out, R"(,"inputSchema":)");
  append_raw(out, tool.input_schema);
  out.push_back('}');
}

void print_tool(const std::string& server, const mcp::tool& tool) {
  auto line = tool.description.substr(0, tool.description.find('\n'));
  fmt::print("{:<20} {:<32} {}\n", server, tool.name, line);
}

int tools(const mcp_options& options, engine& running) {
  bool failed = false;
  json_buffer json;
  json.push_back('[');
  for (const auto& server : running.servers()) {
    if (!options.server.empty() && server.name != options.server)
      continue;
    for (const auto& tool : server.tools)
      if (options.json)
        append_tool(json, server.name, tool);
      else
        print_tool(server.name, tool);
    if (server.health != "success") {
      fmt::print(stderr, "troupe: MCP server '{}': {}\n", server.name, server.error.text());
      failed = true;
    }
  }
  if (options.json)
    fmt::print("{}]\n", view(json));
  return failed ? exit_failed : 0;
}

int call(const mcp_options& options, engine& running) {
  auto result = running.call_tool(options.server, options.tool, options.arguments);
  if (options.json && !result.result.text.empty())
    fmt::print("{}\n", result.result.text);
  else if (!result.error)
    fmt::print("{}\n", result.text);
  if (result.error)
    fmt::print(stderr, "troupe: {}\n", result.error.text());
  return result.error ? exit_failed : 0;
}

CLI::App* add_action(CLI::App& parent, const std::shared_ptr<mcp_options>& options, command& chosen,
                     const char* name, const char* help,
                     int (*action)(const mcp_options&, engine&)) {
  auto* sub = parent.add_subcommand(name, help);
  options->engine.add_to(*sub);
  sub->add_flag("--json", options->json, "Print JSON");
  sub->callback([options, &chosen, action] {
    chosen = [options, action] {
      return with_engine(*options, [&](engine& running) { return action(*options, running); });
    };
  });
  return sub;
}

} // namespace

void add_mcp(CLI::App& app, command& chosen) {
  auto options = std::make_shared<mcp_options>();
  auto* mcp = app.add_subcommand("mcp", "Look at MCP servers and call their tools");
  mcp->require_subcommand(1);
  add_action(*mcp, options, chosen, "list", "List the servers and their health", list);
  auto* listing = add_action(*mcp, options, chosen, "tools", "List the tools", tools);
  listing->add_option("SERVER", options->server, "Only this server's");
  auto* calling = add_action(*mcp, options, chosen, "call", "Call a tool", call);
  calling->add_option("SERVER", options->server, "Key of mcpServers")->required();
  calling->add_option("TOOL", options->tool, "The tool's name on that server")->required();
  calling->add_option("JSON", options->arguments, "Arguments, a JSON object");
}

} // namespace troupe

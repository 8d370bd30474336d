#include <string>

#include <fmt/format.h>

#include "apps/engine/config.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/mcp/mcp_command_bodies.hpp"
#include "apps/troupe/mcp/mcp_verbs.hpp"
#include "apps/troupe/settings_file.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

namespace {

int complain(const std::string& what) {
  fmt::print(stderr, "troupe: {}\n", what);
  return exit_usage;
}

int complain_of_no_file() {
  return complain("name the configuration file with --config, or a running server with --server");
}

/// @param server whose notes are said on stderr; empty: none
failure config_fault(const std::string& text, const std::string& server = {}) {
  engine_config parsed;
  auto bad = parse_config(text, parsed, config_use::servers);
  const auto path = fmt::format("mcpServers.{}", server);
  for (const auto& each : parsed.notes)
    if (!server.empty() && (each.starts_with(path + '.') || each.starts_with(path + ' ')))
      complain(terminal_text(each, true));
  return bad;
}

/// Changes one entry of the file of --config; the result must be a valid configuration.
/// @param takes_away the change removes or disables a server: a file that is not valid may stay so
int change_file(const mcp_options& options, const std::string& entry, bool takes_away) {
  const auto& path = options.engine.config_file;
  if (path.empty())
    return complain_of_no_file();
  std::string text;
  if (auto bad = read_settings(path, text))
    return complain(bad.text());
  const auto before = config_fault(text);
  if (auto bad = change_mcp_server(text, options.server, entry))
    return complain(path + ": " + bad.text());
  const auto after = config_fault(text, entry.empty() ? "" : options.server);
  if (after && !(takes_away && before))
    return complain(after.text());
  if (auto bad = write_settings(path, text))
    return complain(bad.text());
  if (after)
    fmt::print(stderr, "troupe: done, but the file is still not valid: {}\n", after.text());
  return 0;
}

int tell_server(const mcp_options& options, std::string_view method, const std::string& body) {
  server_client server{options.url};
  auto answer = server.send(method, "/v1/mcp/servers/" + path_segment(options.server), body);
  if (answer.ok())
    return 0;
  fmt::print(stderr, "troupe: {}\n", answer.complaint());
  return exit_failed;
}

int set_enabled(const mcp_options& options, bool enabled) {
  if (!options.url.empty())
    return tell_server(options, "PATCH", enabled ? R"({"enabled":true})" : R"({"enabled":false})");
  if (options.engine.config_file.empty())
    return complain_of_no_file();
  std::string text;
  if (auto bad = read_settings(options.engine.config_file, text))
    return complain(bad.text());
  auto entry = mcp_server_entry(text, options.server);
  if (entry.empty())
    return complain(fmt::format("there is no MCP server '{}' in {}", options.server,
                                options.engine.config_file));
  if (entry.front() != '{')
    return complain(fmt::format("the entry of '{}' in {} is no object", options.server,
                                options.engine.config_file));
  return change_file(options, with_enabled(entry, enabled), !enabled);
}

} // namespace

int add_server(const mcp_options& options) {
  auto entry = server_entry(options);
  return options.url.empty() ? change_file(options, entry, false)
                             : tell_server(options, "PUT", entry);
}

int remove_server(const mcp_options& options) {
  return options.url.empty() ? change_file(options, "", true) : tell_server(options, "DELETE", "");
}

int enable_server(const mcp_options& options) {
  return set_enabled(options, true);
}

int disable_server(const mcp_options& options) {
  return set_enabled(options, false);
}

} // namespace troupe

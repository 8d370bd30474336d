#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/environment_options.hpp"
#include "apps/troupe/mcp/mcp_options.hpp"
#include "apps/troupe/mcp/mcp_verbs.hpp"
#include "apps/troupe/signals.hpp"

namespace troupe {

namespace {

using shared_options = std::shared_ptr<mcp_options>;

int run(const mcp_verb& verb, const mcp_options& options) {
  if (verb.kind == verb_kind::of_running_server && options.url.empty()) {
    fmt::print(stderr, "troupe: this would be gone when the command ends; name a running server "
                       "with --server\n");
    return exit_usage;
  }
  if (verb.kind == verb_kind::until_signal)
    block_signals(); // before any thread is started
  mcp_client client{options};
  if (auto bad = client.start()) {
    fmt::print(stderr, "troupe: {}\n", bad.text());
    return exit_usage;
  }
  return verb.run(options, client);
}

void add_common(CLI::App& sub, mcp_options& options) {
  options.engine.add_to(sub);
  options.engine.use = config_use::servers;
  sub.add_option("--server", options.url,
                 "Ask a running `troupe serve` instead; else that of $TROUPE_SERVER")
      ->type_name("URL")
      ->check(not_empty);
}

void add_verb(CLI::App& mcp, const shared_options& options, command& chosen, const mcp_verb& verb) {
  auto* sub = mcp.add_subcommand(verb.name, verb.help);
  add_common(*sub, *options);
  sub->add_flag("--json", options->json, "Print JSON");
  verb.describe(*sub, *options);
  sub->callback([options, sub, &chosen, &verb] {
    take_environment(*sub);
    chosen = [options, &verb] { return run(verb, *options); };
  });
}

CLI::App* add_change(CLI::App& mcp, const shared_options& options, command& chosen,
                     const char* name, const char* help, int (*change)(const mcp_options&)) {
  auto* sub = mcp.add_subcommand(name, help);
  add_common(*sub, *options);
  sub->add_option("NAME", options->server, "Key of mcpServers")->required();
  sub->callback([options, sub, &chosen, change] {
    take_environment(*sub);
    chosen = [options, change] { return change(*options); };
  });
  return sub;
}

void add_changes(CLI::App& mcp, const shared_options& options, command& chosen) {
  auto* add = add_change(mcp, options, chosen, "add", "Add a server, or change one", add_server);
  auto* url = add->add_option("--url", options->uri, "Where it is, unless it is a program");
  add->add_option("--type", options->type, "stdio, http, sse or websocket; guessed when left out");
  auto* header = add->add_option("--header", options->fields, "'Name: value' for its requests")
                     ->check(name_and_text);
  add->add_option("--env", options->variables, "NAME=VALUE for the program")
      ->check(name_and_value)
      ->excludes(url);
  add->add_option("COMMAND", options->command, "After --: the program and its arguments")
      ->excludes(url)
      ->excludes(header);
  add_change(mcp, options, chosen, "remove", "Remove a server", remove_server);
  add_change(mcp, options, chosen, "enable", "Enable a server", enable_server);
  add_change(mcp, options, chosen, "disable", "Disable a server", disable_server);
}

/// `troupe mcp add x npx -y y` has an option that is meant for npx.
std::string complaint_about_words(const CLI::App* app, const CLI::Error& what) {
  auto text = CLI::FailureMessage::simple(app, what);
  const auto verbs = app->get_subcommands();
  const auto is_add =
      verbs.size() == 1 && verbs[0]->get_name() == "mcp" && verbs[0]->got_subcommand("add");
  if (is_add && what.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    text += "Write -- in front of a program that has options of its own.\n";
  return text;
}

void add_import(CLI::App& mcp, const shared_options& options, command& chosen) {
  auto* sub = mcp.add_subcommand(
      "import", "Take over the servers of another program: Claude, Cursor, VS Code, Windsurf, "
                "Gemini, LibreChat, Zed, Continue, OpenCode");
  sub->add_option("FILE", options->file, "The other program's file")->required()->check(not_empty);
  sub->add_option("--config", options->engine.config_file,
                  "Put them into this configuration file; without it, they are printed")
      ->type_name("FILE")
      ->check(not_empty);
  sub->add_option("--server", options->url, "Give them to a running `troupe serve`")
      ->type_name("URL")
      ->check(not_empty);
  sub->add_flag("--replace", options->replace, "Replace servers that are there already");
  sub->callback([options, &chosen] { chosen = [options] { return import_servers(*options); }; });
}

} // namespace

void add_mcp(CLI::App& app, command& chosen) {
  auto options = std::make_shared<mcp_options>();
  auto* mcp = app.add_subcommand("mcp", "Look at MCP servers and use what they offer");
  mcp->require_subcommand(1);
  app.failure_message(complaint_about_words);
  for (const auto& verb : mcp_verbs())
    add_verb(*mcp, options, chosen, verb);
  add_changes(*mcp, options, chosen);
  add_import(*mcp, options, chosen);
}

} // namespace troupe

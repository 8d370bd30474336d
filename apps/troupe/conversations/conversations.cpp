#include <memory>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/conversations/conversations_verbs.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/environment_options.hpp"

namespace troupe {

namespace {

using shared_options = std::shared_ptr<conversations_options>;

int run(const conversations_verb& verb, const conversations_options& options) {
  failure why;
  auto all = open_backend(options, verb.makes_folder, why);
  return all ? verb.run(options, *all) : complain(why);
}

void add_verb(CLI::App& group, const shared_options& options, command& chosen,
              const conversations_verb& verb) {
  auto* sub = group.add_subcommand(verb.name, verb.help);
  auto* server = sub->add_option("--server", options->url,
                                 "Ask a running `troupe serve`; else that of $TROUPE_SERVER");
  server->type_name("URL")->check(not_empty);
  sub->add_option("--data", options->folder,
                  "Else the data folder, by default $XDG_DATA_HOME/troupe or "
                  "~/.local/share/troupe; no server may use it")
      ->type_name("DIR")
      ->check(not_empty)
      ->excludes(server);
  sub->add_option("--config", options->config_file,
                  "A configuration that names the folder; else that of $TROUPE_CONFIG")
      ->type_name("FILE")
      ->check(not_empty)
      ->excludes(server);
  sub->add_option("--owner", options->owner, "Whose, where the folder's server uses API keys")
      ->type_name("NAME")
      ->excludes(server);
  sub->add_flag("--json", options->json, "Print JSON");
  verb.describe(*sub, *options);
  sub->callback([options, sub, &chosen, &verb] {
    take_environment(*sub);
    chosen = [options, &verb] { return run(verb, *options); };
  });
}

} // namespace

void add_conversations(CLI::App& app, command& chosen) {
  auto options = std::make_shared<conversations_options>();
  auto* group = app.add_subcommand("conversations", "Look at the conversations that are kept");
  group->require_subcommand(1);
  for (const auto& verb : conversations_verbs())
    add_verb(*group, options, chosen, verb);
}

} // namespace troupe

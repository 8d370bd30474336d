#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "apps/engine/config.hpp"
#include "apps/engine/keys.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/data_folder.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/environment_options.hpp"
#include "apps/troupe/folder_owner.hpp"
#include "messages/json_object.hpp"
#include "messages/terminal_text.hpp"
#include "transport/postgres/connection/postgres_target.hpp"

namespace troupe {

namespace {

/// All options of all verbs; each reads its own.
struct key_options {
  std::string config_file;
  std::string folder;
  bool json = false;
  api_key made;
  std::string id;
};

int fail_keys(const failure& why) {
  fmt::print(stderr, "troupe: {}\n", why.text());
  return why.code == errc::request_invalid || why.code == errc::config_invalid ? exit_usage
                                                                               : exit_failed;
}

/// Finds the folder as `troupe serve` does: the option, the configuration, the user's own. A
/// process of root then works as its owner. Models need no keys for this.
failure find_folder(const key_options& options, std::string& out) {
  out = options.folder;
  if (out.empty() && !options.config_file.empty()) {
    engine_config config;
    if (auto bad = load_config(options.config_file, config, config_use::servers))
      return bad;
    out = config.store.url.empty() ? config.store.folder : config.store.url;
  }
  if (out.empty())
    out = default_data_folder();
  std::string told; // what is printed stays the same
  return become_owner_of(out, told);
}

/// {"id":...}, without the hash. @param text of a key that was made; "" = none
void append_key(json_buffer& out, const api_key& key, std::string_view text) {
  json_object all{out};
  all.given("key", text);
  for_each_field(key, [&](std::string_view name, const auto& member) {
    if (name != "hash")
      all.member(name, member);
  });
}

/// A name may hold what steers a terminal; a program that reads the line gets it as it is.
void print_json(const std::string& line) {
  fmt::print("{}\n", isatty(STDOUT_FILENO) == 1 ? terminal_text(line) : line);
}

int create(const key_options& options) {
  std::string folder, text;
  auto key = options.made;
  auto bad = find_folder(options, folder);
  if (!bad)
    bad = create_key(folder, key, text);
  if (bad)
    return fail_keys(bad);
  if (options.json) {
    json_buffer out;
    append_key(out, key, text);
    print_json(std::string{view(out)});
    return 0;
  }
  fmt::print("{}\n", text);
  fmt::print(stderr, "This is key {} of {} in {}. It is not shown again.\n", key.id, key.owner,
             terminal_text(is_postgres_url(folder) ? shown_postgres_url(folder) : folder));
  return 0;
}

std::string day_of(int64_t ms) {
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(static_cast<std::time_t>(ms / 1000)));
}

std::string limit_of(uint32_t count) {
  return count == 0 ? "-" : std::to_string(count);
}

void print_keys(const key_list& list) {
  size_t widest = 5;
  for (const auto& each : list.keys)
    widest = std::max(widest, each.owner.size());
  fmt::print("{:<12}  {:<{}}  {:<5}  {:>6}  {:>5}  {:<10}  {:<18}  NAME\n", "ID", "OWNER", widest,
             "ADMIN", "RATE", "TURNS", "CREATED", "STATE");
  for (const auto& each : list.keys)
    fmt::print("{:<12}  {:<{}}  {:<5}  {:>6}  {:>5}  {:<10}  {:<18}  {}\n", each.id, each.owner,
               widest, each.admin ? "yes" : "no", limit_of(each.requests_per_minute),
               limit_of(each.concurrent_turns), day_of(each.created_ms),
               each.revoked_ms == 0 ? "good" : "revoked " + day_of(each.revoked_ms),
               terminal_text(each.name));
}

int list(const key_options& options) {
  std::string folder;
  if (auto bad = find_folder(options, folder))
    return fail_keys(bad);
  const auto all = read_keys(folder);
  if (all.error)
    return fail_keys(all.error);
  if (!options.json) {
    if (all.keys.empty())
      fmt::print(stderr, "There are no keys.\n");
    else
      print_keys(all);
    return 0;
  }
  json_buffer out;
  json_object{out}.array("keys").each(
      all.keys, [](json_buffer& list, const api_key& each) { append_key(list, each, ""); });
  print_json(std::string{view(out)});
  return 0;
}

int revoke(const key_options& options) {
  std::string folder;
  auto bad = find_folder(options, folder);
  if (!bad)
    bad = revoke_key(folder, options.id);
  return bad ? fail_keys(bad) : 0;
}

CLI::App* add_verb(CLI::App& keys, const std::shared_ptr<key_options>& options, command& chosen,
                   const char* name, const char* help, int (*run)(const key_options&)) {
  auto* sub = keys.add_subcommand(name, help);
  sub->add_option("--data", options->folder, "The server's data folder")
      ->type_name("DIR")
      ->check(not_empty);
  sub->add_option("--config", options->config_file,
                  "Its configuration file, which names the folder; else that of $TROUPE_CONFIG")
      ->type_name("FILE")
      ->check(not_empty);
  sub->callback([options, sub, &chosen, run] {
    take_environment(*sub);
    chosen = [options, run] { return run(*options); };
  });
  return sub;
}

} // namespace

void add_keys(CLI::App& app, command& chosen) {
  auto options = std::make_shared<key_options>();
  auto* keys = app.add_subcommand("keys", "Make and revoke API keys, also while a server runs");
  keys->require_subcommand(1);
  auto* make = add_verb(*keys, options, chosen, "create", "Make a key and print it, once", create);
  make->add_option("--owner", options->made.owner, "Whose it is: 1 to 64 of A-Z a-z 0-9 _ . @ -")
      ->required();
  make->add_option("--name", options->made.name, "What you call it");
  make->add_flag("--admin", options->made.admin, "It may change MCP servers and read metrics");
  make->add_option("--rate", options->made.requests_per_minute, "Requests a minute; 0: no limit");
  make->add_option("--turns", options->made.concurrent_turns,
                   "Turns of the owner at once; 0: no limit");
  make->add_flag("--json", options->json, "Print JSON");
  auto* show =
      add_verb(*keys, options, chosen, "list", "Show all keys, the revoked ones too", list);
  show->add_flag("--json", options->json, "Print JSON");
  add_verb(*keys, options, chosen, "revoke", "Revoke a key", revoke)
      ->add_option("ID", options->id, "As `troupe keys list` shows it")
      ->required();
}

} // namespace troupe

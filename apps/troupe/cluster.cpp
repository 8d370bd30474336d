// `troupe cluster`: the nodes that share a database.
#include "apps/engine/cluster.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/engine/config.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/environment_options.hpp"
#include "messages/json_object.hpp"
#include "messages/terminal_text.hpp"
#include "transport/postgres/connection/postgres_target.hpp"

namespace troupe {

namespace {

/// All options of all verbs; each reads its own.
struct cluster_options {
  std::string config_file;
  std::string node;
  bool json = false;
};

int fail_cluster(const failure& why) {
  fmt::print(stderr, "troupe: {}\n", terminal_text(why.text()));
  return why.code == errc::config_invalid ? exit_usage : exit_failed;
}

/// Finds the database. Models need no keys for this.
failure find_database(const cluster_options& options, std::string& out) {
  engine_config config;
  if (auto bad = load_config(options.config_file, config, config_use::servers))
    return bad;
  out = config.store.url;
  return out.empty() ? failure{errc::config_invalid, options.config_file +
                                                         ": has no \"store\", so its server shares "
                                                         "no database with others"}
                     : failure{};
}

/// The number as a text: it has more digits than JavaScript's numbers hold.
void append_node(json_buffer& out, const cluster_node& node) {
  json_object{out}
      .member("name", node.name)
      .member("state", to_string(node.state))
      .member("turns", node.running)
      .member("silentMs", node.silent_ms)
      .member("leaseLeftMs", node.lease_left_ms)
      .member("version", node.version)
      .member("address", node.address)
      .member("incarnation", std::to_string(node.incarnation));
}

void print_nodes(const node_list& list) {
  size_t name = 4, shown = 7;
  for (const auto& each : list.nodes) {
    name = std::max(name, each.name.size());
    shown = std::max(shown, each.version.size());
  }
  fmt::print("{:<{}}  {:<8}  {:>6}  {:>9}  {:<{}}  ADDRESS\n", "NODE", name, "STATE", "TURNS",
             "SILENT", "VERSION", shown);
  for (const auto& each : list.nodes)
    fmt::print("{:<{}}  {:<8}  {:>6}  {:>7.1f} s  {:<{}}  {}\n", terminal_text(each.name), name,
               to_string(each.state), each.running, static_cast<double>(each.silent_ms) / 1000,
               terminal_text(each.version), shown, terminal_text(each.address));
}

int show_status(const cluster_options& options) {
  std::string url;
  if (auto bad = find_database(options, url))
    return fail_cluster(bad);
  const auto list = read_cluster(url);
  if (list.error)
    return fail_cluster(list.error);
  if (options.json) {
    json_buffer out;
    json_object{out}.array("nodes").each(list.nodes, append_node);
    const std::string text{view(out)};
    fmt::print("{}\n", isatty(STDOUT_FILENO) == 1 ? terminal_text(text) : text);
  } else if (list.nodes.empty()) {
    fmt::print(stderr, "There is no node in {}.\n", terminal_text(shown_postgres_url(url)));
  } else {
    print_nodes(list);
  }
  return 0;
}

int drain(const cluster_options& options) {
  std::string url;
  auto bad = find_database(options, url);
  if (!bad)
    bad = drain_node(url, options.node);
  if (bad)
    return fail_cluster(bad);
  fmt::print(stderr, "{} takes no new turns until it is started again.\n",
             terminal_text(options.node));
  return 0;
}

int forget(const cluster_options& options) {
  std::string url;
  uint64_t freed = 0;
  auto bad = find_database(options, url);
  if (!bad)
    bad = forget_node(url, options.node, freed);
  if (bad)
    return fail_cluster(bad);
  fmt::print(stderr, "{} is forgotten; turns that were interrupted: {}.\n",
             terminal_text(options.node), freed);
  return 0;
}

CLI::App* add_verb(CLI::App& cluster, const std::shared_ptr<cluster_options>& options,
                   command& chosen, const char* name, const char* help,
                   int (*run)(const cluster_options&)) {
  auto* sub = cluster.add_subcommand(name, help);
  sub->add_option("--config", options->config_file,
                  "The configuration file of a node, which names the database; else that of "
                  "$TROUPE_CONFIG")
      ->type_name("FILE")
      ->check(not_empty);
  sub->callback([options, sub, &chosen, run] {
    take_environment(*sub);
    if (options->config_file.empty())
      throw CLI::RequiredError{"--config, or TROUPE_CONFIG in the environment,"};
    chosen = [options, run] { return run(*options); };
  });
  return sub;
}

} // namespace

void add_cluster(CLI::App& app, command& chosen) {
  auto options = std::make_shared<cluster_options>();
  auto* cluster = app.add_subcommand("cluster", "See and manage the nodes that share a database");
  cluster->require_subcommand(1);
  add_verb(*cluster, options, chosen, "status", "Show all nodes", show_status)
      ->add_flag("--json", options->json, "Print JSON");
  constexpr const char* shown = "As `troupe cluster status` shows it";
  add_verb(*cluster, options, chosen, "drain",
           "Have a node take no new turns; those that run go on", drain)
      ->add_option("NODE", options->node, shown)
      ->required();
  add_verb(*cluster, options, chosen, "forget", "Free the turns of a dead node at once", forget)
      ->add_option("NODE", options->node, shown)
      ->required();
}

} // namespace troupe

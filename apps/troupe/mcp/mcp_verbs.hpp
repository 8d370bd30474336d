// Verbs of `troupe mcp`: one row each.
#pragma once

#include <cstdint>
#include <span>

#include <CLI/CLI.hpp>

#include "apps/troupe/mcp/mcp_client.hpp"
#include "apps/troupe/mcp/mcp_options.hpp"

namespace troupe {

/// How a verb runs.
enum class verb_kind : uint8_t {
  plain,
  until_signal,      ///< it continues until SIGINT, SIGTERM or SIGHUP
  of_running_server, ///< needs --server: its effect would end with an engine of its own
};

/// One verb: its options, and what it does once the server is there.
struct mcp_verb {
  const char* name;
  const char* help;
  void (*describe)(CLI::App&, mcp_options&);
  int (*run)(const mcp_options&, mcp_client&);
  verb_kind kind = verb_kind::plain;
};

std::span<const mcp_verb> mcp_verbs();

/// The verbs that change which servers there are: in the file of --config, or on the server of
/// --server. Each returns an exit code.
int add_server(const mcp_options& options);
int remove_server(const mcp_options& options);
int enable_server(const mcp_options& options);
int disable_server(const mcp_options& options);

/// Puts the servers of another program's file into that of --config or on the server of --server,
/// or prints them. Says on stderr what changed. Returns an exit code: 1 when a server is left out.
int import_servers(const mcp_options& options);

} // namespace troupe

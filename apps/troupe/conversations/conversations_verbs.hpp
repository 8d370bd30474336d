// Verbs of `troupe conversations`: one row each.
#pragma once

#include <span>

#include <CLI/CLI.hpp>

#include "apps/troupe/conversations/conversations_backend.hpp"
#include "apps/troupe/conversations/conversations_options.hpp"

namespace troupe {

/// One verb: its options, and what it does; `run` returns an exit code.
struct conversations_verb {
  const char* name;
  const char* help;
  void (*describe)(CLI::App&, conversations_options&);
  int (*run)(const conversations_options&, conversations_backend&);
  bool makes_folder = false; ///< a data folder that is not there
};

std::span<const conversations_verb> conversations_verbs();

/// Says on stderr what went wrong; returns the exit code.
int complain(const failure& why);

// In conversations_deletion.cpp, because it lists and asks first.
int delete_conversations(const conversations_options& options, conversations_backend& all);

// In conversations_files.cpp, because they read and write files.
int export_conversations(const conversations_options& options, conversations_backend& all);
int import_conversations(const conversations_options& options, conversations_backend& all);

} // namespace troupe

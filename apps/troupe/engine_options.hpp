// The command-line options with which an engine is configured.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/engine/config.hpp"

namespace troupe {

/// Options that serve, chat and mcp share.
struct engine_options {
  std::string config_file;
  std::string model_url;
  std::string model;

  void add_to(CLI::App& app);

  /// Reads the file, then lets the options overrule it; the environment is used when neither names
  /// a model.
  failure load(engine_config& out) const;
};

} // namespace troupe

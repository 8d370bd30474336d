// The command-line options with which an engine is configured.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/engine/config.hpp"

namespace troupe {

/// Checks an option's value for CLI11. `--config "$FILE"` with an unset variable must fail, not run
/// without a file. Returns the error, or "".
std::string not_empty(const std::string& given);

/// Options that serve, chat and mcp share.
class engine_options {
public:
  std::string config_file;
  std::string model_url;
  std::string model;
  config_use use = config_use::everything;
  bool is_node = false; ///< the file's section `cluster` counts; else the engine is no node

  void add_to(CLI::App& app);

  /// Adds --data; for commands that keep chats. The others keep nothing, whatever the file says.
  void add_data_to(CLI::App& app);

  /// Reads the file, then lets the options overrule it. The environment is used when neither names
  /// a model. After add_data_to(), the folder is default_data_folder() if neither names one.
  failure load(engine_config& out) const;

  /// Prints what is to be said about a configuration that was read, on stderr.
  static void print_notes(const engine_config& config);

private:
  failure add_named_model(engine_config& out) const;
  failure load_model(engine_config& out) const;

  std::string data_;
  CLI::Option* has_data_ = nullptr;
};

} // namespace troupe

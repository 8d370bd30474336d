// The command-line options with which an engine is configured.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/engine/config.hpp"

namespace troupe {

/// Checks an option's value for CLI11: `--config "$FILE"` of a variable that is not set must not
/// mean that there is no file. Returns what is wrong, or "".
std::string not_empty(const std::string& given);

/// Options that serve, chat and mcp share.
class engine_options {
public:
  std::string config_file;
  std::string model_url;
  std::string model;

  void add_to(CLI::App& app);

  /// Adds --data; for commands that keep chats. The others keep nothing, whatever the file says.
  void add_data_to(CLI::App& app);

  /// Reads the file, then lets the options overrule it; the environment is used when neither names
  /// a model. With --data offered and neither it nor the file naming a folder, it is
  /// default_data_folder().
  failure load(engine_config& out) const;

private:
  failure load_model(engine_config& out) const;

  std::string data_;
  CLI::Option* has_data_ = nullptr;
};

} // namespace troupe

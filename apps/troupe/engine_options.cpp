#include "apps/troupe/engine_options.hpp"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/environment_models.hpp"
#include "apps/model/scripted_model.hpp"
#include "apps/troupe/data_folder.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

std::string not_empty(const std::string& given) {
  return given.empty() ? "must not be empty" : "";
}

void engine_options::add_to(CLI::App& app) {
  app.add_option("--config", config_file, "Configuration file (JSON); else that of $TROUPE_CONFIG")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--model-url", model_url,
                 "Base URL of an OpenAI-compatible model, as in "
                 "http://127.0.0.1:8000/v1")
      ->type_name("URL")
      ->check(not_empty);
  app.add_option("--model", model,
                 "Model: a key of `models`, PROVIDER/NAME as in anthropic/claude-sonnet-4-5, "
                 "or with --model-url the provider's name for it")
      ->type_name("NAME")
      ->check(not_empty);
}

void engine_options::add_data_to(CLI::App& app) {
  has_data_ = app.add_option("--data", data_,
                             "Folder in which chats are kept, by default $XDG_DATA_HOME/troupe or "
                             "~/.local/share/troupe; \"\" keeps them in memory only")
                  ->type_name("DIR");
}

failure engine_options::load(engine_config& out) const {
  if (has_data_ != nullptr)
    out.store.folder = default_data_folder();
  if (!config_file.empty())
    if (auto bad = load_config(config_file, out, use))
      return bad;
  if (!is_node)
    out.cluster.reset();
  if (has_data_ == nullptr)
    out.store = {};
  else if (has_data_->count() > 0)
    out.store = {data_, {}, out.store.durable};
  return load_model(out);
}

/// --model PROVIDER/NAME needs no configuration; a key of `models` comes before it.
failure engine_options::add_named_model(engine_config& out) const {
  if (model.empty() || out.models.contains(model))
    return {};
  model_config named;
  auto bad = make_named_model(model, named);
  if (bad.code == errc::model_unknown)
    return {};
  if (!bad)
    out.models.emplace(model, std::move(named));
  return bad ? failure{bad.code, "--model: " + bad.message} : failure{};
}

void engine_options::print_notes(const engine_config& config) {
  for (const auto& each : config.notes)
    fmt::print(stderr, "troupe: {}\n", terminal_text(each, true));
}

failure engine_options::load_model(engine_config& out) const {
  if (!model_url.empty()) {
    if (auto fault = model_url_fault(model_url); !fault.empty())
      return {errc::config_invalid, "--model-url " + std::string{fault}};
    model_config given;
    given.name = model.empty() ? "default" : model; // with its slashes, as in openai/gpt-oss-20b
    given.base_url = model_url;
    if (auto bad = read_environment_key(given.api_key))
      return bad;
    if (model.empty())
      out.notes.emplace_back("--model is not given: the server is asked for its model 'default'");
    out.models = {{given.name, given}};
    out.default_model = given.name;
  }
  if (auto bad = add_named_model(out))
    return bad;
  if (auto bad = add_environment_model(out))
    return bad;
  if (model.empty())
    return check_config(out);
  if (out.models.empty() && !is_script(model))
    return {errc::config_invalid, "--model " + model +
                                      " names no script of the built-in model, and no model is "
                                      "configured; `troupe model --help` lists the scripts"};
  if (!out.models.empty() && !out.models.contains(model))
    return {errc::config_invalid, "--model " + model + " names no configured model"};
  out.default_model = model;
  return check_config(out);
}

} // namespace troupe

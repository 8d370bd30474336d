#include "apps/engine/configuration/model_environment.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/environment_models.hpp"
#include "messages/wire/providers.hpp"

namespace troupe {

namespace {

/// Returns the variable's value; "" also when it is not set, or has no name.
std::string value_of(std::string_view name) {
  const auto* value = name.empty() ? nullptr : std::getenv(std::string{name}.c_str());
  return value == nullptr ? "" : value;
}

/// What the environment has for a provider.
struct found_model {
  std::string key;
  std::string key_variable; ///< where `key` was found
  std::string base_url;
  std::string model;
};

found_model look_for(const provider& of) {
  const auto& names = of.environment;
  found_model found{value_of(names.key), std::string{names.key}, value_of(names.base_url),
                    value_of(names.model)};
  if (found.key.empty()) {
    found.key = value_of(names.other_key);
    found.key_variable = names.other_key;
  }
  if (!found.base_url.empty() && names.to_url != nullptr)
    found.base_url = names.to_url(found.base_url);
  return found;
}

failure check(const provider& of, const found_model& found) {
  if (auto fault = api_key_fault(found.key); !fault.empty())
    return {errc::config_invalid, fmt::format("{} {}", found.key_variable, fault)};
  if (auto fault = found.base_url.empty() ? "" : model_url_fault(found.base_url); !fault.empty())
    return {errc::config_invalid, fmt::format("{} {}", of.environment.base_url, fault)};
  return {};
}

model_config make(const provider& of, found_model found, std::string name) {
  model_config model;
  model.name = std::move(name);
  model.provider = of.name;
  model.base_url = found.base_url.empty() ? std::string{of.base_url} : std::move(found.base_url);
  model.api_key = std::move(found.key);
  model.images = of.files.images;
  model.documents = of.files.documents;
  model.audio = of.files.audio;
  return model;
}

} // namespace

void take_address(model_config& model) {
  const auto* of = find_provider(model.provider);
  if (of == nullptr)
    return;
  auto found = look_for(*of);
  model.base_url = found.base_url.empty() ? std::string{of->base_url} : std::move(found.base_url);
  if (model.api_key.empty())
    model.api_key = std::move(found.key);
}

failure read_environment_key(std::string& out) {
  const auto found = look_for(*find_provider("openai"));
  out = found.key;
  if (auto fault = api_key_fault(out); !fault.empty())
    return {errc::config_invalid, fmt::format("{} {}", found.key_variable, fault)};
  return {};
}

failure add_environment_model(engine_config& config) {
  if (!config.models.empty())
    return {};
  for (auto name : provider_names()) {
    const auto& of = *find_provider(name);
    auto found = look_for(of);
    if (found.key.empty() && found.base_url.empty())
      continue;
    if (auto bad = check(of, found))
      return bad;
    auto model = found.model.empty() ? std::string{of.usual_model} : found.model;
    if (model.empty())
      continue; // nobody can know which of the server's models is meant
    config.model_source =
        found.key.empty() ? std::string{of.environment.base_url} : found.key_variable;
    config.models.emplace(model, make(of, std::move(found), model));
    return {};
  }
  return {};
}

failure make_named_model(std::string_view name, model_config& out) {
  const auto slash = name.find('/');
  const auto* of = slash == std::string_view::npos ? nullptr : find_provider(name.substr(0, slash));
  if (of == nullptr || slash + 1 == name.size())
    return {errc::model_unknown, fmt::format("'{}' begins with no provider's name", name)};
  auto found = look_for(*of);
  if (auto bad = check(*of, found))
    return bad;
  if (found.key.empty() && found.base_url.empty() && !of->environment.key.empty())
    return {errc::config_invalid,
            fmt::format("the model {} needs an API key: set {}", name, of->environment.key)};
  out = make(*of, std::move(found), std::string{name});
  out.model = name.substr(slash + 1);
  return {};
}

} // namespace troupe

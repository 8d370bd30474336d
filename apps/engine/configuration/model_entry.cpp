#include "apps/engine/configuration/model_entry.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/configuration/header_entry.hpp"
#include "apps/engine/environment_models.hpp"
#include "messages/wire/providers.hpp"

namespace troupe {

// -- model environment ----------------------------------------------------------------------------

namespace {

/// Returns the variable's value; "" also when it is not set, or has no name.
std::string value_of(std::string_view name) {
  const auto* value = name.empty() ? nullptr : std::getenv(std::string{name}.c_str());
  return value == nullptr ? "" : value;
}

/// The values that the environment has for a provider.
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

// -- model entry ----------------------------------------------------------------------------------

namespace {

void read_timeouts(object_reader& in, model_timeouts& out) {
  in.read("connectMs", out.connect);
  in.read("firstTokenMs", out.first_token);
  in.read("idleMs", out.idle);
  in.read("totalMs", out.total);
}

constexpr std::array<std::string_view, 7> efforts{"none", "minimal", "low", "medium",
                                                  "high", "xhigh",   "max"};

std::optional<reasoning_policy> policy_of(std::string_view word) {
  if (word == "keep")
    return reasoning_policy::keep;
  if (word == "all")
    return reasoning_policy::all;
  if (word == "empty")
    return reasoning_policy::empty;
  if (word == "strip")
    return reasoning_policy::strip;
  return std::nullopt;
}

bool read_effort(std::string_view word, model_config& out) {
  if (std::ranges::find(efforts, word) == efforts.end())
    return false;
  out.generation.reasoning_effort = word;
  return true;
}

/// How much the model is to think, and what of it goes back: one word for either, or an object for
/// both and for a budget.
void read_reasoning(object_reader& in, model_config& out) {
  if (in.kind("reasoning") == json_kind::object)
    return in.read_object("reasoning", [&](object_reader& inner) {
      std::string effort, history;
      inner.read("effort", effort);
      inner.read("history", history);
      inner.read("budget", out.generation.reasoning_budget, -1, 10'000'000);
      if (inner.has("effort") && !read_effort(effort, out))
        inner.fail("effort", "must be \"none\", \"minimal\", \"low\", \"medium\", \"high\", "
                             "\"xhigh\" or \"max\"");
      if (auto policy = policy_of(history))
        out.reasoning = *policy;
      else if (inner.has("history"))
        inner.fail("history", "must be \"keep\", \"all\", \"empty\" or \"strip\"");
    });
  std::string word;
  in.read("reasoning", word);
  if (auto policy = policy_of(word))
    out.reasoning = *policy;
  else if (in.has("reasoning") && !read_effort(word, out))
    in.fail("reasoning",
            "must be \"keep\", \"all\", \"empty\" or \"strip\", an effort such as \"low\", or an "
            "object with effort, budget and history");
}

/// Parameters of each answer, in words of no provider.
void read_generation(object_reader& in, model_config& out) {
  auto& to = out.generation;
  in.read("maxOutputTokens", to.max_output_tokens, 0, 100'000'000);
  in.read("contextTokens", to.context_tokens, 0, 100'000'000);
  in.read("cache", to.cache);
  if (in.has("parallelToolCalls")) {
    bool parallel = true;
    in.read("parallelToolCalls", parallel);
    to.parallel_tool_calls = parallel ? 1 : 0;
  }
  if (in.kind("toolChoice") == json_kind::object) {
    raw_json choice;
    in.read("toolChoice", choice);
    to.tool_choice = std::move(choice.text);
  } else {
    std::string word;
    in.read("toolChoice", word);
    if (word == "auto" || word == "none" || word == "required")
      to.tool_choice = '"' + word + '"';
    else if (in.has("toolChoice"))
      in.fail("toolChoice",
              "must be \"auto\", \"none\", \"required\", or an object that names a tool");
  }
  raw_json schema;
  in.read("responseSchema", schema);
  to.response_schema = std::move(schema.text);
  read_reasoning(in, out);
}

/// The kinds of files that the provider takes count where the entry does not name its own.
void read_files(object_reader& in, model_config& out) {
  if (const auto* provider = find_provider(out.provider)) {
    out.images = provider->files.images;
    out.documents = provider->files.documents;
    out.audio = provider->files.audio;
  }
  in.read("images", out.images);
  in.read("documents", out.documents);
  in.read("audio", out.audio);
}

/// How requests that fail, or are too many, are treated.
void read_patience(object_reader& in, model_config& out) {
  in.read("maxAttempts", out.max_attempts, 1, 10);
  in.read("retryDelayMs", out.retry_delay);
  in.read("maxRetryDelayMs", out.max_retry_delay);
  in.read("fallback", out.fallback);
  in.read("maxConcurrent", out.max_concurrent, 0, 1'000'000);
  in.read("maxQueued", out.max_queued, 0, 1'000'000);
  in.read("maxTools", out.max_tools, 0, 1'000'000);
  in.read_object("timeouts", [&](auto& inner) { read_timeouts(inner, out.timeouts); });
}

} // namespace

void read_model_entry(std::string_view name, object_reader& in, model_config& out) {
  out.name = name;
  in.read("provider", out.provider);
  in.read("base_url", out.base_url);
  in.read("model", out.model);
  in.read("api_key", out.api_key);
  in.read("streaming", out.streaming);
  in.read("proxy", out.proxy);
  read_headers(in, out.fields);
  read_files(in, out);
  read_generation(in, out);
  in.read("startWithReasoning", out.start_with_reasoning);
  raw_json parameters;
  in.read("parameters", parameters);
  out.parameters = std::move(parameters.text);
  read_patience(in, out);
  if (out.base_url.empty() && !in.has("base_url"))
    take_address(out);
}

} // namespace troupe

#include "apps/engine/model_entry.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "messages/wire/provider.hpp"

namespace troupe {

namespace {

void read_timeouts(object_reader& in, model_timeouts& out) {
  in.read("connectMs", out.connect);
  in.read("firstTokenMs", out.first_token);
  in.read("idleMs", out.idle);
  in.read("totalMs", out.total);
}

void read_reasoning(object_reader& in, reasoning_policy& out) {
  std::string name;
  in.read("reasoning", name);
  if (name == "keep")
    out = reasoning_policy::keep;
  else if (name == "empty")
    out = reasoning_policy::empty;
  else if (name == "strip")
    out = reasoning_policy::strip;
  else if (in.has("reasoning"))
    in.fail("reasoning", "must be \"keep\", \"empty\" or \"strip\"");
}

/// How requests that fail, or are too many, are treated.
void read_patience(object_reader& in, model_config& out) {
  in.read("maxAttempts", out.max_attempts, 1, 10);
  in.read("retryDelayMs", out.retry_delay);
  in.read("maxRetryDelayMs", out.max_retry_delay);
  in.read("fallback", out.fallback);
  in.read("maxConcurrent", out.max_concurrent, 0, 1'000'000);
  in.read("maxQueued", out.max_queued, 0, 1'000'000);
  in.read_object("timeouts", [&](auto& inner) { read_timeouts(inner, out.timeouts); });
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

std::string key_of(const std::string& model) {
  return fmt::format("models.{}.fallback", model);
}

} // namespace

std::string_view api_key_fault(std::string_view key) {
  return std::any_of(key.begin(), key.end(), is_control)
             ? "must not hold control characters, such as a line end"
             : "";
}

void read_model_entry(std::string_view name, object_reader& in, model_config& out) {
  out.name = name;
  in.read("provider", out.provider);
  in.read("base_url", out.base_url);
  in.read("model", out.model);
  in.read("api_key", out.api_key);
  if (auto fault = api_key_fault(out.api_key); !fault.empty())
    in.fail("api_key", std::string{fault});
  in.read("streaming", out.streaming);
  in.read("proxy", out.proxy);
  in.read("images", out.images);
  read_reasoning(in, out.reasoning);
  raw_json parameters;
  in.read("parameters", parameters);
  out.parameters = std::move(parameters.text);
  read_patience(in, out);
  if (find_provider(out.provider) == nullptr)
    in.fail("provider", fmt::format("must be one of: {}", fmt::join(provider_names(), ", ")));
  if (!out.base_url.starts_with("http://") && !out.base_url.starts_with("https://"))
    in.fail("base_url", "must be an http:// or https:// URL, without the method's path");
}

void check_fallbacks(object_reader& in, const std::map<std::string, model_config>& models) {
  for (const auto& [name, model] : models)
    if (!model.fallback.empty() && !models.contains(model.fallback))
      return in.fail(key_of(name), "names '" + model.fallback + "', which is no key of models");
  for (const auto& [name, model] : models) {
    std::set<std::string_view> seen{name};
    for (auto next = model.fallback; !next.empty(); next = models.at(next).fallback)
      if (!seen.insert(models.find(next)->first).second)
        return in.fail(key_of(name), "leads back to '" + next + "'");
  }
}

} // namespace troupe

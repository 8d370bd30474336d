#include "apps/engine/configuration/model_entry.hpp"

#include <utility>

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

} // namespace

void read_model_entry(std::string_view name, object_reader& in, model_config& out) {
  out.name = name;
  in.read("provider", out.provider);
  in.read("base_url", out.base_url);
  in.read("model", out.model);
  in.read("api_key", out.api_key);
  in.read("streaming", out.streaming);
  in.read("proxy", out.proxy);
  in.read("images", out.images);
  read_reasoning(in, out.reasoning);
  in.read("startWithReasoning", out.start_with_reasoning);
  raw_json parameters;
  in.read("parameters", parameters);
  out.parameters = std::move(parameters.text);
  read_patience(in, out);
}

} // namespace troupe

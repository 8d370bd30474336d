#include "messages/wire/ollama/ollama_parameters.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// The options that have no name in OpenAI's words.
constexpr std::array<std::string_view, 18> own_options{
    "num_ctx",       "num_predict",      "num_keep",         "num_batch",    "num_gpu",
    "main_gpu",      "num_thread",       "use_mmap",         "min_p",        "typical_p",
    "repeat_last_n", "repeat_penalty",   "mirostat",         "mirostat_eta", "mirostat_tau",
    "tfs_z",         "penalize_newline", "draft_num_predict"};

/// The options of one request, each key once.
class option_list {
public:
  void put(std::string_view key, std::string_view value) {
    if (!value.empty())
      put_member(members_, key, value);
  }

  bool has(std::string_view key) const { return find_member(members_, key) != nullptr; }

  /// Appends them, if there are any.
  void append(json_buffer& out) const {
    std::string text;
    for (const auto& [key, value] : members_)
      add_member(text, key, value);
    if (!text.empty())
      append_member(out, "options", "{" + text + "}");
  }

private:
  json_members members_;
};

void read_options(option_list& into, std::string_view json) {
  const json_source source{json};
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    into.put(key, value);
    return true;
  });
}

/// OpenAI's words win over Ollama's own, and these over what the configuration has as defaults.
option_list options_of(const model_request& asked, request_parameters& wanted) {
  option_list made;
  read_options(made, wanted.take("options"));
  for (auto key : own_options)
    made.put(key, wanted.take(key));
  const auto& defaults = asked.model.generation;
  const bool is_default = asked.max_tokens == 0 && wanted.max_tokens == defaults.max_output_tokens;
  if (wanted.max_tokens > 0 && !(is_default && made.has("num_predict")))
    made.put("num_predict", std::to_string(wanted.max_tokens));
  if (defaults.context_tokens > 0 && !made.has("num_ctx"))
    made.put("num_ctx", std::to_string(defaults.context_tokens));
  made.put("temperature", wanted.temperature);
  made.put("top_p", wanted.top_p);
  made.put("top_k", wanted.top_k);
  made.put("seed", wanted.seed);
  made.put("presence_penalty", wanted.presence_penalty);
  made.put("frequency_penalty", wanted.frequency_penalty);
  made.put("stop", wanted.stop);
  return made;
}

/// Returns the value of `think`; "" if nothing was asked for.
std::string think_of(request_parameters& wanted) {
  if (auto own = wanted.take("think"); !own.empty())
    return own;
  const auto& effort = wanted.reasoning_effort;
  if (effort == "none")
    return "false";
  if (effort == "minimal" || effort == "low")
    return R"("low")";
  if (effort == "medium")
    return R"("medium")";
  if (effort == "high" || effort == "xhigh")
    return R"("high")";
  if (effort == "max")
    return R"("max")";
  if (!wanted.reasoning_budget)
    return {};
  return *wanted.reasoning_budget == 0 ? "false" : "true";
}

std::string format_of(request_parameters& wanted) {
  auto own = wanted.take("format");
  if (!wanted.json_output)
    return own;
  return wanted.response_schema.empty() ? R"("json")" : wanted.response_schema;
}

} // namespace

void append_ollama_parameters(json_buffer& out, const model_request& asked,
                              request_parameters& wanted) {
  append_member(out, "format", format_of(wanted));
  append_member(out, "think", think_of(wanted));
  options_of(asked, wanted).append(out);
  wanted.append_others(out, {},
                       {"n", "logit_bias", "metadata", "store", "service_tier", "verbosity",
                        "prediction", "modalities", "audio", "functions", "function_call",
                        "web_search_options", "prompt_cache_key", "prompt_cache_retention",
                        "safety_identifier", "repetition_penalty", "stop_sequences",
                        "cache_control"});
  wanted.leave_out("parallel_tool_calls", wanted.parallel_tool_calls.has_value());
  wanted.leave_out("user", !wanted.user.empty());
  wanted.leave_out("tool_choice", wanted.tool_choice == tool_choice_mode::required);
}

uint64_t ollama_context_tokens(const model_config& model) {
  uint64_t tokens = model.generation.context_tokens;
  if (model.parameters.find("num_ctx") == std::string::npos)
    return tokens;
  const json_source source{model.parameters};
  std::string_view options, among, beside;
  read_members(source.root(), {{"options", &options}, {"num_ctx", &beside}});
  read_members(options, {{"num_ctx", &among}});
  for (auto each : {among, beside}) // as options_of()
    if (auto number = integer_of(each).value_or(0); number > 0)
      tokens = static_cast<uint64_t>(number);
  return tokens;
}

} // namespace troupe

#include "messages/wire/gemini/gemini_parameters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/gemini/gemini_schema.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- gemini thinking ------------------------------------------------------------------------------

namespace {

/// THE table of efforts. Budgets are those that Google names for the levels.
struct effort_row {
  std::string_view effort;
  int64_t budget = 0;
  std::string_view level;
};

constexpr std::array efforts{
    effort_row{"none", 0, "MINIMAL"},  effort_row{"minimal", 1024, "MINIMAL"},
    effort_row{"low", 1024, "LOW"},    effort_row{"medium", 8192, "MEDIUM"},
    effort_row{"high", 24576, "HIGH"}, effort_row{"xhigh", 24576, "HIGH"},
    effort_row{"max", 24576, "HIGH"},
};

const effort_row* find_effort(std::string_view effort) {
  const auto* found = std::ranges::find(efforts, effort, &effort_row::effort);
  return found == efforts.end() ? nullptr : found;
}

/// Returns the first row whose budget is enough.
const effort_row& effort_of(int64_t budget) {
  const auto* found =
      std::ranges::find_if(efforts, [&](const auto& each) { return each.budget >= budget; });
  return found == efforts.end() ? efforts.back() : *found;
}

/// Returns the level of a row that the model has: the first Pro of generation 3 has two.
std::string_view level_of(const effort_row& row, const gemini_family& family) {
  if (!family.is_pro)
    return row.level;
  if (row.level == "MINIMAL")
    return "LOW";
  return row.level == "MEDIUM" && family.generation == 30 ? "HIGH" : row.level;
}

/// Returns the nearest budget that the model takes; -1 leaves it to the model.
int64_t budget_of(int64_t asked, const gemini_family& family) {
  if (asked < 0)
    return -1;
  if (asked == 0 && !family.is_pro)
    return 0;
  const int64_t least = family.is_pro ? 128 : family.is_lite ? 512 : 1;
  const int64_t most = family.is_pro ? 32768 : 24576;
  return std::clamp(asked, least, most);
}

std::string with_level(const request_parameters& asked, const gemini_family& family) {
  const auto* row = find_effort(asked.reasoning_effort);
  if (asked.reasoning_budget && *asked.reasoning_budget < 0)
    return R"({"includeThoughts":true})";
  if (asked.reasoning_budget)
    row = &effort_of(*asked.reasoning_budget);
  if (row == nullptr)
    return {};
  const auto shows = row->budget > 0;
  return fmt::format(R"({{"includeThoughts":{},"thinkingLevel":"{}"}})", shows,
                     level_of(*row, family));
}

std::string with_budget(const request_parameters& asked, const gemini_family& family) {
  const auto* row = find_effort(asked.reasoning_effort);
  if (!asked.reasoning_budget && row == nullptr)
    return {};
  const auto wanted = asked.reasoning_budget ? *asked.reasoning_budget : row->budget;
  return fmt::format(R"({{"includeThoughts":{},"thinkingBudget":{}}})", wanted != 0,
                     budget_of(wanted, family));
}

/// Returns the value of `thinkingConfig`; "" where nothing was asked, or the model does not think.
/// Levels are for generation 3, budgets for 2.5: an effort becomes the nearest of what the model
/// has, and so does "none" where thinking cannot be switched off. Thoughts are asked for, unless
/// there are to be none.
std::string gemini_thinking(const request_parameters& asked, const gemini_family& family) {
  if (!family.thinks())
    return {};
  return family.has_levels() ? with_level(asked, family) : with_budget(asked, family);
}

// -- gemini parameters ----------------------------------------------------------------------------

constexpr size_t max_stops = 5; ///< with more the request is refused

/// Members of generationConfig that a configuration may name without it.
constexpr std::array<std::string_view, 16> of_generation{"candidateCount",
                                                         "maxOutputTokens",
                                                         "topP",
                                                         "topK",
                                                         "stopSequences",
                                                         "presencePenalty",
                                                         "frequencyPenalty",
                                                         "responseModalities",
                                                         "responseMimeType",
                                                         "responseJsonSchema",
                                                         "responseSchema",
                                                         "mediaResolution",
                                                         "thinkingConfig",
                                                         "speechConfig",
                                                         "imageConfig",
                                                         "audioTimestamp"};

/// Sets a member that is given.
void put(json_members& into, std::string_view key, std::string_view value) {
  if (!value.empty())
    put_member(into, key, value);
}

std::string object_of(const json_members& members) {
  std::string text;
  for (const auto& [key, value] : members)
    add_member(text, key, value);
  return "{" + text + "}";
}

/// Returns the first stop sequences of the list that are not empty.
std::string stop_sequences(std::string_view list) {
  const json_source source{list};
  std::string some;
  size_t count = 0;
  for_each_element(source.root(), [&](std::string_view each) {
    if (kind_of(each) == json_kind::string && each.size() > 2 && count++ < max_stops)
      some.append(some.empty() ? "" : ",").append(each);
    return true;
  });
  return some.empty() ? some : "[" + some + "]";
}

std::string_view mode_of(tool_choice_mode choice) {
  switch (choice) {
  case tool_choice_mode::none:
    return "NONE";
  case tool_choice_mode::required:
  case tool_choice_mode::named:
    return "ANY";
  default:
    return "AUTO";
  }
}

} // namespace

gemini_parameters::gemini_parameters(request_parameters asked, const gemini_family& family,
                                     bool has_tools)
    : asked_{std::move(asked)}, family_{family}, has_tools_{has_tools},
      uses_cache_{std::ranges::any_of(asked_.others, [](const auto& each) {
        return each.first == "cachedContent" && !is_nothing(each.second);
      })} {
  add_format();
}

/// Older models refuse tools beside a schema: there the model is told of it.
void gemini_parameters::add_format() {
  if (!asked_.json_output)
    return;
  if (has_tools_ && !family_.joins_tools_and_schema()) {
    demand_ = asked_.response_schema.empty()
                  ? "Answer with one JSON object, without any other text."
                  : "Answer with one JSON text that matches this JSON Schema, without any other "
                    "text: " +
                        asked_.response_schema;
    return;
  }
  put(config_, "responseMimeType", R"("application/json")");
  if (asked_.response_schema.empty())
    return;
  if (family_.takes_json_schema())
    put(config_, "responseJsonSchema", asked_.response_schema);
  else
    put(config_, "responseSchema", reduced_gemini_schema(asked_.response_schema));
}

void gemini_parameters::append(json_buffer& out) {
  append_tool_config(out);
  if (const auto config = generation_config(); config != "{}") {
    append_raw(out, R"(,"generationConfig":)");
    append_raw(out, config);
  }
  asked_.append_others(out, {"contents", "systemInstruction", "system_instruction"},
                       {"n",
                        "logit_bias",
                        "logprobs",
                        "top_logprobs",
                        "metadata",
                        "store",
                        "service_tier",
                        "verbosity",
                        "prediction",
                        "modalities",
                        "audio",
                        "functions",
                        "function_call",
                        "web_search_options",
                        "prompt_cache_key",
                        "prompt_cache_retention",
                        "safety_identifier",
                        "min_p",
                        "top_a",
                        "repetition_penalty",
                        "stop_sequences",
                        "thinking",
                        "extra_body",
                        "chat_template_kwargs"});
  asked_.leave_out("parallel_tool_calls", asked_.parallel_tool_calls == false);
  asked_.leave_out("user", !asked_.user.empty());
}

void gemini_parameters::append_tool_config(json_buffer& out) {
  auto given = asked_.take("toolConfig");
  if (!has_tools_ || uses_cache_)
    return;
  if (given.empty() && asked_.tool_choice != tool_choice_mode::unset) {
    given = fmt::format(R"({{"functionCallingConfig":{{"mode":"{}")", mode_of(asked_.tool_choice));
    if (asked_.tool_choice == tool_choice_mode::named)
      given += fmt::format(R"(,"allowedFunctionNames":[{}])",
                           to_json(gemini_tool_name(asked_.tool_name)));
    given += "}}";
  }
  if (given.empty())
    return;
  append_raw(out, R"(,"toolConfig":)");
  append_raw(out, given);
}

/// The parameters that the configuration has in Gemini's own words win.
std::string gemini_parameters::generation_config() {
  if (asked_.max_tokens > 0)
    put(config_, "maxOutputTokens", std::to_string(asked_.max_tokens));
  put(config_, "temperature", asked_.temperature);
  put(config_, "topP", asked_.top_p);
  put(config_, "topK", asked_.top_k);
  put(config_, "seed", asked_.seed);
  put(config_, "presencePenalty", asked_.presence_penalty);
  put(config_, "frequencyPenalty", asked_.frequency_penalty);
  put(config_, "stopSequences", stop_sequences(asked_.stop));
  put(config_, "thinkingConfig", gemini_thinking(asked_, family_));
  for (auto key : of_generation)
    put(config_, key, asked_.take(key));
  const json_source own{asked_.take("generationConfig")};
  for_each_member(own.root(), [this](std::string_view key, std::string_view value) {
    put(config_, key, value);
    return true;
  });
  return object_of(config_);
}

} // namespace troupe

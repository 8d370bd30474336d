#include "messages/wire/gemini/gemini_parameters.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/gemini/gemini_schema.hpp"
#include "messages/wire/gemini/gemini_thinking.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

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

/// What the configuration says in Gemini's own words wins.
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

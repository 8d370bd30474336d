#include "messages/wire/anthropic/anthropic_parameters.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/wire/anthropic/anthropic_schema.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr double least_top_p_beside_thoughts = 0.95;

/// OpenAI's words that Anthropic refuses with the whole request, and has no own word for.
constexpr std::array<std::string_view, 22> openai_only{"audio",
                                                       "frequency_penalty",
                                                       "function_call",
                                                       "functions",
                                                       "logit_bias",
                                                       "logprobs",
                                                       "min_p",
                                                       "modalities",
                                                       "n",
                                                       "prediction",
                                                       "presence_penalty",
                                                       "prompt_cache_key",
                                                       "prompt_cache_retention",
                                                       "repetition_penalty",
                                                       "response_format",
                                                       "safety_identifier",
                                                       "seed",
                                                       "store",
                                                       "top_logprobs",
                                                       "user",
                                                       "verbosity",
                                                       "web_search_options"};

/// Returns the temperature within 0 and 1: OpenAI's goes up to 2.
std::string temperature_of(std::string_view json) {
  if (json.empty())
    return {};
  const json_source source{json};
  const auto value = number_of(source.root());
  if (kind_of(source.root()) != json_kind::number || value < 0)
    return "0";
  return value > 1 ? "1" : std::string{json};
}

void write_sampling(json_buffer& out, const request_parameters& asked, bool thinks,
                    const anthropic_model& model) {
  const auto free = model.takes_sampling && !thinks;
  auto temperature = free ? temperature_of(asked.temperature) : std::string{};
  append_member(out, "temperature", temperature);
  asked.leave_out("temperature", temperature.empty() && !asked.temperature.empty());
  const json_source top_p{asked.top_p};
  const auto fits = model.takes_sampling &&
                    (!thinks || number_of(top_p.root()) >= least_top_p_beside_thoughts) &&
                    (temperature.empty() || model.takes_both);
  if (fits)
    append_member(out, "top_p", asked.top_p);
  asked.leave_out("top_p", !fits && !asked.top_p.empty());
  if (free)
    append_member(out, "top_k", asked.top_k);
  asked.leave_out("top_k", !free && !asked.top_k.empty());
}

/// Returns the strings that are not blank: Anthropic refuses blank ones.
std::string stop_sequences(std::string_view json) {
  const json_source source{json};
  std::string list;
  for_each_element(source.root(), [&list](std::string_view each) {
    if (!lacks_text(json_string(each)))
      list.append(list.empty() ? "[" : ",").append(each);
    return true;
  });
  return list.empty() ? list : list + "]";
}

std::string tool_choice_of(const request_parameters& asked) {
  const auto alone = asked.parallel_tool_calls == false;
  std::string choice;
  switch (asked.tool_choice) {
  case tool_choice_mode::unset:
    if (!alone)
      return {};
    [[fallthrough]];
  case tool_choice_mode::automatic:
    choice = R"({"type":"auto")";
    break;
  case tool_choice_mode::none:
    return R"({"type":"none"})";
  case tool_choice_mode::required:
    choice = R"({"type":"any")";
    break;
  case tool_choice_mode::named:
    choice = R"({"type":"tool","name":)" + to_json(asked.tool_name);
    break;
  }
  return choice + (alone ? R"(,"disable_parallel_tool_use":true})" : "}");
}

/// Returns the member with what was given in Anthropic's own words, which wins.
std::string output_config(std::string_view own, const request_parameters& asked,
                          std::string_view effort) {
  const json_source source{own};
  std::string members;
  bool has_effort = effort.empty();
  bool has_format = asked.response_schema.empty();
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    has_effort = has_effort || key == "effort";
    has_format = has_format || key == "format";
    add_member(members, key, value);
    return true;
  });
  if (!has_effort)
    add_member(members, "effort", to_json(effort));
  if (!has_format)
    add_member(members, "format",
               R"({"type":"json_schema","schema":)" + anthropic_schema(asked.response_schema) +
                   "}");
  return members.empty() ? members : "{" + members + "}";
}

/// Returns Anthropic's word for one of OpenAI's; one that it does not know is left out.
std::string service_tier(std::string_view json) {
  if (json == R"("default")")
    return R"("standard_only")";
  return json == R"("auto")" || json == R"("standard_only")" ? std::string{json} : std::string{};
}

std::string metadata_of(std::string_view own, std::string_view user) {
  if (kind_of(own) == json_kind::object) {
    const json_source source{own};
    std::string_view id;
    read_members(source.root(), {{"user_id", &id}});
    return id.empty() ? std::string{} : R"({"user_id":)" + std::string{id} + "}";
  }
  return kind_of(user) == json_kind::string ? R"({"user_id":)" + std::string{user} + "}"
                                            : std::string{};
}

/// Notes what this API has no word for.
void leave_out_absent(const request_parameters& asked) {
  asked.leave_out("seed", !asked.seed.empty());
  asked.leave_out("presence_penalty", !asked.presence_penalty.empty());
  asked.leave_out("frequency_penalty", !asked.frequency_penalty.empty());
  asked.leave_out("response_format", asked.json_output && asked.response_schema.empty());
}

} // namespace

void append_anthropic_parameters(json_buffer& out, request_parameters asked,
                                 const anthropic_thinking& thinking, const anthropic_model& model,
                                 bool tools) {
  write_sampling(out, asked, thinking.is_on, model);
  auto stops = asked.take("stop_sequences");
  append_member(out, "stop_sequences", stop_sequences(stops.empty() ? asked.stop : stops));
  if (tools)
    append_member(out, "tool_choice", tool_choice_of(asked));
  append_member(out, "thinking", thinking.thinking);
  append_member(out, "output_config",
                output_config(asked.take("output_config"), asked, thinking.effort));
  append_member(out, "metadata", metadata_of(asked.take("metadata"), asked.user));
  append_member(out, "service_tier", service_tier(asked.take("service_tier")));
  std::erase_if(asked.others, [&asked](const auto& each) {
    if (each.second == "null")
      return true;
    const auto is_foreign = std::ranges::find(openai_only, each.first) != openai_only.end();
    asked.leave_out(each.first, is_foreign);
    return is_foreign;
  });
  leave_out_absent(asked);
  asked.append_others(out, {"max_tokens", "system", "thinking"});
}

} // namespace troupe

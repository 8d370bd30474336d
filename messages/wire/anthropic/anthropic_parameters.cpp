#include "messages/wire/anthropic/anthropic_parameters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/wire/anthropic/anthropic_schema.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- anthropic model ------------------------------------------------------------------------------

namespace {

/// A version as major * 100 + minor.
constexpr int version(int major, int minor) {
  return major * 100 + minor;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns the number that begins at `at`, if it has one or two digits, and steps after it: longer
/// ones are dates.
std::optional<int> short_number(std::string_view text, size_t& at) {
  auto end = at;
  while (end < text.size() && is_digit(text[end]))
    ++end;
  if (end == at || end - at > 2)
    return std::nullopt;
  const auto number = std::stoi(std::string{text.substr(at, end - at)});
  at = end;
  return number;
}

/// Returns the first version in the name after "claude": 405 for "claude-opus-4-5-20251101".
std::optional<int> version_in(std::string_view name) {
  for (size_t at = 1; at < name.size(); ++at) {
    const auto begins = name[at - 1] == '-' || name[at - 1] == '_' || name[at - 1] == '/';
    if (!begins || !is_digit(name[at]))
      continue;
    const auto major = short_number(name, at);
    if (!major)
      continue;
    size_t minor_at = at + 1;
    const auto goes_on = at < name.size() && (name[at] == '-' || name[at] == '.');
    const auto minor = goes_on ? short_number(name, minor_at) : std::nullopt;
    return version(*major, minor.value_or(0));
  }
  return std::nullopt;
}

uint64_t default_max_tokens(int claude) {
  if (claude < version(3, 5))
    return 4096;
  return claude < version(3, 7) ? 8192 : 32'000;
}

} // namespace

anthropic_model anthropic_model_of(std::string_view name) {
  std::string lower{name};
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto at = lower.find("claude");
  if (at == std::string::npos)
    return {};
  const auto claude = version_in(std::string_view{lower}.substr(at)).value_or(version(99, 0));
  anthropic_model made;
  made.max_tokens = default_max_tokens(claude);
  made.takes_sampling = claude < version(4, 7);
  made.takes_both = claude < version(4, 1);
  made.takes_strict = claude >= version(4, 5);
  made.takes_most_effort = claude >= version(4, 7);
  made.hides_thoughts = claude >= version(4, 7);
  if (claude < version(3, 7))
    made.thinking = anthropic_thinking_style::none;
  else if (claude >= version(4, 7))
    made.thinking = anthropic_thinking_style::adaptive;
  else if (claude >= version(4, 6))
    made.thinking = anthropic_thinking_style::either;
  return made;
}

// -- anthropic thinking ---------------------------------------------------------------------------

namespace {

using style = anthropic_thinking_style;

constexpr uint64_t room_for_answer = 4096; ///< beside the thoughts, where nobody set a bound

struct effort_row {
  std::string_view name;
  int64_t budget;       ///< tokens, for models that know no effort
  std::string_view own; ///< Anthropic's word
};

constexpr std::array efforts{
    effort_row{"minimal", 1024, "low"},   effort_row{"low", 2048, "low"},
    effort_row{"medium", 8192, "medium"}, effort_row{"high", 16'384, "high"},
    effort_row{"xhigh", 24'576, "xhigh"}, effort_row{"max", 31'999, "max"},
};

constexpr int64_t usual_budget = 8192; ///< for "as the model likes"

/// An effort that is not known goes out as it is: the answer says which ones the model takes.
std::string own_effort(std::string_view effort, const anthropic_model& model) {
  for (const auto& row : efforts)
    if (row.name == effort)
      return std::string{row.own == "xhigh" && !model.takes_most_effort ? "high" : row.own};
  return std::string{effort};
}

int64_t budget_for(std::string_view effort) {
  for (const auto& row : efforts)
    if (row.name == effort)
      return row.budget;
  return usual_budget;
}

std::string_view effort_for(int64_t budget) {
  if (budget < 0)
    return {}; // as the model likes
  std::string_view name = efforts.front().name;
  for (const auto& row : efforts)
    if (row.budget <= budget)
      name = row.name;
  return name;
}

/// Decides for one request.
class thinking_decision {
public:
  thinking_decision(const request_parameters& asked, const anthropic_model& model)
      : asked_{asked}, model_{model} {
    made_.max_tokens = asked.max_tokens > 0 ? asked.max_tokens : model.max_tokens;
  }

  /// Takes the member as it was given in Anthropic's own words.
  void own(std::string json) {
    const json_source source{json};
    std::string_view type, budget;
    read_members(source.root(), {{"type", &type}, {"budget_tokens", &budget}});
    made_.is_on = json_string(type) != "disabled";
    if (made_.is_on)
      make_room(integer_of(budget).value_or(0));
    made_.thinking = std::move(json);
    effort();
  }

  void budget(int64_t tokens) {
    tokens = std::max(tokens, anthropic_thinking::least_budget);
    make_room(tokens);
    if (static_cast<uint64_t>(tokens) >= made_.max_tokens)
      tokens = static_cast<int64_t>(made_.max_tokens / 2);
    if (tokens < anthropic_thinking::least_budget)
      return;
    made_.is_on = true;
    made_.thinking = fmt::format(R"({{"type":"enabled","budget_tokens":{}}})", tokens);
  }

  void adaptive() {
    made_.is_on = true;
    made_.thinking = model_.hides_thoughts ? R"({"type":"adaptive","display":"summarized"})"
                                           : R"({"type":"adaptive"})";
    effort();
    if (made_.effort.empty() && asked_.reasoning_budget)
      made_.effort = own_effort(effort_for(*asked_.reasoning_budget), model_);
  }

  /// Newer models do not take "disabled", and think little by themselves.
  void none() {
    if (model_.thinking == style::adaptive)
      made_.effort = "low";
    else if (model_.thinking != style::none)
      made_.thinking = R"({"type":"disabled"})";
  }

  anthropic_thinking take() { return std::move(made_); }

private:
  void effort() {
    const auto known = model_.thinking == style::adaptive || model_.thinking == style::either;
    if (known && !asked_.reasoning_effort.empty() && asked_.reasoning_effort != "none")
      made_.effort = own_effort(asked_.reasoning_effort, model_);
  }

  void make_room(int64_t budget) {
    if (asked_.max_tokens == 0 && budget > 0)
      made_.max_tokens =
          std::max(made_.max_tokens, static_cast<uint64_t>(budget) + room_for_answer);
  }

  const request_parameters& asked_;
  const anthropic_model& model_;
  anthropic_thinking made_;
};

} // namespace

anthropic_thinking decide_thinking(request_parameters& asked, const anthropic_model& model,
                                   bool may_think) {
  auto own = asked.take("thinking");
  const auto& effort = asked.reasoning_effort;
  const auto& budget = asked.reasoning_budget;
  thinking_decision decision{asked, model};
  const auto asks = !own.empty() || !effort.empty() || budget;
  if (!asks || !may_think)
    return decision.take();
  if (!own.empty())
    decision.own(std::move(own));
  else if (effort == "none" || (budget == 0 && effort.empty()))
    decision.none();
  else if (model.thinking == style::budget || (model.thinking == style::either && budget > 0))
    decision.budget(budget > 0 ? *budget : budget_for(effort));
  else if (model.thinking != style::none)
    decision.adaptive();
  return decision.take();
}

// -- anthropic parameters -------------------------------------------------------------------------

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
    const auto is_openai_only = std::ranges::find(openai_only, each.first) != openai_only.end();
    asked.leave_out(each.first, is_openai_only);
    return is_openai_only;
  });
  leave_out_absent(asked);
  asked.append_others(out, {"max_tokens", "system", "thinking"});
}

} // namespace troupe

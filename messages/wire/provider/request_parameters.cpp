#include "messages/wire/provider/request_parameters.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// A value of null takes an earlier one back.
void put(std::string& into, std::string_view value) {
  into = is_nothing(value) ? std::string_view{} : value;
}

void read_stop(request_parameters& out, std::string_view value) {
  if (kind_of(value) == json_kind::string)
    out.stop = "[" + std::string{value} + "]";
  else if (kind_of(value) == json_kind::array || is_nothing(value))
    put(out.stop, value);
}

void read_max_tokens(request_parameters& out, std::string_view value) {
  const auto number = integer_of(value).value_or(0);
  out.max_tokens = number > 0 ? static_cast<uint64_t>(number) : 0;
}

void read_tool_choice(request_parameters& out, std::string_view value) {
  const auto word = json_string(value);
  out.tool_name.clear();
  if (word == "auto")
    out.tool_choice = tool_choice_mode::automatic;
  else if (word == "none")
    out.tool_choice = tool_choice_mode::none;
  else if (word == "required" || word == "any")
    out.tool_choice = tool_choice_mode::required;
  else if (kind_of(value) == json_kind::object) {
    std::string_view function, name, type, alone;
    read_members(value, {{"name", &name},
                         {"function", &function},
                         {"type", &type},
                         {"disable_parallel_tool_use", &alone}});
    read_members(function, {{"name", &name}});
    if (alone == "true")
      out.parallel_tool_calls = false;
    if (is_nothing(name))
      return read_tool_choice(out, type); // Anthropic's form
    out.tool_name = json_string(name);
    out.tool_choice = out.tool_name.empty() ? tool_choice_mode::unset : tool_choice_mode::named;
  } else {
    out.tool_choice = tool_choice_mode::unset;
  }
}

void read_parallel(request_parameters& out, std::string_view value) {
  out.parallel_tool_calls.reset();
  if (kind_of(value) == json_kind::boolean)
    out.parallel_tool_calls = value == "true";
}

void read_response_format(request_parameters& out, std::string_view value) {
  std::string_view type, schema, name, strict, inner;
  read_members(value, {{"type", &type}, {"json_schema", &inner}});
  read_members(inner, {{"schema", &schema}, {"name", &name}, {"strict", &strict}});
  const auto kind = json_string(type);
  out.json_output = kind == "json_object" || kind == "json_schema";
  put(out.response_schema, kind == "json_schema" ? schema : std::string_view{});
  out.response_name = json_string(name);
  out.response_strict = strict == "true";
}

/// OpenRouter's form has both; the others know the effort only.
void read_reasoning(request_parameters& out, std::string_view value) {
  std::string_view effort, budget;
  read_members(value, {{"effort", &effort}, {"max_tokens", &budget}});
  if (!is_nothing(effort))
    out.reasoning_effort = json_string(effort);
  if (auto tokens = integer_of(budget))
    out.reasoning_budget = *tokens;
}

using reader = void (*)(request_parameters&, std::string_view);

struct known_member {
  std::string_view key;
  reader read;
};

template <std::string request_parameters::*Member>
void put_into(request_parameters& out, std::string_view value) {
  put(out.*Member, value);
}

/// THE list of OpenAI's words that have a meaning for others, too.
constexpr std::array meanings{
    known_member{"temperature", put_into<&request_parameters::temperature>},
    known_member{"top_p", put_into<&request_parameters::top_p>},
    known_member{"top_k", put_into<&request_parameters::top_k>},
    known_member{"seed", put_into<&request_parameters::seed>},
    known_member{"presence_penalty", put_into<&request_parameters::presence_penalty>},
    known_member{"frequency_penalty", put_into<&request_parameters::frequency_penalty>},
    known_member{"user", put_into<&request_parameters::user>},
    known_member{"stop", read_stop},
    known_member{"max_tokens", read_max_tokens},
    known_member{"max_completion_tokens", read_max_tokens},
    known_member{"max_output_tokens", read_max_tokens},
    known_member{"tool_choice", read_tool_choice},
    known_member{"parallel_tool_calls", read_parallel},
    known_member{"response_format", read_response_format},
    known_member{"reasoning", read_reasoning},
    known_member{"reasoning_effort",
                 [](request_parameters& out, std::string_view value) {
                   out.reasoning_effort = json_string(value);
                 }},
};

void read_json(request_parameters& out, std::string_view json) {
  if (json.empty())
    return;
  const json_source source{json};
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    const auto* found = std::ranges::find(meanings, key, &known_member::key);
    if (out.lessons->refuses(key))
      out.leave_out(key, !is_nothing(value));
    else if (found != meanings.end())
      found->read(out, value);
    else if (!is_decided_by_engine(key))
      put_member(out.others, key, value);
    return true;
  });
}

void read_options(request_parameters& out, const generation_options& from) {
  out.max_tokens = from.max_output_tokens;
  if (!out.lessons->refuses("reasoning_effort"))
    out.reasoning_effort = from.reasoning_effort;
  if (from.reasoning_budget > -2)
    out.reasoning_budget = from.reasoning_budget;
  if (!from.tool_choice.empty()) {
    const json_source source{from.tool_choice};
    read_tool_choice(out, source.root());
  }
  if (from.parallel_tool_calls >= 0 && !out.lessons->refuses("parallel_tool_calls"))
    out.parallel_tool_calls = from.parallel_tool_calls != 0;
  out.json_output = !from.response_schema.empty();
  out.response_schema = from.response_schema;
}

bool demands_call(tool_choice_mode mode) {
  return mode == tool_choice_mode::required || mode == tool_choice_mode::named;
}

} // namespace

bool is_decided_by_engine(std::string_view key) {
  constexpr std::array<std::string_view, 5> ours{"model", "messages", "stream", "stream_options",
                                                 "tools"};
  return std::ranges::find(ours, key) != ours.end();
}

request_parameters read_parameters(const model_request& asked) {
  request_parameters read;
  read.lessons = &asked.model.lessons;
  read_options(read, asked.model.generation);
  read_json(read, asked.model.parameters);
  read_json(read, asked.parameters);
  if (asked.max_tokens > 0)
    read.max_tokens = asked.max_tokens;
  if (!asked.has_tools() || (asked.has_results && demands_call(read.tool_choice)))
    read.tool_choice = tool_choice_mode::unset;
  if (!asked.has_tools())
    read.parallel_tool_calls.reset();
  return read;
}

std::string request_parameters::take(std::string_view key) {
  auto at = std::ranges::find(others, key, &json_members::value_type::first);
  if (at == others.end())
    return {};
  auto value = std::move(at->second);
  others.erase(at);
  return is_nothing(value) ? std::string{} : value;
}

void request_parameters::append_others(json_buffer& out,
                                       std::initializer_list<std::string_view> decided,
                                       std::initializer_list<std::string_view> refused) const {
  for (const auto& [key, value] : others)
    if (std::ranges::find(refused, key) != refused.end())
      leave_out(key, !is_nothing(value));
    else if (std::ranges::find(decided, key) == decided.end())
      append_member(out, key, value);
}

void request_parameters::leave_out(std::string_view key, bool is_given) const {
  if (is_given && lessons != nullptr)
    lessons->leave_out(key);
}

bool asks_to_stop_at(std::string_view parameters, std::string_view sequence) {
  if (sequence.empty())
    return false;
  const json_source source{parameters};
  std::string_view stop, stop_sequences;
  read_members(source.root(), {{"stop", &stop}, {"stop_sequences", &stop_sequences}});
  bool found = false;
  for (const auto list : {stop, stop_sequences}) {
    found = found || json_string(list) == sequence;
    for_each_element(list, [&](std::string_view each) {
      found = found || json_string(each) == sequence;
      return !found;
    });
  }
  return found;
}

} // namespace troupe

#include "messages/wire/clients/ollama/ollama_settings.hpp"

#include <algorithm>
#include <array>

#include "messages/json.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/json_members.hpp"

namespace troupe {

namespace {

/// Options with the same name and meaning in OpenAI's words.
constexpr std::array<std::string_view, 7> same_options{
    "temperature", "top_p", "top_k", "seed", "stop", "presence_penalty", "frequency_penalty"};

failure add_options(std::string& into, std::string_view options) {
  if (is_nothing(options))
    return {};
  if (kind_of(options) != json_kind::object)
    return invalid_request("options must be an object");
  for_each_member(options, [&into](std::string_view key, json_value value) {
    const std::string_view text = value;
    const auto is_same = std::ranges::find(same_options, key) != same_options.end();
    if (is_same && !is_nothing(text))
      add_member(into, key, text);
    else if (key == "num_predict" && integer_of(text).value_or(0) > 0) // -1, -2: no limit
      add_member(into, "max_output_tokens", text);
    return true;
  });
  return {};
}

failure add_answer_format(std::string& into, std::string_view format) {
  if (is_nothing(format) || format == R"("")")
    return {};
  if (kind_of(format) == json_kind::object)
    add_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{"name":"answer","schema":)" +
                   std::string{format} + "}}");
  else if (json_string(format) == "json")
    add_member(into, "response_format", R"({"type":"json_object"})");
  else
    return invalid_request(R"(format must be "json" or a JSON Schema, an object)");
  return {};
}

/// That nothing is to be thought is not passed on: models that cannot think refuse to be told.
failure add_thinking(std::string& into, std::string_view think) {
  if (is_nothing(think) || think == "false")
    return {};
  const auto level = think == "true" ? std::string{"medium"} : json_string(think);
  for (const auto* known : {"low", "medium", "high", "max"})
    if (level == known) {
      add_member(into, "reasoning_effort", to_json(level));
      return {};
    }
  return invalid_request(R"(think must be true, false, "low", "medium", "high" or "max")");
}

} // namespace

failure write_ollama_settings(const ollama_settings& in, std::string& out) {
  std::string members;
  if (auto bad = add_options(members, in.options))
    return bad;
  if (auto bad = add_answer_format(members, in.format))
    return bad;
  if (auto bad = add_thinking(members, in.think))
    return bad;
  out = members.empty() ? members : "{" + members + "}";
  return {};
}

} // namespace troupe

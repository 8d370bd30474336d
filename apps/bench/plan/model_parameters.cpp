#include "apps/bench/plan/model_parameters.hpp"

#include <array>

#include <fmt/format.h>

#include "messages/wire/json/json_check.hpp"

namespace troupe::bench {

namespace {

constexpr std::array<std::string_view, 3> of_completions{"messages", "model", "stream"};
constexpr std::array<std::string_view, 4> of_ui_messages{"id", "messages", "model", "trigger"};

failure wrong(std::string text) {
  return {errc::request_invalid, std::move(text)};
}

/// Returns the members of an object, without its braces.
std::string_view inside(std::string_view object) {
  const auto begin = object.find('{') + 1;
  return object.substr(begin, object.rfind('}') - begin);
}

template <size_t Size>
failure check_names(std::string_view object, const std::array<std::string_view, Size>& taken) {
  for (auto name : taken)
    if (has_parameter(object, name))
      return wrong(fmt::format("--parameters: \"{}\" is in each request already", name));
  return {};
}

} // namespace

failure read_parameters(std::string_view text, std::string& out) {
  if (auto fault = json_fault(text); !fault.empty())
    return wrong("it is no JSON: " + fault);
  if (!is_json_object(text))
    return wrong("it is not a JSON object, as {\"max_tokens\":64}");
  size_t members = 0;
  json_fault(text, [&](std::string_view, std::string_view) { ++members; });
  out = members == 0 ? "" : text;
  return {};
}

failure check_parameters(const target_spec& target) {
  if (target.parameters.empty())
    return {};
  switch (target.kind) {
  case target_kind::openai:
    return check_names(target.parameters, of_completions);
  case target_kind::ai_sdk:
    return check_names(target.parameters, of_ui_messages);
  case target_kind::mcp:
    return wrong("--parameters are of a model; a tool has --arguments");
  default:
    return {};
  }
}

bool has_parameter(std::string_view object, std::string_view name) {
  bool found = false;
  json_fault(object, [&](std::string_view key, std::string_view) { found = found || key == name; });
  return found;
}

void append_parameters(json_buffer& out, const target_spec& target) {
  if (target.parameters.empty())
    return;
  const bool is_ours = target.kind == target_kind::troupe || target.kind == target_kind::native;
  append_raw(out, is_ours ? R"(,"parameters":)" : ",");
  append_raw(out, is_ours ? target.parameters : inside(target.parameters));
}

} // namespace troupe::bench

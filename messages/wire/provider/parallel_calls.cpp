#include "messages/wire/provider/parallel_calls.hpp"

#include <utility>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view tools_space = "functions.";

} // namespace

bool is_parallel_call(std::string_view name) noexcept {
  name = name.substr(0, name.find(':')); // some servers count calls in their names
  return name == "multi_tool_use.parallel" || name == "multi_tool_use_parallel";
}

std::vector<inner_call> inner_calls(std::string_view arguments) {
  const json_source source{arguments};
  std::string_view uses;
  read_members(source.root(), {{"tool_uses", &uses}});
  std::vector<inner_call> calls;
  const auto fits = for_each_element(uses, [&calls](std::string_view each) {
    std::string_view recipient, parameters;
    read_members(each, {{"recipient_name", &recipient}, {"parameters", &parameters}});
    auto name = json_string(recipient);
    if (name.starts_with(tools_space))
      name.erase(0, tools_space.size());
    auto text = kind_of(parameters) == json_kind::string ? json_string(parameters)
                : is_nothing(parameters)                 ? std::string{"{}"}
                                                         : std::string{parameters};
    calls.push_back({std::move(name), std::move(text)});
    const auto& called = calls.back().name;
    return !called.empty() && !is_parallel_call(called);
  });
  return fits ? calls : std::vector<inner_call>{};
}

} // namespace troupe

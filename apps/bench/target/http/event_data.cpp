#include "apps/bench/target/http/event_data.hpp"

#include <algorithm>
#include <cstdint>

#include "messages/wire/json/json_source.hpp"

namespace troupe::bench {

bool is_done(std::string_view data) {
  constexpr std::string_view space = " \t\r\n";
  auto first = data.find_first_not_of(space);
  if (first == std::string_view::npos || data[first] != '[')
    return false;
  return data.substr(first, data.find_last_not_of(space) - first + 1) == "[DONE]";
}

std::string_view type_of(std::string_view json) {
  constexpr std::string_view usual = R"({"type":")";
  if (json.starts_with(usual)) {
    auto rest = json.substr(usual.size());
    auto end = rest.find_first_of("\"\\");
    if (end != std::string_view::npos && rest[end] == '"')
      return rest.substr(0, end);
  }
  std::string_view type;
  read_members(json, {{"type", &type}});
  return type.size() > 2 && type.front() == '"' ? type.substr(1, type.size() - 2) : "";
}

bool is_preliminary(std::string_view json) {
  if (json.find(R"("preliminary")") == std::string_view::npos)
    return false;
  std::string_view value;
  read_members(json, {{"preliminary", &value}});
  return value == "true";
}

usage usage_of(std::string_view json) {
  std::string_view input, output;
  read_members(json, {{"inputTokens", &input}, {"outputTokens", &output}});
  const auto count = [](std::string_view number) {
    return static_cast<uint64_t>(std::max<int64_t>(integer_of(number).value_or(0), 0));
  };
  usage out;
  out.input_tokens = count(input);
  out.output_tokens = count(output);
  return out;
}

} // namespace troupe::bench

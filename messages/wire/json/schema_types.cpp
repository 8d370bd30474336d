#include "messages/wire/json/schema_types.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace troupe {

namespace {

constexpr std::array<std::string_view, 7> type_names{"array",  "boolean", "integer", "null",
                                                     "number", "object",  "string"};

/// Names of types in languages whose servers write them into their schemas.
constexpr auto other_names = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"bool", "boolean"},
    {"dict", "object"},
    {"double", "number"},
    {"float", "number"},
    {"int", "integer"},
    {"list", "array"},
    {"long", "integer"},
    {"map", "object"},
    {"none", "null"},
    {"str", "string"},
    {"text", "string"},
});

} // namespace

std::string_view schema_type(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (auto each : type_names)
    if (name == each)
      return each;
  for (const auto& [other, right] : other_names)
    if (name == other)
      return right;
  return {};
}

} // namespace troupe

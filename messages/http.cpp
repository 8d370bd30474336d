#include "messages/http.hpp"

namespace troupe {

std::string_view find_header(const headers& in, std::string_view name) {
  for (const auto& each : in)
    if (each.name == name)
      return each.value;
  return {};
}

} // namespace troupe

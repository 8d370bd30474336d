#include "messages/wire/anthropic/anthropic_error.hpp"

#include <array>
#include <cstdint>
#include <string>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe {

namespace {

constexpr uint16_t unknown_error_status = 200; ///< the other words of the error decide

uint16_t status_of_kind(std::string_view kind) {
  struct row {
    std::string_view kind;
    uint16_t status;
  };
  constexpr std::array rows{
      row{"invalid_request_error", 400}, row{"authentication_error", 401},
      row{"billing_error", 402},         row{"permission_error", 403},
      row{"not_found_error", 404},       row{"request_too_large", 413},
      row{"rate_limit_error", 429},      row{"api_error", 500},
      row{"timeout_error", 504},         row{"overloaded_error", 529},
  };
  for (const auto& each : rows)
    if (each.kind == kind)
      return each.status;
  return unknown_error_status;
}

} // namespace

failure anthropic_error(std::string_view json) {
  const json_source source{json};
  std::string_view error, kind;
  read_members(source.root(), {{"error", &error}});
  read_members(error, {{"type", &kind}});
  return provider_error(status_of_kind(json_string(kind)), json);
}

} // namespace troupe
